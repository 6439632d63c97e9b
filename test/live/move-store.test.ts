import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import pg from 'pg';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { firstFilled, requireUnused } from '../../src/backends/store/move/empty.js';
import { tablesOf } from '../../src/backends/store/move/tables.js';
import { seededRandom } from '../../src/core/random.js';
import { svc, svcJson } from '../cli/captured.js';
import { cleanUp, end, finished, startSvc } from '../cli/processes.js';
import { fillEveryTable, rowsOf } from '../moves/every-table.js';
import { answersOf, expectClose, fill, recordsOf } from '../moves/filled-store.js';
import { reachText, withService } from '../service/harness.js';
import { waitFor } from '../support/wait-for.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

const LONG = 300_000;
/** Tables that are not moved as they are. */
const STAYING = ['migration', 'lease', 'vector_index', 'vector_row', 'vector_migration'];
/** Some of the tables that `fill` writes to. */
const FILLED = [
  ...['edge', 'edge_factor', 'edit', 'entity_merge', 'feedback', 'gateway_reward', 'graph_checkpoint_part'],
  ...['green_trace', 'item_prior', 'job_file', 'learner_arm', 'merged_concept', 'observation_key', 'passage'],
  ...['query_log', 'relational_source', 'removed_message', 'rule', 'sentence_vector', 'session_message', 'source_row'],
];

