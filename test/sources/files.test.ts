import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { type SourcesHarness, sourcesHarness } from './harness.js';

let harness: SourcesHarness;
const context = [
  ['a caller with a key', { authenticated: true, surface: 'http' }],
  ['a caller without', { authenticated: false, surface: 'http' }],
  ['the command line', { authenticated: false, surface: 'cli' }],
] as const;

beforeAll(async () => {
  harness = await sourcesHarness();
});
afterAll(() => harness.close());

function makeDatabase(file: string): string {
  const db = new SqliteDatabase(file);
  db.exec('create table t (id integer primary key, name text)');
  db.close();
  return file;
}

const connect = (file: string, more: object) =>
  harness.call('source_connect', { source_id: 'files', connection_string: `sqlite:${file}` }, more);

describe.each(context)('SQLite files as sources, for %s', (_, more) => {
  it('are opened under the ingest roots', async () => {
    const file = makeDatabase(join(harness.directory, `open-${more.surface}-${more.authenticated}.db`));
    await expect(connect(file, more)).resolves.toMatchObject({ tables: 1 });
  });

  it('are refused outside of them', async () => {
    await expect(connect('/etc/hosts', more)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('are refused in the data directory, also through a link', async () => {
    const data = join(harness.directory, 'data');
    const own = join(data, readdirSync(data).find((name) => name.endsWith('.db')) ?? '');
    await expect(connect(own, more)).rejects.toMatchObject({ code: 'forbidden' });
    const link = join(harness.directory, `link-${more.surface}-${more.authenticated}.db`);
    symlinkSync(own, link);
    await expect(connect(link, more)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('what is not a regular file', () => {
  const more = { authenticated: true };
  it('is refused at once, so that a named pipe holds nobody up', async () => {
    const pipe = join(harness.directory, 'pipe.db');
    execFileSync('mkfifo', [pipe]);
    await expect(connect(pipe, more)).rejects.toMatchObject({ code: 'invalid_input' });
    mkdirSync(join(harness.directory, 'folder.db'));
    await expect(connect(join(harness.directory, 'folder.db'), more)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('is refused beside the file too, where SQLite would open it', async () => {
    const file = makeDatabase(join(harness.directory, 'beside.db'));
    execFileSync('mkfifo', [`${file}-wal`]);
    await expect(connect(file, more)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('is another error than a file that is no database', async () => {
    const file = join(harness.directory, 'text.db');
    writeFileSync(file, 'no database');
    await expect(connect(file, more)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
