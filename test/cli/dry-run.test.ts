import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { svc } from './captured.js';

let folder: string;
let notes: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-dry-run-'));
  notes = join(folder, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'kettle.md'), '# Kettle\n\nThe kettle is of copper.\n');
  writeFileSync(join(notes, 'pan.md'), '# Pan\n\nThe pan is of tin.\n');
  writeFileSync(join(notes, 'blank.md'), '');
  writeFileSync(join(notes, 'lid.bin'), 'x');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ingest = (path: string, ...more: string[]) =>
  svc('ingest', path, '--domain', 'd', ...more, '--data-dir', join(folder, 'data'));

it('a dry run without a language model lists what would be read and what would be skipped', async () => {
  await ingest(join(notes, 'pan.md'));
  const { code, stdout } = await ingest(notes, '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toMatch(/kettle\.md │ +1 │ +│$/m);
  expect(stdout).toMatch(/pan\.md +│ +1 │ unchanged │$/m);
  expect(stdout).toMatch(/^skipped .*lid\.bin \(not of a type that is read\)$/m);
  expect(stdout).toMatch(/^Types that are read: text, mail, .* captions and source code\.$/m);
  expect(stdout).toMatch(/^skipped .*blank\.md \(.+\)$/m);
  expect(stdout).toMatch(/^1 would be ingested, 1 unchanged, 2 would be skipped: 2 passages\.$/m);
  expect(stdout).toContain('No language model reads documents here; no request would be made.');
  expect(stdout).toContain('A dry run; nothing was changed.');
  const planned = JSON.parse((await ingest(notes, '--dry-run', '--json')).stdout);
  expect(planned.files.map(({ plan }: { plan: object }) => plan)).toMatchObject([
    { source: expect.stringContaining('kettle.md'), passages: 1, unchanged: false },
    { source: expect.stringContaining('pan.md'), passages: 1, unchanged: true },
  ]);
  // The reasons are those of the run itself.
  expect(planned.skipped).toEqual([
    { path: join(notes, 'lid.bin'), reason: 'not of a type that is read' },
    { path: join(notes, 'blank.md'), reason: 'empty' },
  ]);
  const done = JSON.parse((await ingest(notes, '--json')).stdout);
  expect(new Set(done.skipped)).toEqual(new Set(planned.skipped));
}, 60_000);
