import { Neo4jError } from 'neo4j-driver';
import { SvcError } from '../../core/errors.js';
import { isUnknownHost, unreachableSentence } from '../../core/wording/unknown-host.js';

/** What sentences name. Never a password. */
export interface ServerDescription {
  /** `host:port`. */
  readonly place: string;
  readonly user: string;
  readonly database: string;
}

const NO_LEADER = new Set([
  'Neo.ClientError.Cluster.NotALeader',
  'Neo.ClientError.General.ForbiddenOnReadOnlyDatabase',
]);
const NOT_THERE = new Set(['ServiceUnavailable', 'SessionExpired']);

/** Returns true for errors after which the same work may be tried again: lost servers, leader switches, deadlocks. */
export function isRetriable(error: unknown): boolean {
  return error instanceof Neo4jError && (error.retryable || error.code === 'ServiceUnavailable');
}

/** Returns true where the server is not there yet, or is still starting its database. */
export function isNotUpYet(error: unknown): boolean {
  const code = codeOf(error);
  return isRetriable(error) || NOT_THERE.has(code) || code === 'Neo.ClientError.Cluster.Routing' || isTransient(code);
}

/**
 * Translates what the driver throws to an error of ours with a sentence that says what to do. Others pass as they are.
 */
export function neo4jError(error: unknown, where: ServerDescription): unknown {
  if (error instanceof SvcError || !(error instanceof Neo4jError)) return error;
  const { code } = error;
  if (code === 'Neo.ClientError.Security.AuthenticationRateLimit') {
    return unavailable(
      error,
      `Neo4j at ${where.place} locked the login of "${where.user}" after wrong passwords; wait some seconds, then check SVC_NEO4J_PASSWORD.`,
    );
  }
  if (code === 'Neo.ClientError.Security.CredentialsExpired') {
    return unavailable(
      error,
      `The password of "${where.user}" on Neo4j at ${where.place} must be changed first: run ALTER CURRENT USER SET PASSWORD, then set SVC_NEO4J_PASSWORD.`,
    );
  }
  if (code === 'Neo.ClientError.Security.Unauthorized' || code === 'Neo.ClientError.Security.TokenExpired') {
    return unavailable(
      error,
      `Neo4j at ${where.place} refused the login of "${where.user}"; check SVC_NEO4J_USER and SVC_NEO4J_PASSWORD.`,
    );
  }
  if (code === 'Neo.ClientError.Security.Forbidden') {
    return unavailable(
      error,
      `Neo4j user "${where.user}" may not do this in database "${where.database}"; grant it reading, writing and schema rights.`,
    );
  }
  if (code === 'Neo.ClientError.Database.DatabaseNotFound') {
    return unavailable(
      error,
      `Neo4j at ${where.place} has no database "${where.database}"; check SVC_NEO4J_DATABASE (the Community edition has only "neo4j").`,
    );
  }
  if (code.startsWith('Neo.ClientError.Transaction.TransactionTimedOut')) {
    return unavailable(
      error,
      'Neo4j took too long and the query was ended; ask for less, or raise SVC_NEO4J_TIMEOUT (or the `timeout` of a raw query).',
      1,
    );
  }
  if (isOutOfMemory(code)) {
    return unavailable(
      error,
      'Neo4j has no memory left for this; raise dbms.memory.transaction.total.max or its heap.',
      5,
    );
  }
  if (/acquisition timed out/i.test(error.message)) {
    return unavailable(
      error,
      `All connections to Neo4j at ${where.place} are in use; try again, or raise SVC_NEO4J_CONNECTIONS.`,
      1,
    );
  }
  if (NO_LEADER.has(code)) {
    return unavailable(
      error,
      `Neo4j at ${where.place} does not lead its cluster and cannot write; give SVC_NEO4J_URI the form neo4j://, which finds the leader.`,
      1,
    );
  }
  if (/^Neo\.TransientError\.Transaction\.(Deadlock|Lock)/.test(code)) {
    return unavailable(
      error,
      `Neo4j at ${where.place} gave way to other transactions (${lastOf(code)}); try again.`,
      1,
    );
  }
  if (isTransient(code)) {
    return unavailable(
      error,
      `Neo4j at ${where.place} answers, but cannot serve now (${lastOf(code)}); try again, and see its log if it lasts.`,
      5,
    );
  }
  if (isUnknownHost(error) || isNotUpYet(error)) {
    const otherwise = `Neo4j at ${where.place} does not answer; check that it runs and SVC_NEO4J_URI.`;
    return unavailable(error, neo4jUnreachable(error, where, otherwise), 1);
  }
  return error;
}

