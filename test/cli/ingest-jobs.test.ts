import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { run } from '../../src/cli/run.js';
import { note, until } from '../jobs/notes.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, end, finished, firstLine, startSvc, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let documents: string;

beforeEach(() => {
  process.env.SVC_DATA_DIR = temporaryDirectory();
  process.env.SVC_EMBEDDING = 'none';
  process.env.SVC_LOG_LEVEL = 'warn';
  documents = temporaryDirectory();
  for (let i = 0; i < 12; i += 1) writeFileSync(join(documents, `${i}.md`), note(i));
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const LONG = 300_000;
const labels = async () =>
  (await svcJson('documents')).documents.map((one: { label: string }) => one.label).sort() as string[];

/** Reads in the store of a process at work whether a job has done a file. */
function fileDone(): true | undefined {
  const file = join(process.env.SVC_DATA_DIR!, 'svc.sqlite');
  if (!existsSync(file)) return;
  const db = new SqliteDatabase(file, { readonly: true });
  try {
    return db.prepare("select 1 from job_file where state = 'done'").get() === undefined ? undefined : true;
  } catch {
    return; // The tables are not there yet.
  } finally {
    db.close();
  }
}

describe('svc ingest of a directory', () => {
  it(
    'is a job, in process as well as with a running service, and svc jobs tells of it',
    async () => {
      const { files, skipped } = await svcJson('ingest', documents, '--domain', 'notes');
      expect([files.length, skipped]).toEqual([12, []]);
      const { jobs } = await svcJson('jobs', 'list');
      expect(jobs).toMatchObject([{ state: 'completed', domain: 'notes', files: { total: 12, done: 12 } }]);
      const child = startSvc(['serve', '--port', '0', '--port-b', '0', '--json']);
      await firstLine(child);
      writeFileSync(join(documents, 'bad.md'), '\0\u0001');
      const again = await svc('ingest', documents, '--domain', 'notes', '--json');
      expect(again.code).toBe(1);
      const [job] = (await svcJson('jobs', 'list')).jobs;
      expect(job).toMatchObject({ state: 'failed', files: { done: 12, unchanged: 12, failed: 1 } });
      expect((await svcJson('jobs', 'show', job.job_id)).errors).toHaveLength(1);
      writeFileSync(join(documents, 'bad.md'), note(50));
      expect((await svcJson('jobs', 'retry', job.job_id)).job_id).toBe(job.job_id);
      await until(async () => ((await svcJson('jobs', 'show', job.job_id)).state === 'completed' ? true : undefined));
      expect((await svcJson('jobs', 'files', job.job_id, '--state', 'done')).files).toHaveLength(13);
      expect((await svc('jobs', 'cancel', job.job_id)).code).toBe(1);
      await end(child);
    },
    LONG,
  );

  it('prints a line for each file as it is done where no terminal reads it, in the order of the files', async () => {
    for (let i = 12; i < 150; i += 1) writeFileSync(join(documents, `${i}.md`), note(i));
    writeFileSync(join(documents, 'bad.md'), '\0\u0001');
    const writes: string[] = [];
    const out = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => writes.push(String(chunk)) > 0);
    try {
      expect(await run(['node', '/usr/bin/svc', 'ingest', documents, '--domain', 'notes'])).toBe(1);
    } finally {
      out.mockRestore();
    }
    const names = [...Array.from({ length: 150 }, (_, i) => `${i}.md`).sort(), 'bad.md'];
    expect(writes.slice(0, -1).map((text) => /(\w+\.md) {2}/.exec(text)?.[1])).toEqual(names);
    expect(writes.at(-1)).toMatch(/^\n150 ingested, 1 failed: 150 passages/);
  });

  it(
    'names its job where the service dies meanwhile, and the next start finishes it',
    async () => {
      for (let i = 12; i < 400; i += 1) writeFileSync(join(documents, `${i}.md`), note(i));
      const serve = () => startSvc(['serve', '--port', '0', '--port-b', '0', '--json']);
      const server = serve();
      await firstLine(server);
      const ingest = finished(startSvc(['ingest', documents, '--domain', 'notes']));
      await until(async () => fileDone());
      await end(server, 'SIGKILL');
      const { code, stderr } = await ingest;
      expect(code).toBe(1);
      expect(stderr).toContain('The job is kept and goes on by itself');
      const [, job_id] = /`jobs show (\S+)`/.exec(stderr) ?? [];
      await firstLine(serve());
      await until(async () => (await svcJson('jobs', 'show', job_id!)).state === 'completed' || undefined);
      expect(await labels()).toHaveLength(400);
    },
    LONG,
  );

  it(
    'is cancelled by Ctrl-C, and another start goes on with it',
    async () => {
      for (let i = 12; i < 150; i += 1) writeFileSync(join(documents, `${i}.md`), note(i));
      const child = startSvc(['ingest', documents, '--domain', 'notes', '--json']);
      const result = finished(child);
      await until(async () => fileDone());
      child.kill('SIGINT');
      const { code, stderr } = await result;
      if (code !== 0) {
        expect([code, stderr]).toEqual([130, expect.stringContaining('jobs retry')]);
        const id = /jobs retry ([0-9a-f-]+)/.exec(stderr)![1]!;
        expect((await svcJson('jobs', 'show', id)).state).toBe('cancelled');
        const serving = startSvc(['serve', '--port', '0', '--port-b', '0', '--json']);
        await firstLine(serving);
        await svcJson('jobs', 'retry', id);
        await until(async () => ((await svcJson('jobs', 'show', id)).state === 'completed' ? true : undefined));
        await end(serving);
      }
      expect((await svcJson('documents')).documents).toHaveLength(150);
    },
    LONG,
  );
});

describe('svc ingest --watch', () => {
  it(
    'keeps a domain in line with a directory, also with what changed while it was not running',
    async () => {
      const watching = async () => {
        const child = startSvc(['ingest', documents, '--domain', 'notes', '--watch', '--json']);
        expect(JSON.parse(await firstLine(child))).toMatchObject({ failed: [] });
        return child;
      };
      const first = await watching();
      const is = (wanted: readonly string[]) =>
        until(async () => (JSON.stringify(await labels()) === JSON.stringify([...wanted].sort()) ? true : undefined));
      const names = Array.from({ length: 12 }, (_, i) => `${i}.md`);
      await is(names);
      writeFileSync(join(documents, '3.md'), '# Windmill\n\nThe windmill of Sorvik grinds barley.');
      writeFileSync(join(documents, 'picture.png'), 'no text');
      writeFileSync(join(documents, '.hidden.md'), note(99));
      rmSync(join(documents, '4.md'));
      mkdirSync(join(documents, 'deep'));
      writeFileSync(join(documents, 'deep', 'new.md'), note(100));
      const later = names.filter((name) => name !== '4.md').concat('new.md');
      await is(later);
      const found = async (context: string) =>
        (await svcJson('query', context, '--domain', 'notes')).items.map((item: { content: string }) => item.content);
      await until(async () => ((await found('Sorvik windmill')).join().includes('barley') ? true : undefined));
      expect((await found('Pump 3')).join()).not.toContain('Station 3 uses');
      expect(await end(first, 'SIGINT')).toBe(0);

      rmSync(join(documents, 'deep'), { recursive: true });
      rmSync(join(documents, '5.md'));
      writeFileSync(join(documents, '200.md'), note(200));
      const second = await watching();
      await is([...later.filter((name) => name !== 'new.md' && name !== '5.md'), '200.md']);
      expect(await end(second, 'SIGTERM')).toBe(0);
    },
    LONG,
  );

  it(
    'leaves out links that lead out of the directory',
    async () => {
      const elsewhere = temporaryDirectory();
      writeFileSync(join(elsewhere, 'private.md'), note(70));
      symlinkSync(elsewhere, join(documents, 'linked'));
      const child = startSvc(['ingest', documents, '--domain', 'notes', '--watch', '--json']);
      await firstLine(child);
      symlinkSync(join(elsewhere, 'private.md'), join(documents, 'private.md'));
      writeFileSync(join(elsewhere, 'later.md'), note(71));
      writeFileSync(join(documents, 'new.md'), note(72));
      await until(async () => ((await labels()).includes('new.md') ? true : undefined));
      expect((await labels()).filter((label) => !/^(\d+|new)\.md$/.test(label))).toEqual([]);
      expect(await end(child, 'SIGINT')).toBe(0);
    },
    LONG,
  );

  it(
    'goes on where a file takes the place of directories',
    async () => {
      mkdirSync(join(documents, 'deep', 'deeper'), { recursive: true });
      writeFileSync(join(documents, 'deep', 'deeper', 'below.md'), note(73));
      const child = startSvc(['ingest', documents, '--domain', 'notes', '--watch', '--json']);
      await firstLine(child);
      const line = firstLine(child);
      rmSync(join(documents, 'deep'), { recursive: true });
      writeFileSync(join(documents, 'deep'), note(74));
      expect(JSON.parse(await line)).toEqual({ forgotten: 1 });
      expect(await end(child, 'SIGINT')).toBe(0);
    },
    LONG,
  );

  it.each([
    ['nothing', 'gone', () => undefined],
    ['a file', 'gone', (place: string) => writeFileSync(place, note(75))],
    ['an empty directory', 'empty', (place: string) => mkdirSync(place)],
  ])(
    'keeps what a directory held where %s takes its place, and goes on when it is back',
    async (_, why, replace) => {
      const other = temporaryDirectory();
      writeFileSync(join(other, 'other.md'), note(76));
      const paths = [documents, other];
      const child = startSvc(['ingest', ...paths, '--domain', 'notes', '--watch', '--json']);
      expect(JSON.parse(await firstLine(child))).toMatchObject({ watching: paths, files: 13 });
      const waits = firstLine(child);
      renameSync(documents, `${documents}.away`);
      replace(documents);
      expect(JSON.parse(await waits)).toEqual({ waiting: documents, why });
      expect(await labels()).toHaveLength(13);

      rmSync(join(`${documents}.away`, '3.md'));
      writeFileSync(join(`${documents}.away`, 'new.md'), note(77));
      const back = firstLine(child);
      rmSync(documents, { recursive: true, force: true });
      renameSync(`${documents}.away`, documents);
      expect(JSON.parse(await back)).toEqual({ watching: [documents], files: 12, failed: [], forgotten: 1 });
      const next = firstLine(child);
      writeFileSync(join(documents, 'later.md'), note(78));
      expect(JSON.parse(await next)).toMatchObject({ path: join(documents, 'later.md'), passages: 1 });
      const last = firstLine(child);
      rmSync(join(documents, 'later.md'));
      expect(JSON.parse(await last)).toEqual({ forgotten: 1 });
      expect(await end(child, 'SIGINT')).toBe(0);
    },
    LONG,
  );

  it(
    'follows a file written for a program that was named, by itself or with its directory',
    async () => {
      const settings = join(documents, 'package.json');
      writeFileSync(settings, '{"name": "kettle", "lid": "tin"}');
      for (const path of [settings, documents]) {
        const child = startSvc(['ingest', path, '--domain', 'notes', '--watch', '--json']);
        await firstLine(child);
        const line = firstLine(child);
        writeFileSync(settings, `{"name": "kettle", "lid": "copper of ${path.length}"}`);
        expect(JSON.parse(await line)).toMatchObject({ path: settings, passages: 1 });
        expect(await end(child, 'SIGINT')).toBe(0);
      }
    },
    LONG,
  );

  it.each([
    ['a configuration that is wrong', { SVC_STORE: 'foo' }, /SVC_STORE/],
    [
      'a database that is not there',
      { SVC_STORE: 'postgres', DATABASE_URL: 'postgres://127.0.0.1:9/none' },
      /PostgreSQL/,
    ],
  ])(
    'ends with what is wrong where it cannot start: %s',
    async (_, environment, what) => {
      const child = startSvc(['ingest', documents, '--domain', 'notes', '--watch'], environment);
      const { code, stderr } = await finished(child);
      expect([code === 0, stderr]).toEqual([false, expect.stringMatching(what)]);
    },
    LONG,
  );

  it(
    'says in sentences what it watches and what became of each change',
    async () => {
      writeFileSync(join(documents, 'bad.md'), '\0\u0001');
      const child = startSvc(['ingest', documents, '--domain', 'notes', '--watch']);
      let said = '';
      child.stdout!.on('data', (chunk) => {
        said += String(chunk);
      });
      const says = (what: RegExp) => until(async () => (what.test(said) ? true : undefined));
      await says(/^failed .*bad\.md {2}The file holds binary data/m);
      await says(/^Watching .*: 12 files read, 1 failed\. A file is read again when it is saved; Ctrl-C ends this\.$/m);
      writeFileSync(join(documents, 'new.md'), '');
      await says(/^skipped .*new\.md \(empty\)$/m);
      writeFileSync(join(documents, 'new.md'), note(13));
      await says(/^ingested .*new\.md {2}1 passage$/m);
      rmSync(join(documents, 'new.md'));
      await says(/^forgotten 1 file that was removed$/m);
      expect(await end(child, 'SIGINT')).toBe(0);
    },
    LONG,
  );
});
