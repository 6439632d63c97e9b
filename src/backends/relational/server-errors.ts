import { SvcError } from '../../core/errors.js';
import { unreachableSentence } from '../../core/wording/unknown-host.js';
import { type DatabaseAddress, maskedAddress } from './address.js';

/**
 * Errors for the failures of a database server. `unavailable` ends a sync: the server or the connection is lost, or was
 * never had. `conflict` and `forbidden` concern one statement or table, so a sync reports them and continues with the
 * next. The server's own words are left out, from the log too: they may quote values and name the user.
 */
export interface Failed {
  readonly address: DatabaseAddress;
  /** Name of the table that was read; none while connecting and while reading the schema. */
  readonly table?: string | undefined;
  readonly cause: unknown;
}

const MEMBER = { member: 'connection_string' };

/**
 * Returns the error for a refused login. A server that demands TLS often reports no more than a refusal, so both causes
 * are named.
 */
export function refusedLogin({ address }: Failed): SvcError {
  const tls =
    address.tls === 'off'
      ? ', and whether the server demands TLS: then add ?sslmode=require (the default is no TLS)'
      : '';
  return unavailable(address, `refused the login; check user and password${tls}.`);
}

export function demandsTls({ address }: Failed): SvcError {
  return unavailable(address, 'demands TLS; add ?sslmode=require to connection_string (the default is no TLS).');
}

export function offersNoTls({ address }: Failed): SvcError {
  return unavailable(
    address,
    'offers no TLS, which sslmode in connection_string demands; turn TLS on there, or set sslmode=disable.',
  );
}

export function badCertificate({ address }: Failed, code: string): SvcError {
  return unavailable(
    address,
    `has a TLS certificate that this machine does not trust, or none that fits (${code}); mend it, or set sslmode=require, which encrypts without checking it.`,
  );
}

export function noSuchDatabase({ address }: Failed): SvcError {
  return unavailable(address, 'has no such database.');
}

export function forbiddenDatabase({ address }: Failed): SvcError {
  return unavailable(address, 'does not let the user use that database; grant it select there.');
}

export function lostConnection({ address, cause }: Failed): SvcError {
  const masked = maskedAddress(address);
  const sentence = unreachableSentence(cause, {
    server: masked,
    setting: 'connection_string',
    otherwise: `${masked} does not answer; check host, port and that the server runs.`,
  });
  return new SvcError('unavailable', sentence, undefined, { retriable: true });
}

/**
 * Returns the error for a server that answers but serves no client now: too many connections, starting, stopping, out
 * of memory.
 */
export function cannotServe({ address }: Failed, code: string): SvcError {
  return new SvcError(
    'unavailable',
    `${maskedAddress(address)} does not answer: it cannot serve this connection now (${code}); try again later.`,
    undefined,
    { retriable: true },
  );
}

export function refusedConnection({ address }: Failed, code: string): SvcError {
  return unavailable(address, `refused the connection (${code}); check connection_string and the server's log.`);
}

export function forbiddenTable({ address, table }: Failed, code: string): SvcError {
  const what = table === undefined ? 'its schema' : `the table ${JSON.stringify(table)}`;
  return new SvcError(
    'forbidden',
    `${maskedAddress(address)}: the user may not read ${what} (${code}); grant it select.`,
  );
}

export function changedSchema({ address, table }: Failed): SvcError {
  const what = table === undefined ? '' : ` of ${JSON.stringify(table)}`;
  return new SvcError(
    'conflict',
    `${maskedAddress(address)}: the schema${what} changed since it was read; connect the source again.`,
  );
}

export function tookTooLong(failed: Failed, code: string): SvcError {
  const text = `took too long to read, or was locked (${code}); try again when the server has less to do.`;
  return conflict(failed, text, true);
}

export function failedStatement(failed: Failed, code: string, retriable = false): SvcError {
  return conflict(failed, `cannot be read (${code}); the server's log has the details.`, retriable);
}

function conflict({ address, table }: Failed, problem: string, retriable: boolean): SvcError {
  const what = table === undefined ? 'the schema' : `the table ${JSON.stringify(table)}`;
  return new SvcError('conflict', `${maskedAddress(address)}: ${what} ${problem}`, undefined, { retriable });
}

function unavailable(address: DatabaseAddress, problem: string): SvcError {
  return new SvcError('unavailable', `${maskedAddress(address)} ${problem}`, MEMBER);
}
