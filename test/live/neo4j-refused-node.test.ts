import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Neo4jFollower } from '../../src/backends/graph/neo4j/follow/neo4j-follower.js';
import { ensureSchema } from '../../src/backends/graph/neo4j/follow/schema.js';
import {
  Neo4jConnection,
  type Neo4jTransaction,
  type Params,
  type StatementOptions,
} from '../../src/backends/neo4j-connection.js';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { FollowerRunner } from '../../src/ledger/followers/runner.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { writeLetters } from '../graph/letters.js';
import { liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';
import { neo4jOptions, wipe } from './neo4j.js';
import { contentsOfNeo4j } from './neo4j-engine/contents.js';

const postgres = liveUrl('PG_URL', 'PostgreSQL');
if (postgres === undefined) throw new Error('PG_URL is not set; run the live tests with `npm run test:live`.');
const databases = new FreshDatabases(postgres);

const HUGE = 'As if it were too large.';

/** A connection to a server that does not take one node. */
class RefusingConnection extends Neo4jConnection {
  refuses = true;

  override transact<T>(work: (tx: Neo4jTransaction) => Promise<T>, options?: StatementOptions): Promise<T> {
    const refuseHuge = (params?: Params): void => {
      const rows = (params?.rows ?? []) as ReadonlyArray<Readonly<Record<string, unknown>>>;
      const isHuge = rows.some(({ text, description }) => text === HUGE || description === HUGE);
      if (this.refuses && isHuge) throw new Error('too large');
    };
    return super.transact(
      (tx) =>
        work({
          run: (cypher, params) => {
            refuseHuge(params);
            return tx.run(cypher, params);
          },
          send: (cypher, params) => {
            refuseHuge(params);
            tx.send(cypher, params);
          },
        }),
      options,
    );
  }
}

const connection = new RefusingConnection(neo4jOptions());
beforeAll(async () => {
  await connection.connect();
  await ensureSchema(connection);
});
afterAll(async () => {
  await connection.disconnect();
  await databases.dropAll();
});

it.each([
  ['passage', 'SQLite'],
  ['concept', 'SQLite'],
  ['passage', 'PostgreSQL'],
  ['concept', 'PostgreSQL'],
])('a %s that Neo4j refused comes with all that is at it once Neo4j takes it (ledger on %s)', async (kind, on) => {
  await wipe(connection);
  connection.refuses = true;
  const store = on === 'SQLite' ? await openSqlite(':memory:') : await openPostgres(await databases.make());
  const ledger = new Ledger(store);
  let now = Date.UTC(2026, 0, 1);
  const runner = new FollowerRunner(new Neo4jFollower(connection), store, () => now);
  const text = kind === 'passage' ? HUGE : 'Of the usual length.';
  const description = kind === 'concept' ? HUGE : 'The second letter.';
  await writeLetters(ledger, runner, { text, description });
  expect((await runner.status()).refused).toMatchObject({ count: 1, records: [{ kind: 'node' }] });

  connection.refuses = false;
  now += 3_600_000;
  await runner.catchUp();
  expect((await runner.status()).refused).toBeUndefined();
  const brought = await contentsOfNeo4j(connection);
  await wipe(connection);
  await new FollowerRunner(new Neo4jFollower(connection), store, () => now).catchUp();
  expect(brought).toEqual(await contentsOfNeo4j(connection));
  await store.close();
});
