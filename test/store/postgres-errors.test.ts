import { expect, it } from '@jest/globals';
import { postgresError } from '../../src/backends/store/engine/postgres.js';

// What the driver says of a connection that broke, by itself or because it was given up while the server was silent.
it.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])('a connection that is gone means an absent server: %s', (message) => {
  expect(postgresError(new Error(message))).toMatchObject({ code: 'unavailable', retriable: true });
});
