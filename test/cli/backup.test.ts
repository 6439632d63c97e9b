import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { seededRandom } from '../../src/core/random.js';
import { note } from '../jobs/notes.js';
import { post, startProcess } from '../service/process.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, end, startSvc, temporaryDirectory } from './processes.js';

const LONG = 300_000;
const before = { ...process.env };
let data: string;
let elsewhere: string;

beforeEach(() => {
  data = temporaryDirectory();
  elsewhere = temporaryDirectory();
  process.env.SVC_DATA_DIR = data;
  process.env.SVC_EMBEDDING = 'static';
  process.env.SVC_LOG_LEVEL = 'error';
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const ingestNote = (i: number) =>
  svcJson('call', 'ingest_text', '--input', JSON.stringify({ text: note(i), domain: 'notes', name: `note ${i}` }));
const labels = async (directory: string) =>
  (await svcJson('documents', '--data-dir', directory)).documents.map((one: { label: string }) => one.label).sort();
const problems = async (directory: string) => {
  const { checks } = await svcJson('doctor', '--data-dir', directory);
  return checks.filter(
    (check: { state: string; name: string }) => check.state !== 'ok' && !['disk', 'memory'].includes(check.name),
  );
};

describe('svc backup and svc restore', () => {
  it(
    'keep all that was acknowledged before, made while writes go on, and refuse a running service',
    async () => {
      const server = await startProcess(data);
      mkdirSync(join(data, 'seeds', 'pending'), { recursive: true });
      writeFileSync(join(data, 'seeds', 'pending', 'one.json'), '{}');
      for (let i = 0; i < 10; i += 1) {
        await post(server.url, '/v1/ingest/text', { text: note(i), domain: 'notes', name: `note ${i}` });
      }
      let writing = true;
      const writes = (async () => {
        for (let i = 100; writing; i += 1) {
          await post(server.url, '/v1/ingest/text', { text: note(i), domain: 'notes', name: `note ${i}` });
        }
      })();
      const file = join(elsewhere, 'backup.tgz');
      const made = await svcJson('backup', file);
      expect(made.parts.map((part: { path: string }) => part.path)).toEqual(
        expect.arrayContaining(['seeds/pending/one.json', 'svc.sqlite', 'svc.store.json']),
      );
      writing = false;
      await writes;
      expect((await svc('backup', file)).stderr).toContain('exists');
      expect((await svc('backup', file, '--force')).code).toBe(0);
      expect((await svc('restore', file, '--force')).stderr).toContain('uses');
      await server.stop();

      const target = join(elsewhere, 'restored');
      await svcJson('restore', file, '--data-dir', target);
      const wanted = Array.from({ length: 10 }, (_, i) => `note ${i}`);
      expect(await labels(target)).toEqual(expect.arrayContaining(wanted));
      expect(readFileSync(join(target, 'seeds', 'pending', 'one.json'), 'utf8')).toBe('{}');
      expect(await problems(target)).toEqual([]);
      const { items } = await svcJson('query', 'Who built Pump 3?', '--data-dir', target);
      expect(items.some((item: { content: string }) => item.content.includes('Engineer 3'))).toBe(true);
      expect((await svc('restore', file, '--data-dir', target)).stderr).toContain('not empty');
    },
    LONG,
  );

  it(
    'refuse a damaged file and change nothing',
    async () => {
      await ingestNote(1);
      const file = join(elsewhere, 'backup.tar');
      await svcJson('backup', file);
      const bytes = readFileSync(file);
      const flipped = Buffer.from(bytes);
      const at = flipped.indexOf('SQLite format 3') + 40_000;
      flipped[at] = flipped[at]! ^ 1;
      await ingestNote(2);
      for (const [name, content] of Object.entries({
        flipped,
        short: bytes.subarray(0, bytes.length / 2),
        empty: Buffer.alloc(0),
        other: Buffer.from('no archive at all'),
      })) {
        const path = join(elsewhere, name);
        writeFileSync(path, content);
        const { code, stderr } = await svc('restore', path, '--force');
        expect([name, code, stderr]).toEqual([name, 2, expect.stringContaining('cannot be restored')]);
      }
      expect((await svc('restore', join(elsewhere, 'none'))).code).toBe(1);
      expect(await labels(data)).toEqual(['note 1', 'note 2']);
      expect(readdirSync(data).filter((name) => name.startsWith('svc.restore'))).toEqual([]);
      await svcJson('restore', file, '--force');
      expect(await labels(data)).toEqual(['note 1']);
    },
    LONG,
  );

  it(
    'leave the old state or the new one when they are killed',
    async () => {
      const random = seededRandom('backup');
      await ingestNote(1);
      const old = join(elsewhere, 'old.tar');
      await svcJson('backup', old);
      await ingestNote(2);
      const recent = join(elsewhere, 'recent.tar');
      await svcJson('backup', recent);
      const killed = async (...args: string[]) => {
        const child = startSvc([...args, '--force']);
        await new Promise((done) => setTimeout(done, 500 + random() * 1500));
        await end(child, 'SIGKILL');
      };
      for (let i = 0; i < 6; i += 1) {
        await killed('restore', i % 2 === 0 ? old : recent);
        expect([['note 1'], ['note 1', 'note 2']]).toContainEqual(await labels(data));
        expect(await problems(data)).toEqual([]);
      }
      const file = join(elsewhere, 'killed.tar');
      for (let i = 0; i < 4; i += 1) {
        await killed('backup', file);
        if (existsSync(file)) await svcJson('restore', file, '--data-dir', join(elsewhere, `from-${i}`));
      }
      await svcJson('backup', file, '--force');
      expect(readdirSync(elsewhere).filter((name) => name.includes('partial'))).toEqual([]);
    },
    LONG,
  );
});

describe('svc doctor --repair', () => {
  it(
    'mends counts, missing and orphaned rows of text index and vectors, and says so',
    async () => {
      for (const i of [1, 2, 3]) await ingestNote(i);
      const store = await openSqlite(join(data, 'svc.sqlite'));
      await store.write(async ({ db }) => {
        await sql`update domain set rules = 7`.execute(db);
        await sql`delete from vector_row where id in (select id from node where kind = 1 limit 2)`.execute(db);
        await sql`update vector_row set id = 'notes:gone' where id = (select min(id) from vector_row)`.execute(db);
        await sql`delete from text_doc where id = (select min(id) from node where kind = 1)`.execute(db);
      });
      await store.close();
      expect((await problems(data)).map((check: { name: string }) => check.name)).toEqual([
        'ledger',
        'text index',
        'vectors',
      ]);
      const { repaired } = await svcJson('doctor', '--repair');
      expect(repaired).toMatchObject({ counts: ['notes'], engines: [] });
      expect(repaired.indexed).toBeGreaterThanOrEqual(4);
      expect(await problems(data)).toEqual([]);
      const { items } = await svcJson('query', 'Who built Pump 2?');
      expect(items.some((item: { content: string }) => item.content.includes('Engineer 2'))).toBe(true);
      expect((await svc('doctor', '--repair')).stdout).toContain('Nothing had to be mended.');
    },
    LONG,
  );

  it(
    'is done by the service that runs on the directory, which finds as much',
    async () => {
      const server = await startProcess(data);
      for (const i of [1, 2, 3]) {
        await post(server.url, '/v1/ingest/text', { text: note(i), domain: 'notes', name: `note ${i}` });
      }
      expect(await problems(data)).toEqual([]);
      const named = async () =>
        (await svcJson('doctor')).checks.map(({ name }: { name: string }) => name) as readonly string[];
      expect(await named()).toEqual(expect.arrayContaining(['ledger', 'text index', 'vectors']));
      const store = new BetterSqlite(join(data, 'svc.sqlite'));
      store.exec('update domain set rules = 7');
      store.exec('delete from text_doc where id = (select min(id) from node where kind = 1)');
      expect((await problems(data)).map((check: { name: string }) => check.name)).toEqual(['ledger', 'text index']);
      const { repaired } = await svcJson('doctor', '--repair');
      expect(repaired).toMatchObject({ counts: ['notes'] });
      expect(await problems(data)).toEqual([]);
      await post(server.url, '/v1/vectors/colours/upsert', { vectors: [[1, 0]], ids: ['red'] });
      store.exec("update vector_row set vector = x'00' where id = 'red'");
      store.close();
      expect(await problems(data)).toMatchObject([
        { name: 'vectors of colours', found: expect.stringContaining('upsert') },
      ]);
      expect(await server.stop()).toBe(0);
    },
    LONG,
  );
});
