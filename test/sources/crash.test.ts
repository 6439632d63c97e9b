import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { sourcesHarness } from './harness.js';

const ROWS = 1600;

/** Ends a sync with kill -9 once it has reported so many rows done; returns their number. */
async function killedSync(directory: string, connection_string: string, least: number): Promise<number> {
  const script = fileURLToPath(new URL('./sync-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, directory, connection_string], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let done = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    done = Math.max(done, ...[...chunk.toString().matchAll(/done (\d+)/g)].map((match) => Number(match[1])));
    if (done >= least) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  return done;
}

describe('a sync that is killed', () => {
  it('twice keeps what it did; nothing is lost, nothing doubled, and what changed meanwhile is as it is now', async () => {
    const harness = await sourcesHarness();
    await harness.service.close();
    const file = join(harness.directory, 'big.db');
    const db = new SqliteDatabase(file);
    db.exec('create table parents (id integer primary key, name text)');
    db.exec('create table children (id integer primary key, name text, parent_id integer references parents (id))');
    const half = ROWS / 2;
    db.transaction(() => {
      const parent = db.prepare('insert into parents values (?, ?)');
      for (let i = 1; i <= half; i += 1) parent.run(i, `Parent ${i}`);
      const child = db.prepare('insert into children values (?, ?, ?)');
      for (let i = 1; i <= half; i += 1) child.run(i, `Child ${i}`, half + 1 - i);
    })();
    db.close();
    const killed = async (least: number): Promise<void> => {
      const done = await killedSync(join(harness.directory, 'data'), `sqlite:${file}`, least);
      expect(done).toBeGreaterThanOrEqual(least);
      expect(done).toBeLessThan(ROWS);
    };
    const changed = (...statements: readonly string[]): void => {
      const open = new SqliteDatabase(file);
      for (const statement of statements) open.exec(statement);
      open.close();
    };
    await killed(half + 100);
    changed("update children set name = 'Grown child' where id = 7", 'delete from children where id = 5');
    await killed(half + 100);
    changed(
      'delete from children where id = 6',
      `update children set parent_id = null where id = ${half - 2}`,
      'delete from parents where id = 3',
    );

    const again = await sourcesHarness({
      SVC_DATA_DIR: join(harness.directory, 'data'),
      SVC_INGEST_ROOTS: harness.directory,
    });
    // The dead process holds the source until its lease ends.
    const sync = async (): Promise<{ rows_read: number; rows_added: number; errors: string[] }> => {
      for (;;) {
        try {
          return await again.call('source_sync', { source_id: 'big' });
        } catch (error) {
          if ((error as { code?: string }).code !== 'conflict') throw error;
          await new Promise((resume) => setTimeout(resume, 500));
        }
      }
    };
    const finished = await sync();
    expect(finished.errors).toEqual([]);
    expect(finished.rows_read).toBe(ROWS - 3);
    expect(finished.rows_added).toBeGreaterThan(0);
    expect(finished.rows_added).toBeLessThan(half);
    const { graph, text } = again.service;
    const nodes = (await graph.findNodes({ domain: 'big' })).filter((node) => node.properties.kind === 'row');
    expect(nodes).toHaveLength(ROWS - 3);
    const names = new Set(nodes.map((node) => node.name));
    expect(names.size).toBe(ROWS - 3);
    expect(['Parent 3', 'Child 5', 'Child 6', 'Child 7', 'Grown child'].filter((name) => names.has(name))).toEqual([
      'Grown child',
    ]);
    const edges = (await graph.getEdges({ domain: 'big' })).length;
    expect(edges).toBe(half - 3 + 1);
    expect(await text.count('big')).toBe(ROWS - 3 + 2);
    expect(await again.call('source_sync', { source_id: 'big', mode: 'incremental' })).toMatchObject({
      rows_added: 0,
      rows_forgotten: 0,
    });
    await again.close();
    await harness.close().catch(() => undefined);
  });
});
