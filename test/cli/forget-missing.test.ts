import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { note } from '../jobs/notes.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let documents: string;

beforeEach(() => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  documents = temporaryDirectory();
  for (let i = 0; i < 4; i += 1) writeFileSync(join(documents, `${i}.md`), note(i));
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const labels = async () =>
  (await svcJson('documents')).documents.map((one: { label: string }) => one.label).sort() as string[];

it('svc ingest --forget-missing forgets what is gone from below the directory, and nothing else', async () => {
  const other = join(temporaryDirectory(), 'other.md');
  writeFileSync(other, note(50));
  await svcJson('ingest', other, '--domain', 'notes');
  await svcJson('ingest', documents, '--domain', 'notes');
  rmSync(other);
  rmSync(join(documents, '0.md'));
  mkdirSync(join(documents, 'deep'));
  renameSync(join(documents, '1.md'), join(documents, 'deep', 'renamed.md'));
  await svcJson('ingest', documents, '--domain', 'notes');
  expect(await labels()).toEqual(['0.md', '1.md', '2.md', '3.md', 'other.md', 'renamed.md']);
  const { code, stdout } = await svc('ingest', documents, '--domain', 'notes', '--forget-missing');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Forgotten: 2 documents whose files are gone\.$/m)]);
  expect(await labels()).toEqual(['2.md', '3.md', 'other.md', 'renamed.md']);
  expect((await svcJson('ingest', documents, '--domain', 'notes', '--forget-missing')).forgotten).toBe(0);
}, 60_000);

it('svc ingest of a directory neither forgets nor doubles what was ingested by name with --type, and says how to read what was not', async () => {
  const log = join(documents, 'pump.log');
  writeFileSync(log, 'The pump of hall four is green.\n');
  await svcJson('ingest', log, '--type', 'text', '--domain', 'notes');
  writeFileSync(join(documents, 'valve.log'), 'The valve is shut.\n');
  const { stdout } = await svc('ingest', documents, '--domain', 'notes', '--forget-missing');
  expect(stdout).toMatch(/^unchanged .*pump\.log/m);
  expect(stdout).toMatch(/^skipped .*valve\.log \(ingest it by itself with --type text/m);
  expect(await labels()).toEqual(['0.md', '1.md', '2.md', '3.md', 'pump.log']);
}, 60_000);

it('svc ingest of a directory names files that are gone and still answer, and the command that forgets them', async () => {
  const ingest = (...paths: string[]) => svc('ingest', ...paths, '--domain', 'notes');
  expect((await ingest(documents)).stdout).not.toContain('gone');
  rmSync(join(documents, '0.md'));
  const one = await ingest(documents);
  expect([one.code, one.stdout]).toEqual([
    0,
    expect.stringContaining(
      `1 file of this directory is gone and still answers: ${join(relative('.', documents), '0.md')}; ` +
        `\`svc ingest ${documents} --domain notes --forget-missing\` forgets it`,
    ),
  ]);
  rmSync(join(documents, '1.md'));
  // A file by itself and another domain know nothing of the directory; a directory in another one counts once.
  expect((await ingest(join(documents, '2.md'))).stdout).not.toContain('gone');
  expect((await svc('ingest', documents, '--domain', 'other')).stdout).not.toContain('gone');
  mkdirSync(join(documents, 'deep'));
  writeFileSync(join(documents, 'deep', '9.md'), note(9));
  const { stdout } = await ingest(documents, join(documents, 'deep'));
  expect(stdout).toMatch(/^note 2 files of these directories are gone and still answer: \S+0\.md, \S+1\.md; /m);
  const { gone } = await svcJson('ingest', documents, '--domain', 'notes');
  expect(gone).toEqual({ total: 2, files: [join(documents, '0.md'), join(documents, '1.md')] });
  const [{ job_id }] = (await svcJson('jobs', 'list')).jobs;
  expect((await svc('jobs', 'show', job_id)).stdout).toMatch(/^gone +\S+0\.md, \S+1\.md$/m);
  const forgetting = await svcJson('ingest', documents, '--domain', 'notes', '--forget-missing');
  expect([forgetting.forgotten, forgetting.gone]).toEqual([2, undefined]);
  expect((await ingest(documents)).stdout).not.toContain('gone');
}, 60_000);

it('names the first ten files that are gone, and counts the others', async () => {
  for (let i = 10; i < 25; i += 1) writeFileSync(join(documents, `${i}.md`), note(i));
  await svcJson('ingest', documents, '--domain', 'notes');
  for (let i = 10; i < 25; i += 1) rmSync(join(documents, `${i}.md`));
  const { gone } = await svcJson('ingest', documents, '--domain', 'notes');
  expect([gone.total, gone.files.length]).toEqual([15, 10]);
  expect((await svc('ingest', documents, '--domain', 'notes')).stdout).toMatch(/19\.md and 5 more; /);
}, 60_000);

it('svc ingest --forget-missing --dry-run lists what would be forgotten and changes nothing', async () => {
  const missing = ['ingest', documents, '--domain', 'notes', '--forget-missing'];
  await svcJson('ingest', documents, '--domain', 'notes');
  expect((await svc(...missing, '--dry-run')).stdout).toMatch(/^No document would be forgotten/);
  rmSync(join(documents, '0.md'));
  rmSync(join(documents, '3.md'));
  writeFileSync(join(documents, 'new.md'), note(7));
  const { code, stdout } = await svc(...missing, '--dry-run');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^Would be forgotten: 2 documents whose files are gone:\n {2}\S+0\.md\n {2}\S+3\.md\n/),
  ]);
  expect(await svcJson(...missing, '--dry-run')).toEqual({
    dry_run: true,
    gone: { total: 2, files: [join(documents, '0.md'), join(documents, '3.md')] },
  });
  expect(await labels()).toEqual(['0.md', '1.md', '2.md', '3.md']);
  expect((await svcJson('jobs', 'list')).jobs).toHaveLength(1);
}, 60_000);