export function neo4jUnreachable(
  error: unknown,
  { place }: Pick<ServerDescription, 'place'>,
  otherwise: string,
): string {
  return unreachableSentence(error, { server: `Neo4j at ${place}`, setting: 'SVC_NEO4J_URI', otherwise });
}

/** Translates an error of a query that a caller wrote, in the same way: its mistakes are `invalid_input`. */
export function queryError(error: unknown, where: ServerDescription): unknown {
  const code = codeOf(error);
  if (code === 'Neo.ClientError.Statement.AccessMode') {
    return new SvcError('invalid_input', "The query writes; pass access: 'write' to let it.", { member: 'access' });
  }
  if (/^Neo\.ClientError\.(Statement|Procedure|Schema)\./.test(code)) {
    const sentence = (error as Error).message.split('\n')[0] ?? '';
    return new SvcError(
      'invalid_input',
      `Neo4j refused the query: ${sentence}`,
      { member: 'cypher' },
      {
        cause: error,
      },
    );
  }
  return neo4jError(error, where);
}

/**
 * Translates a failed commit of a caller's statement. Refused by the server: rolled back, the error itself. All else,
 * above all a lost answer: the outcome is unknown, so `unavailable`, not to be tried again without looking.
 */
export function commitError(error: unknown, where: ServerDescription): unknown {
  const code = codeOf(error);
  if (code.startsWith('Neo.ClientError.')) return error;
  if (code.startsWith('Neo.TransientError.Transaction.')) return neo4jError(error, where);
  return new SvcError(
    'unavailable',
    `Neo4j at ${where.place} did not confirm the commit; the query may have been applied: look before you repeat it.`,
    undefined,
    { cause: error },
  );
}

export function codeOf(error: unknown): string {
  return error instanceof Neo4jError ? error.code : '';
}

function isTransient(code: string): boolean {
  return code.startsWith('Neo.TransientError.') || code === 'Neo.DatabaseError.Database.DatabaseUnavailable';
}

/** Returns the last part of a code: `DeadlockDetected` of `Neo.TransientError.Transaction.DeadlockDetected`. */
function lastOf(code: string): string {
  return code.slice(code.lastIndexOf('.') + 1);
}

function unavailable(cause: Neo4jError, sentence: string, retryAfter?: number): SvcError {
  const retry = retryAfter === undefined ? {} : { retriable: true, retryAfter };
  return new SvcError('unavailable', sentence, undefined, { cause, ...retry });
}

/** Returns true where the server ran out of transaction memory: the same in smaller transactions may do. */
export function isTooLarge(error: unknown): boolean {
  return isOutOfMemory(codeOf(error instanceof SvcError ? error.cause : error));
}

/** Returns the error of a record that is too large for a transaction. */
export function tooLarge(cause: unknown): SvcError {
  const message =
    'Neo4j has too little transaction memory for a single record; raise dbms.memory.transaction.total.max or its heap.';
  return new SvcError('too_large', message, undefined, { cause });
}

function isOutOfMemory(code: string): boolean {
  return code === 'Neo.TransientError.General.MemoryPoolOutOfMemoryError' || code.endsWith('TransactionMemoryLimit');
}
