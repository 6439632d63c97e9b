import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { svcJson } from '../cli/captured.js';
import { cleanUp, temporaryDirectory } from '../cli/processes.js';

const before = { ...process.env };
const MINIFIED = `var a=${'function(b){return b+1},'.repeat(2000)}c=1;`;

const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Harbour\n\nCharges boats for their berths.\n',
  'src/fees.ts':
    '/** Returns what a berth costs in a year, in cents: always add the light. */\nexport function berthFee(metres: number): number {\n  return metres * RATE;\n}\n',
  'src/load.py':
    'def load(path):\n    """Read the boats of a file, one a line."""\n    with open(path) as file:\n        return file.readlines()\n',
  'src/page.min.js': 'var a = 1;\n',
  'src/page.js': MINIFIED,
  'dist/fees.js': 'export function berthFee(metres) { return metres * RATE; }\n',
  'vendor/boat/boat.go': 'package boat\n',
  'node_modules/boat/index.js': 'export const boat = 1;\n',
};

interface Ingested {
  readonly files: ReadonlyArray<{ readonly path: string }>;
  readonly skipped: ReadonlyArray<{ readonly path: string; readonly reason?: string; readonly error?: string }>;
}

let folder = '';
let ingested: Ingested;
beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'static' });
  folder = temporaryDirectory();
  for (const [name, written] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), written);
  }
  ingested = await svcJson('ingest', folder, '--domain', 'harbour');
}, 120_000);

afterAll(async () => {
  process.env = { ...before };
  await cleanUp();
});

it('what people wrote is read, not what programs made and others wrote', () => {
  const names = (files: ReadonlyArray<{ readonly path: string }>) =>
    files.map(({ path }) => path.slice(folder.length + 1)).toSorted();
  expect(names(ingested.files)).toEqual(['README.md', 'src/fees.ts', 'src/load.py']);
  expect(names(ingested.skipped)).toEqual(['dist/fees.js', 'src/page.js', 'src/page.min.js', 'vendor/boat/boat.go']);
  expect(JSON.stringify(ingested.skipped)).toContain('code that a program made');
});

it.each([
  ['What does a berth cost?', 'fees.ts > berthFee (berth fee): Returns what a berth costs in a year, in cents'],
  ['berthFee', 'fees.ts > berthFee (berth fee): Returns'],
  ['Which function reads boats of a file?', 'load.py > load: Read the boats of a file'],
])('"%s" finds the function', async (question, expected) => {
  const { items } = await svcJson('query', question, '--domain', 'harbour');
  expect(items[0].content).toMatch(new RegExp(`^${expected.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')}`, 'u'));
});

it('its comments state no rules, and one small word names nothing', async () => {
  const { rules } = await svcJson('rules', '--domain', 'harbour');
  expect(rules).toEqual([]);
  const note = join(folder, 'note.md');
  writeFileSync(note, '# Note\n\nLoad the boat at noon. Fees are due in March.\n');
  await svcJson('ingest', note, '--domain', 'harbour');
  const { items } = await svcJson('query', 'When is the boat loaded?', '--domain', 'harbour');
  expect(items[0].content).toContain('Load the boat at noon');
  expect(JSON.stringify(items[0])).not.toContain('load.py');
});

it('a file is ingested again as the code that it is, and a named one of a folder of others too', async () => {
  const again = await svcJson('ingest', folder, '--domain', 'harbour');
  const changed = again.files.filter(({ result }: { result: { unchanged?: boolean } }) => result.unchanged !== true);
  expect(changed).toEqual([]);
  const named = await svcJson('ingest', join(folder, 'vendor/boat/boat.go'), '--domain', 'harbour');
  expect(named.files).toHaveLength(1);
});

it('a named one of a folder of others is read with the folder from then on', async () => {
  const path = join(folder, 'vendor/boat/boat.go');
  writeFileSync(path, '// Package boat counts the oars.\npackage boat\n');
  const { files } = await svcJson('ingest', folder, '--domain', 'harbour');
  expect(files.map((file: { path: string }) => file.path)).toContain(path);
  const { items } = await svcJson('query', 'Which package counts the oars?', '--domain', 'harbour');
  expect(items[0].content).toContain('counts the oars');
});

it('a file that was read as text stays text until it is named with its type', async () => {
  const path = join(folder, 'tool.rb');
  writeFileSync(path, '# Counts boats.\nclass Counter\n  def count\n    boats.size\n  end\nend\n');
  await svcJson('ingest', path, '--domain', 'tools', '--type', 'text');
  await svcJson('ingest', folder, '--domain', 'tools');
  const found = await svcJson('query', 'counts boats', '--domain', 'tools');
  expect(JSON.stringify(found.items)).not.toContain('tool.rb > Counter');
  await svcJson('ingest', path, '--domain', 'tools', '--type', 'code');
  const { items } = await svcJson('query', 'counts boats', '--domain', 'tools');
  expect(items[0].content).toContain('tool.rb > Counter');
});
