import { SvcError } from '../../core/errors.js';

/** Address of a Neo4j server and credentials for it. Either `uri`, or `host` and `port`. */
export interface Neo4jAddress {
  /** `bolt://`, `neo4j://` (a cluster), with `+s` (TLS) or `+ssc` (TLS, self-signed). Never with a password inside. */
  readonly uri?: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 7687. */
  readonly port?: number;
  /** Default `neo4j`. */
  readonly username?: string;
  /** None: the server must run without authentication. */
  readonly password?: string;
  /** Default `neo4j`, the only one of the Community edition. */
  readonly database?: string;
  /** Beside `host` and `port`: encrypts the connection; `self-signed` accepts a certificate without an authority. */
  readonly tls?: boolean | 'self-signed';
}

const SCHEMES = ['bolt', 'bolt+s', 'bolt+ssc', 'neo4j', 'neo4j+s', 'neo4j+ssc'];

/** Returns the address for the driver; throws `invalid_input` where it cannot be one. */
export function driverUri(address: Neo4jAddress): string {
  if (address.uri === undefined) {
    const scheme = address.tls === true ? 'bolt+s' : address.tls === 'self-signed' ? 'bolt+ssc' : 'bolt';
    return `${scheme}://${address.host ?? '127.0.0.1'}:${address.port ?? 7687}`;
  }
  let parsed: URL;
  try {
    parsed = new URL(address.uri);
  } catch {
    throw wrong('is no address; write it like bolt://host:7687');
  }
  if (!SCHEMES.includes(parsed.protocol.slice(0, -1))) {
    throw wrong(`must begin with one of ${SCHEMES.map((scheme) => `${scheme}://`).join(', ')}`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw wrong('must not hold a user or password; use SVC_NEO4J_USER and SVC_NEO4J_PASSWORD');
  }
  return address.uri;
}

/** Returns host and port for sentences and logs. */
export function placeOf(uri: string): string {
  return uri.replace(/^[^:]*:\/\//, '').replace(/[/?].*$/, '');
}

function wrong(must: string): SvcError {
  return new SvcError('invalid_input', `SVC_NEO4J_URI ${must}.`, { member: 'uri' });
}
