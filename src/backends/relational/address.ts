import { SvcError } from '../../core/errors.js';

/** A connection string taken apart; nothing of it but these members reaches a driver. */
export interface DatabaseAddress {
  readonly dialect: 'postgres' | 'sqlite' | 'mysql';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: 'off' | 'required' | 'verified';
  /** SQLite only. */
  readonly file: string;
}

const DIALECTS: Readonly<Record<string, DatabaseAddress['dialect']>> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
  'sqlite:': 'sqlite',
};

const PORTS = { postgres: 5432, mysql: 3306, sqlite: 0 } as const;

/** Reads a connection string. `invalid_input` names the part that is wrong, never its value. */
export function parseAddress(text: string): DatabaseAddress {
  if (text.startsWith('sqlite:')) return sqliteAddress(text);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refused('is not a URL such as postgres://user:password@host:5432/database');
  }
  const dialect = DIALECTS[url.protocol];
  if (dialect === undefined) throw refused('must begin with postgres://, mysql://, mariadb:// or sqlite:');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!/^[A-Za-z0-9._:-]+$/.test(host)) throw refused('must name a host by its name or address');
  if (url.port === '0') throw refused('has a port that nothing can listen on');
  const database = decoded(url.pathname.slice(1), 'database');
  if (database === '' || database.includes('/')) throw refused('must name one database after the host');
  if (url.hash !== '') throw refused('must not carry a fragment');
  const user = decoded(url.username, 'user');
  if (user === '') throw refused('must name the user to log in as');
  return {
    dialect,
    host,
    port: url.port === '' ? PORTS[dialect] : Number(url.port),
    user,
    password: decoded(url.password, 'password'),
    database,
    tls: tlsOf(url.searchParams),
    file: '',
  };
}

function sqliteAddress(text: string): DatabaseAddress {
  const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  if (file === '' || file.includes('\0') || file.includes('?'))
    throw refused('must be sqlite:/path/to/file without options');
  return { dialect: 'sqlite', host: '', port: 0, user: '', password: '', database: file, tls: 'off', file };
}

/**
 * Reads the TLS option. Only `sslmode` is understood; any other option could change what the driver does and is
 * refused.
 */
function tlsOf(parameters: URLSearchParams): DatabaseAddress['tls'] {
  let tls: DatabaseAddress['tls'] = 'off';
  for (const [name, value] of parameters) {
    if (name !== 'sslmode' && name !== 'ssl-mode')
      throw refused(`must not carry the option ${JSON.stringify(name)}; only sslmode is read`);
    if (['disable', 'allow', 'prefer', 'DISABLED', 'PREFERRED'].includes(value)) tls = 'off';
    else if (['require', 'REQUIRED'].includes(value)) tls = 'required';
    else if (['verify-ca', 'verify-full', 'VERIFY_CA', 'VERIFY_IDENTITY'].includes(value)) tls = 'verified';
    else throw refused('has an unknown sslmode');
  }
  return tls;
}

function decoded(text: string, part: string): string {
  try {
    const value = decodeURIComponent(text);
    if (value.includes('\0')) throw new Error('NUL');
    return value;
  } catch {
    throw refused(`has a ${part} that is not percent-encoded correctly`);
  }
}

function refused(problem: string): SvcError {
  return new SvcError('invalid_input', `connection_string ${problem}.`, { member: 'connection_string' });
}

/** Returns the address for people: no user, no password. */
export function maskedAddress(address: DatabaseAddress): string {
  if (address.dialect === 'sqlite') return `sqlite:${address.file}`;
  return `${address.dialect}://${address.host}:${address.port}/${address.database}`;
}