it('names files that are gone below the directories as they are typed', async () => {
  const link = join(temporaryDirectory(), 'link');
  symlinkSync(documents, link);
  const typed = relative('.', link);
  await svcJson('ingest', link, '--domain', 'notes');
  for (const i of [0, 1]) rmSync(join(documents, `${i}.md`));
  const gone = { total: 2, files: [join(typed, '0.md'), join(typed, '1.md')] };
  for (const more of [[], ['--forget-missing', '--dry-run']]) {
    expect((await svcJson('ingest', typed, '--domain', 'notes', ...more)).gone).toEqual(gone);
    const { stdout } = await svc('ingest', typed, '--domain', 'notes', ...more);
    expect(stdout).toContain('link/0.md');
    expect(stdout).not.toContain(documents);
  }
  expect(await labels()).toHaveLength(4);
}, 60_000);

it('refuses --forget-missing where it means nothing, and forgets nothing then', async () => {
  await svcJson('ingest', documents, '--domain', 'notes');
  rmSync(join(documents, '0.md'));
  const refused = async (...args: string[]) => {
    const { code, stderr } = await svc('ingest', ...args, '--domain', 'notes', '--forget-missing');
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused(join(documents, '1.md'))).toContain('needs a directory');
  expect(await refused(documents, '--type', 'seed')).toContain('--forget-missing is for documents');
  for (let i = 1; i < 4; i += 1) rmSync(join(documents, `${i}.md`));
  expect(await refused(documents)).toContain('There is no file to ingest');
  expect(await labels()).toHaveLength(4);
}, 60_000);

it('svc forget --dry-run says what would be forgotten and changes nothing', async () => {
  await svcJson('ingest', documents, '--domain', 'notes');
  const [{ source_id }] = (await svcJson('documents')).documents;
  for (const [what, answer] of [
    [['--domain', 'notes'], expect.stringMatching(/^Would be forgotten: 4 sources with \d{2} nodes\.\nA dry run/)],
    [['--source', source_id], 'Would be forgotten: 1 source.\nA dry run; nothing was changed.\n'],
  ] as const) {
    const { code, stdout } = await svc('forget', ...what, '--dry-run');
    expect([code, stdout]).toEqual([0, answer]);
  }
  expect(await labels()).toHaveLength(4);
}, 60_000);

it('svc forget FILE forgets the document of that label, and asks which one where there are more', async () => {
  for (const domain of ['notes', 'other']) await svcJson('ingest', join(documents, '0.md'), '--domain', domain);
  await svcJson('ingest', join(documents, '1.md'), '--domain', 'notes');
  expect((await svc('forget', '1.md', '--dry-run')).stdout).toContain('Would be forgotten: 1 source');
  expect(await labels()).toEqual(['0.md', '0.md', '1.md']);
  expect(await svcJson('forget', join(documents, '1.md'))).toMatchObject({ status: 'forgotten', sources: 1 });
  const several = await svc('forget', '0.md');
  const ids = (await svcJson('documents')).documents.map((one: { source_id: string }) => one.source_id) as string[];
  expect([several.code, ids.every((id) => several.stderr.includes(id))]).toEqual([2, true]);
  expect(await svcJson('forget', '0.md', '--domain', 'other')).toMatchObject({ sources: 1 });
  expect((await svcJson('documents')).documents).toMatchObject([{ label: '0.md', domain: 'notes' }]);
  // Another file of that name was not ingested.
  const other = await svc('forget', join(temporaryDirectory(), '0.md'));
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('No document was ingested from')]);
  rmSync(join(documents, '0.md'));
  expect((await svc('forget', join(documents, '0.md'), '--dry-run')).stdout).toContain('1 source');
  // A path through a link is the path behind it, also of a file that is gone.
  const link = join(temporaryDirectory(), 'link');
  symlinkSync(documents, link);
  expect((await svc('forget', join(link, '0.md'), '--dry-run')).stdout).toContain('1 source');
  const none = await svc('forget', 'nonsense.md');
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('No document is labelled "nonsense.md"')]);
  expect(none.stderr).not.toContain('There is');
  expect((await svc('forget', 'notes/0')).stderr).toContain('lists them. There is 0.md.');
  expect((await svc('forget', '0.md', '--source', 'x')).code).toBe(2);
}, 60_000);
