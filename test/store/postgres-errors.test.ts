import { expect, it } from '@jest/globals';
import { postgresError } from '../../src/backends/store/engine/postgres.js';

// What the driver says of a connection that broke, by itself or because it was given up while the server was silent.
it.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])('a connection that is gone means an absent server: %s', (message) => {
  expect(postgresError(new Error(message))).toMatchObject({
    code: 'unavailable',
    retriable: true,
    // A job that writes to it waits, and does not count it against a file.
    details: { part: 'store', reason: 'down' },
  });
});

const driver = (code: string, message: string) => Object.assign(new Error(message), { code });

// What a new server says first: since version 15 a user may make no table in the schema public.
it.each([
  [driver('42501', 'permission denied for schema public'), /own the database, or grant it usage and create/],
  [driver('42501', 'permission denied to create extension "vector"'), /`create extension vector`/],
  [driver('0A000', 'extension "vector" is not available'), /no pgvector; install it/],
  [new Error('The server does not support SSL connections'), /leave sslmode out of DATABASE_URL/],
  [driver('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'), /NODE_EXTRA_CA_CERTS/],
  [
    driver('28000', 'no pg_hba.conf entry for host "1.2.3.4", user "u", database "d", no encryption'),
    /sslmode=require/,
  ],
  [driver('28000', 'role "u" is not permitted to log in'), /refused the login; check user/],
])('what an administrator has to set up is said: %s', (error, sentence) => {
  expect(postgresError(error)).toMatchObject({ code: 'unavailable', message: expect.stringMatching(sentence) });
});
