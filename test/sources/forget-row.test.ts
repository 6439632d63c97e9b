import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { svc, svcJson } from '../cli/captured.js';
import { cleanUp, temporaryDirectory } from '../cli/processes.js';

const before = { ...process.env };

beforeAll(async () => {
  const folder = temporaryDirectory();
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none', SVC_INGEST_ROOTS: folder });
  const db = new SqliteDatabase(`${folder}/shop.sqlite`);
  db.exec(`
    create table orders (id integer primary key, name text);
    insert into orders values (17, 'Kettles for Mara'), (18, 'Tea for Jon');
    create table lines (order_id integer, line integer, name text, primary key (order_id, line));
    insert into lines values (17, 1, 'Copper kettle'), (17, 2, 'Steel kettle'), (18, 1, 'Sencha'), (18, 2, 'Assam');
    create table codes (code text primary key, name text);
    insert into codes values ('17,1', 'Comma'), ('["a","b"]', 'Brackets'), ('@home', 'At');
  `);
  db.close();
  await svcJson('sources', 'connect', 'shop', `sqlite:${folder}/shop.sqlite`);
  await svcJson('sources', 'sync', 'shop');
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

const forget = (table: string, row: readonly string[]) =>
  svc('sources', 'forget', 'shop', '--table', table, ...row.flatMap((value) => ['--row', value]));

describe('documents', () => {
  it('show the rows of a table in one line beside the files, and each of them on demand', async () => {
    await svcJson('ingest', 'samples/handbook.md', '--domain', 'books');
    const lines = async (...options: readonly string[]) => {
      const { stdout } = await svc('documents', ...options);
      expect(stdout.includes('--all lists each')).toBe(options.length === 0);
      return stdout.split('\n').filter((line) => /^│ (?!Source)/u.test(line) && line.includes(' shop '));
    };
    const shown = await lines();
    const cells = shown.map((line) => line.split('│').map((cell) => cell.trim()));
    expect(cells.map(([, rows, domain, kind]) => [rows, domain, kind])).toEqual(
      ['3 rows', '4 rows', '2 rows'].map((rows) => [rows, 'shop', 'table']),
    );
    // The table itself is a concept too.
    expect(cells.map((line) => line[6])).toEqual(['4', '5', '3']);
    expect((await svc('documents')).stdout).toContain('handbook.md');
    expect(await lines('--all')).toHaveLength(12);
    expect((await svcJson('documents')).documents).toHaveLength(13);
    await svcJson('forget', '--domain', 'books');
  });
});

describe('sources forget', () => {
  it('counts in a dry run what it would forget, and forgets nothing', async () => {
    for (const [args, count] of [
      [['--table', 'orders', '--row', '17'], 1],
      [['--table', 'orders'], 3],
      [[], 12],
    ] as const) {
      const { code, stdout } = await svc('sources', 'forget', 'shop', ...args, '--dry-run');
      expect([code, stdout]).toEqual([
        0,
        `Would be forgotten: ${count === 1 ? '1 row or table' : `${count} rows and tables`} of shop.\nA dry run; nothing was changed.\n`,
      ]);
    }
    const all = { status: 'dry_run', source_id: 'shop', sources: 12 };
    expect(await svcJson('forget', '--source', 'shop', '--dry-run')).toEqual(all);
  });

  it.each([
    ['orders', ['18']],
    ['lines', ['17', '1']],
    ['lines', ['[17,2]']],
    ['lines', ['["18", "1"]']],
    ['codes', ['17,1']],
    ['codes', ['["a","b"]']],
    ['codes', ['@home']],
  ])('forgets one row by the values of its key, and says later that it is not there: %s %j', async (table, row) => {
    const done = { code: 0, stdout: 'Forgotten: 1 row or table of shop.\n' };
    expect(await forget(table, row)).toMatchObject(done);
    const again = await forget(table, row);
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain('There is no row');
  });

  it.each([
    [['shop', '--table', 'orders', '--row', '99']],
    [['shop', '--table', 'lines', '--row', '18', '--row', '1', '--row', '2']],
    [['other']],
  ])('tells machines too that nothing was there: %j', async (args) => {
    const { code, stdout, stderr } = await svc('sources', 'forget', ...args, '--json');
    expect([code, stdout, JSON.parse(stderr).code]).toEqual([1, '', 'not_found']);
  });
});
