import { describe, expect, it } from '@jest/globals';
import { Neo4jError } from 'neo4j-driver';
import { commitError, isNotUpYet, isRetriable, neo4jError } from '../../src/backends/neo4j-connection/errors.js';
import { VARIABLES } from '../../src/config/variables.js';
import { SvcError } from '../../src/core/errors.js';

const WHERE = { place: 'db:7687', user: 'ada', database: 'neo4j' };

function failure(code: string, message = 'the message of the server'): Neo4jError {
  return new Neo4jError(message, code, '50N42', '', {} as never);
}

function sentenceOf(cause: unknown): SvcError {
  const error = neo4jError(cause, WHERE);
  expect(error).toBeInstanceOf(SvcError);
  expect((error as SvcError).code).toBe('unavailable');
  return error as SvcError;
}

describe('a failure of Neo4j', () => {
  it.each([
    ['ServiceUnavailable', true],
    ['SessionExpired', true],
    ['Neo.TransientError.Transaction.DeadlockDetected', true],
    ['Neo.TransientError.General.MemoryPoolOutOfMemoryError', true],
    ['Neo.ClientError.Security.AuthorizationExpired', true],
    ['Neo.ClientError.Security.Unauthorized', false],
    ['Neo.ClientError.Cluster.NotALeader', false],
    ['Neo.ClientError.Statement.SyntaxError', false],
    ['Neo.ClientError.Transaction.TransactionTimedOut', false],
    ['N/A', false],
  ])('%s may be tried again: %s', (code, again) => {
    expect(isRetriable(failure(code))).toBe(again);
  });

  it('of another kind is never tried again and passes as it is', () => {
    const other = new Error('ServiceUnavailable');
    expect([isRetriable(other), isNotUpYet(other)]).toEqual([false, false]);
    expect(neo4jError(other, WHERE)).toBe(other);
    const mistake = failure('Neo.ClientError.Statement.SyntaxError');
    expect(neo4jError(mistake, WHERE)).toBe(mistake);
  });

  it('at the start is waited for while the server or its database comes up, not when the login is wrong', () => {
    expect(isNotUpYet(failure('Neo.DatabaseError.Database.DatabaseUnavailable'))).toBe(true);
    expect(isNotUpYet(failure('Neo.ClientError.Cluster.Routing'))).toBe(true);
    expect(isNotUpYet(failure('Neo.ClientError.Security.Unauthorized'))).toBe(false);
  });

  it.each([
    [
      'Neo.TransientError.Transaction.DeadlockDetected',
      /gave way to other transactions \(DeadlockDetected\); try again/,
    ],
    ['Neo.TransientError.Transaction.BookmarkTimeout', /answers, but cannot serve now \(BookmarkTimeout\)/],
    ['Neo.TransientError.General.DatabaseUnavailable', /answers, but cannot serve now \(DatabaseUnavailable\)/],
    ['Neo.TransientError.General.MemoryPoolOutOfMemoryError', /dbms\.memory\.transaction\.total\.max/],
    ['Neo.ClientError.Cluster.NotALeader', /does not lead its cluster.*neo4j:\/\//],
    ['Neo.ClientError.General.ForbiddenOnReadOnlyDatabase', /does not lead its cluster/],
    ['Neo.ClientError.Transaction.TransactionTimedOut', /raise SVC_NEO4J_TIMEOUT/],
    ['Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration', /raise SVC_NEO4J_TIMEOUT/],
    ['ServiceUnavailable', /db:7687 does not answer; check that it runs and SVC_NEO4J_URI/],
    ['SessionExpired', /does not answer/],
  ])('%s says what to do, and that the call may be repeated', (code, sentence) => {
    const error = sentenceOf(failure(code));
    expect(error.message).toMatch(sentence);
    expect(error.retriable).toBe(true);
    expect(error.retryAfter).toBeGreaterThan(0);
  });

  it.each([
    ['Neo.ClientError.Security.Unauthorized', /refused the login of "ada".*SVC_NEO4J_USER and SVC_NEO4J_PASSWORD/],
    ['Neo.ClientError.Security.AuthenticationRateLimit', /locked the login of "ada"/],
    ['Neo.ClientError.Security.CredentialsExpired', /ALTER CURRENT USER SET PASSWORD/],
    ['Neo.ClientError.Security.Forbidden', /"ada" may not do this in database "neo4j"/],
    ['Neo.ClientError.Database.DatabaseNotFound', /SVC_NEO4J_DATABASE/],
  ])('%s says what to do, and that repeating does not help', (code, sentence) => {
    const error = sentenceOf(failure(code));
    expect(error.message).toMatch(sentence);
    expect(error.retriable).toBe(false);
  });

  it('to get a connection advises a setting', () => {
    const full = failure('N/A', 'Connection acquisition timed out in 10000 ms. Pool status: Active conn count = 20');
    expect(sentenceOf(full).message).toMatch(/are in use; try again, or raise SVC_NEO4J_CONNECTIONS/);
  });

  it('advises only variables that exist', () => {
    const codes = ['Neo.ClientError.Transaction.TransactionTimedOut', 'Neo.ClientError.Security.Unauthorized'];
    const sentences = [...codes, 'ServiceUnavailable', 'Neo.ClientError.Database.DatabaseNotFound']
      .map((code) => sentenceOf(failure(code)).message)
      .concat(sentenceOf(failure('N/A', 'acquisition timed out')).message);
    const named = sentences.flatMap((sentence) => sentence.match(/SVC_[A-Z0-9_]+/g) ?? []);
    expect(named.length).toBeGreaterThan(4);
    for (const name of named) expect(VARIABLES).toHaveProperty(name.slice('SVC_'.length));
  });
});

describe('a commit that failed', () => {
  it.each([
    'ServiceUnavailable',
    'SessionExpired',
    'Neo.TransientError.Cluster.ReplicationFailure',
    'Neo.DatabaseError.Transaction.TransactionCommitFailed',
  ])('with %s may have been applied, and is not to be repeated blindly', (code) => {
    const error = commitError(failure(code), WHERE) as SvcError;
    expect(error).toMatchObject({ code: 'unavailable', retriable: false });
    expect(error.message).toMatch(/may have been applied/);
  });

  it('because the server refused it was rolled back', () => {
    const refused = failure('Neo.ClientError.Schema.ConstraintValidationFailed');
    expect(commitError(refused, WHERE)).toBe(refused);
    const deadlock = commitError(failure('Neo.TransientError.Transaction.DeadlockDetected'), WHERE) as SvcError;
    expect(deadlock).toMatchObject({ code: 'unavailable', retriable: true });
    expect(deadlock.message).not.toMatch(/may have been applied/);
  });
});
