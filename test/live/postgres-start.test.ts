import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { openStore } from '../../src/compose/engines.js';
import { loadConfig } from '../../src/config.js';
import { createLogger, type Logger } from '../../src/telemetry/logger.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

describeLive('a new database', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  afterAll(() => databases.dropAll());

  it('says what is missing where its user may make no table', async () => {
    const url = await databases.make();
    const role = 'maker_of_nothing';
    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    await admin.query(`drop role if exists ${role}`);
    await admin.query(`create role ${role} login password 'x'`);
    await admin.end();
    const theirs = Object.assign(new URL(url), { username: role, password: 'x' }).href;
    await expect(openPostgres(theirs)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('grant it usage and create on the schema public'),
    });
    await expect(openPostgres(`${url}?sslmode=require`)).rejects.toMatchObject({
      message: expect.stringContaining('leave sslmode out'),
    });
  });

  it('warns where the data directory holds a store of SQLite, whose knowledge it does not have', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'left-behind-'));
    const lines: string[] = [];
    const log = { ...createLogger('silent'), warn: (line: string) => void lines.push(line) } as unknown as Logger;
    const onSqlite = await openStore(loadConfig({ environment: { SVC_DATA_DIR: directory } }), log);
    await onSqlite.close();
    expect(lines).toEqual([]);
    const environment = { SVC_DATA_DIR: directory, SVC_STORE: 'postgres', DATABASE_URL: await databases.make() };
    const onPostgres = await openStore(loadConfig({ environment }), log);
    await onPostgres.close();
    expect(lines).toEqual([expect.stringContaining('svc.sqlite holds a store that SVC_STORE=postgres does not read')]);
    rmSync(directory, { recursive: true });
  });

  it('is set up once when many replicas start on it together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const url = await databases.make();
      const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgres(url, { connections: 2 })));
      await Promise.all(stores.map((store) => store.health()));
      const { length } = await stores[0]!.db.selectFrom('concept_index').selectAll().execute();
      expect(length).toBe(0);
      await Promise.all(stores.map((store) => store.close()));
    }
  });
});
