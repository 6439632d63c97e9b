import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { svc } from './captured.js';

let folder: string;
let notes: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-named-before-'));
  notes = join(folder, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'a.md'), '# A\n\nTea.\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...words: string[]) => {
  const { stdout, code } = await svc(...words, '--domain', 'd', '--data-dir', join(folder, 'data'), '--json');
  return { ...JSON.parse(stdout), code };
};
const pathsOf = (files: ReadonlyArray<{ readonly path: string }>) => files.map(({ path }) => path).sort();

it.each([
  ['pump.log', 'text'],
  ['README', 'text'],
  ['valve.mdx', 'markdown'],
])(
  'a file whose name tells no type is read again with its directory, once it was named: %s',
  async (name, type) => {
    const path = join(notes, name);
    writeFileSync(path, '# Pump\n\nThe pump has a lid of copper.\n');
    expect(await run('ingest', notes)).toMatchObject({ code: 0, skipped: [{ path }] });
    expect((await run('ingest', path)).code).toBe(1);
    expect(await run('ingest', path, '--type', type)).toMatchObject({ code: 0, files: [{ path }] });
    const unchanged = await run('ingest', notes);
    expect(pathsOf(unchanged.files)).toEqual([path, join(notes, 'a.md')].sort());
    for (const { result } of unchanged.files) expect(result.unchanged).toBe(true);
    appendFileSync(path, '\nThe zorkmid valve is of brass.\n');
    const planned = await run('ingest', notes, '--dry-run');
    const changed = await run('ingest', notes);
    expect([pathsOf(planned.files), planned.skipped]).toEqual([pathsOf(changed.files), []]);
    expect(changed).toMatchObject({ code: 0, skipped: [] });
    const { items } = await run('query', 'Of what is the zorkmid valve?');
    expect(items.some(({ content }: { content: string }) => content.includes('brass'))).toBe(true);
    appendFileSync(path, '\nThe hose is of rubber.\n');
    expect(await run('ingest', path)).toMatchObject({ code: 0, files: [{ path }] });
  },
  60_000,
);

it.each([
  ['tsconfig.json', '{\n  // The pump is of copper.\n  "pump": "copper"\n}\n'],
  ['package.json', '{ "pump": "copper" }\n'],
  ['pump.csv', 'part,metal\npump,copper\n'],
])(
  'a file that was read by another type than its name tells is read by that type again with its directory: %s',
  async (name, text) => {
    const path = join(notes, name);
    writeFileSync(path, text);
    expect(await run('ingest', path, '--type', 'text')).toMatchObject({ code: 0, files: [{ path }] });
    const again = await run('ingest', notes);
    expect(again).toMatchObject({ code: 0, skipped: [] });
    expect(again.files.find((file: { path: string }) => file.path === path).result).toMatchObject({ unchanged: true });
    appendFileSync(path, '// The zorkmid valve is of brass.\n');
    expect(await run('ingest', notes)).toMatchObject({ code: 0, skipped: [] });
    const { items } = await run('query', 'Of what is the zorkmid valve?');
    expect(items.some(({ content }: { content: string }) => content.includes('// The zorkmid valve'))).toBe(true);
  },
  60_000,
);

it('a file that was read by another type than its name advises is read by that type again', async () => {
  const path = join(notes, 'NOTES');
  writeFileSync(path, '# Pump\n\nThe pump has a lid of copper.\n\n# Valve\n\nThe valve has a ring of tin.\n');
  const passagesOf = ({
    files,
  }: {
    files: Array<{ path: string; result: { passages: number; unchanged?: boolean } }>;
  }) => files.find((file) => file.path === path)!.result;
  expect(passagesOf(await run('ingest', path, '--type', 'markdown'))).toMatchObject({ passages: 2 });
  expect(passagesOf(await run('ingest', notes))).toMatchObject({ passages: 2, unchanged: true });
  appendFileSync(path, '\n# Hose\n\nThe hose is of rubber.\n');
  expect(passagesOf(await run('ingest', notes))).toMatchObject({ passages: 3 });
  expect(passagesOf(await run('ingest', path, '--type', 'text'))).toMatchObject({ passages: 1 });
  expect(passagesOf(await run('ingest', path))).toMatchObject({ passages: 1, unchanged: true });
}, 60_000);