describeLive('svc migrate store', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  const root = mkdtempSync(join(tmpdir(), 'move-store-'));
  const before = { ...process.env };
  afterEach(async () => {
    process.env = { ...before };
    await cleanUp();
  });
  afterAll(async () => {
    await databases.dropAll();
    rmSync(root, { recursive: true, force: true });
  });

  const embedded = (name: string): Record<string, string> => ({
    SVC_DATA_DIR: join(root, name),
    SVC_EMBEDDING: 'static',
  });
  const directoryOf = (settings: Record<string, string>) => settings.SVC_DATA_DIR!;
  /** Runs a move in this process with the settings of a service. */
  const move = (settings: Record<string, string>, to: string) => {
    process.env = { ...before, ...settings };
    return svc('migrate', 'store', '--to', to, '--json');
  };
  const moved = async (settings: Record<string, string>, to: string) => {
    const { code, stdout, stderr } = await move(settings, to);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  it(
    'takes everything that a service knows to PostgreSQL, and back to SQLite',
    async () => {
      const settings = embedded('all');
      const shared = { ...settings, ...(await databases.environment()) };
      const [answers, records] = await withService(settings, async (test) => {
        await fill(test);
        return [await answersOf(test), await recordsOf(test)];
      });
      const there = await moved({ ...settings, DATABASE_URL: shared.DATABASE_URL! }, 'postgres');
      expect(there).toMatchObject({ from: 'sqlite', to: 'postgres' });
      expect(there.vector_indexes).toContainEqual({ name: 'colours', vectors: 60 });
      const filled = there.tables.filter((table: { rows: number }) => table.rows > 0);
      expect(filled.map((table: { name: string }) => table.name)).toEqual(expect.arrayContaining(FILLED));
      const later = await withService(shared, async (test) => {
        expectClose(await recordsOf(test), records);
        expectClose(await answersOf(test), answers);
        const quay = { text: '# Orla Quay\n\nOrla Quay lies in Port Helm.', domain: 'reach', format: 'markdown' };
        expect((await test.post('/v1/ingest/text', { ...quay, name: 'quay' })).status).toBe(200);
        return [await answersOf(test), await recordsOf(test)] as const;
      });
      const back = embedded('back');
      const again = await moved({ ...back, DATABASE_URL: shared.DATABASE_URL! }, 'sqlite');
      expect(again).toMatchObject({ from: 'postgres', to: 'sqlite' });
      await withService(back, async (test) => {
        expectClose(await recordsOf(test), later[1]);
        expectClose(await answersOf(test), later[0]);
      });
      process.env = { ...before, ...back };
      const { checks } = await svcJson('doctor');
      expect(checks.filter((check: { state: string }) => check.state === 'failed')).toEqual([]);
    },
    LONG,
  );

  it(
    'keeps every value of every table and the last number of each sequence, in pages',
    async () => {
      const settings = { ...embedded('values'), DATABASE_URL: await databases.make() };
      mkdirSync(directoryOf(settings), { recursive: true });
      const file = join(directoryOf(settings), 'svc.sqlite');
      const store = await openSqlite(file);
      await fillEveryTable(store, ['migration', 'lease', 'vector_index', 'vector_row']);
      await store.write(async ({ db }) => {
        await sql`update query_log set text = 'zero' || char(0) || 'one' where id = 7`.execute(db);
        await sql`update rule set ref = 9007199254740991 where ref = 603`.execute(db);
        await sql`update sqlite_sequence set seq = 4321 where name = 'edit'`.execute(db);
      });
      const names = (await tablesOf(store.db)).map(({ name }) => name).filter((name) => !STAYING.includes(name));
      const wanted = new Map<string, string[]>();
      for (const name of names) wanted.set(name, await rowsOf(store, name));
      await store.close();
      const bytes = readFileSync(file);

      const { tables } = await moved(settings, 'postgres');
      expect(tables.filter((table: { cleaned: number }) => table.cleaned > 0)).toEqual([
        { name: 'query_log', rows: 603, cleaned: 1 },
      ]);
      expect(readFileSync(file).equals(bytes)).toBe(true);
      wanted.set(
        'query_log',
        wanted
          .get('query_log')!
          .map((row) => row.replace('zero\\u0000one', 'zeroone'))
          .sort(),
      );
      const shared = await openPostgres(settings.DATABASE_URL);
      for (const name of names) expect([name, await rowsOf(shared, name)]).toEqual([name, wanted.get(name)]);
      const next = await shared.write(({ db }) =>
        sql<{ rule: number; edit: number }>`select nextval('edit_ref_seq') as edit, nextval('rule_ref_seq') as rule`
          .execute(db)
          .then(({ rows }) => rows[0]),
      );
      expect(next).toEqual({ edit: 4322, rule: 9007199254740992 });
      await shared.close();

      const back = { ...embedded('values-back'), DATABASE_URL: settings.DATABASE_URL };
      await moved(back, 'sqlite');
      const again = await openSqlite(join(directoryOf(back), 'svc.sqlite'));
      for (const name of names) expect([name, await rowsOf(again, name)]).toEqual([name, wanted.get(name)]);
      const { rows } = await sql`select seq from sqlite_sequence where name = 'edit'`.execute(again.db);
      expect(rows).toEqual([{ seq: 4322 }]);
      await again.close();
    },
    LONG,
  );

  it(
    'refuses a database that is not empty or in use, and one whose vectors are of another service',
    async () => {
      const settings = embedded('refused');
      await withService(settings, (test) => test.post('/v1/ingest/text', reachText('tower')));
      const shared = { ...settings, ...(await databases.environment()) };
      const source = { ...settings, DATABASE_URL: shared.DATABASE_URL! };
      // A start alone fills nothing.
      await withService(shared, async () => {
        expect((await move(source, 'postgres')).stderr).toContain('stop every replica first');
      });
      await moved(source, 'postgres');
      const { code, stderr } = await move(source, 'postgres');
      expect([code, stderr]).toEqual([1, expect.stringContaining('is not empty')]);
      expect(stderr).not.toContain(shared.DATABASE_URL);
      expect((await move(source, 'sqlite')).stderr).toContain('The data directory is not empty');

      const other = await databases.make();
      await withService({ ...embedded('other'), SVC_VEC: 'pgvector', DATABASE_URL: other }, (test) =>
        test.post('/v1/ingest/text', reachText('island')),
      );
      expect((await move({ ...settings, DATABASE_URL: other }, 'postgres')).stderr).toContain(
        'vectors in svc_concepts',
      );
      // The vectors of the store itself may lie there.
      const own = { ...embedded('other'), DATABASE_URL: other };
      expect(await moved(own, 'postgres')).toMatchObject({ vector_indexes: [] });
      await withService({ ...own, SVC_STORE: 'postgres' }, async (test) => {
        const { body } = await test.post('/v1/query', { context: 'fishing boats', mode: 'vec' });
        expect(body.items[0].content).toContain('forty fishing boats');
      });
    },
    LONG,
  );

  it.each(['postgres', 'sqlite'])(
    'refuses a database that a service started on in the moment before it was locked, moving to %s',
    async (to) => {
      const from = to === 'postgres' ? 'sqlite' : 'postgres';
      const url = await databases.make();
      const settings = { ...embedded(`started-${to}`), DATABASE_URL: url };
      await withService({ ...settings, SVC_STORE: from }, (test) => test.post('/v1/ingest/text', reachText('tower')));
      // What a start does first: it takes the lock of migrations.
      const locking = new pg.Client({ connectionString: url });
      await locking.connect();
      await locking.query('select pg_advisory_lock(781220641)');
      const target = { ...settings, ...(to === 'sqlite' ? { SVC_DATA_DIR: join(root, 'started-there') } : {}) };
      const moving = move(target, to);
      const waits = `select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await waitFor(async () => expect((await locking.query(waits)).rowCount).toBe(1), { timeout: 20_000 });
      const service = await openPostgres(url, { migrate: false });
      await service.health();
      await locking.end();
      expect((await moving).stderr).toContain('stop every replica first');
      await service.close();
      await moved(target, to);
    },
    LONG,
  );

  it(
    'leaves nothing or everything when it is killed',
    async () => {
      const random = seededRandom('move');
      const settings = { ...embedded('killed'), DATABASE_URL: '' };
      const domains = async (given: Record<string, string>) =>
        withService(given, async (test) => (await test.get('/v1/domains')).body);
      await withService(settings, fill);
      const wanted = await domains(settings);
      let complete = 0;
      for (let i = 0; complete === 0 || i < 4; i += 1) {
        settings.DATABASE_URL = await databases.make();
        process.env = { ...before, ...settings };
        const child = startSvc(['migrate', 'store', '--to', 'postgres']);
        await Promise.race([finished(child), new Promise((done) => setTimeout(done, 1000 + i * 400 + random() * 400))]);
        await end(child, 'SIGKILL');
        const shared = await openPostgres(settings.DATABASE_URL);
        const found = await waitFor(
          async () => {
            await requireUnused(shared.db);
            return firstFilled(shared.db, ['domain', 'node', 'edge', 'query_log', 'text_doc']);
          },
          { timeout: 10_000 },
        );
        await shared.close();
        if (found === undefined) await moved(settings, 'postgres');
        else complete += 1;
        expect(await domains({ ...settings, SVC_STORE: 'postgres' })).toEqual(wanted);
      }
      expect(await domains(embedded('killed'))).toEqual(wanted);
    },
    LONG,
  );
});
