import { expect, it } from '@jest/globals';
import { Neo4jError } from 'neo4j-driver';
import { postJson } from '../../src/backends/http-request.js';
import { neo4jError } from '../../src/backends/neo4j-connection/errors.js';
import { parseAddress } from '../../src/backends/relational/address.js';
import { mysqlFailure } from '../../src/backends/relational/mysql/mysql-errors.js';
import { postgresFailure } from '../../src/backends/relational/postgres/postgres-errors.js';
import { httpLearner } from '../../src/backends/remote-learner/http.js';
import { postgresError } from '../../src/backends/store/engine/postgres.js';
import { QdrantVectors } from '../../src/backends/vector/qdrant.js';
import { isUnknownHost } from '../../src/core/wording/unknown-host.js';

/** No name server knows a host below `invalid` (RFC 6761). */
const HOST = 'nowhere.invalid';
const lookup = (code: string) =>
  Object.assign(new Error(`getaddrinfo ${code} ${HOST}`), { code, errno: -3008, syscall: 'getaddrinfo' });
const ADDRESS = parseAddress(`postgres://ada:not-for-anybody@${HOST}/shop`);
const neo4j = (message: string, cause?: Error) =>
  new Neo4jError(message, 'ServiceUnavailable', '50N42', '', {} as never, cause);

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => undefined,
    (error: unknown) => error,
  );
}

it.each<[string, string, () => unknown]>([
  ['PostgreSQL', 'DATABASE_URL', () => postgresError(lookup('ENOTFOUND'))],
  ['PostgreSQL in a container', 'DATABASE_URL', () => postgresError(lookup('EAI_AGAIN'))],
  [
    'Neo4j',
    'SVC_NEO4J_URI',
    () =>
      neo4jError(neo4j(`Failed to connect to server. Caused by: getaddrinfo ENOTFOUND ${HOST}`), {
        place: `${HOST}:7687`,
        user: 'ada',
        database: 'neo4j',
      }),
  ],
  [
    'a cluster of Neo4j',
    'SVC_NEO4J_URI',
    () =>
      neo4jError(neo4j('Could not perform discovery.', neo4j('Failed to connect.', lookup('ENOTFOUND'))), {
        place: `${HOST}:7687`,
        user: 'ada',
        database: 'neo4j',
      }),
  ],
  ['Qdrant', 'SVC_QDRANT_URL', () => failureOf(() => new QdrantVectors({ url: `http://${HOST}:6333` }).connect())],
  [
    'a model server',
    'SVC_EMBEDDING_URL',
    () =>
      failureOf(() =>
        postJson(
          {},
          {
            url: new URL(`http://${HOST}/api`),
            server: 'embedding server',
            setting: 'SVC_EMBEDDING',
            key: 'not-for-anybody',
            timeout: 20_000,
            attempts: 1,
          },
        ),
      ),
  ],
  [
    'a learner elsewhere',
    'SVC_LEARNING_URL',
    () => failureOf(() => httpLearner({ url: `http://${HOST}`, learner: 'tools' }).posteriors()),
  ],
  ['a source', 'connection_string', () => postgresFailure({ address: ADDRESS, cause: lookup('ENOTFOUND') })],
  ['a source of MySQL', 'connection_string', () => mysqlFailure({ address: ADDRESS, cause: lookup('EAI_AGAIN') })],
])('%s whose host is unknown is named with the setting that holds it', async (_, setting, fail) => {
  const error = (await fail()) as Error;
  expect(error).toMatchObject({ code: 'unavailable', retriable: true });
  expect(error.message).toContain(`cannot be reached: the host name in ${setting} is not known here`);
  expect(error.message).not.toContain('not-for-anybody');
});

it('does not search the causes of an error that causes itself without end', () => {
  const error = new Error('The connection failed.');
  error.cause = new Error('The server is gone.', { cause: error });
  expect(isUnknownHost(error)).toBe(false);
});
