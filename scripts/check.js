// `npm run check`: format and lint, types, import rules, file lengths, the table of operations. Runs all, then fails if
// any failed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dependencyFaults } from './check-dependencies.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MAX_LINES = 300;
const MAX_FILES = 16;
const failed = [];

step('format and lint', () => npx('biome', 'check', '--error-on-warnings', '.'));
step('types', () => npx('tsc', '--noEmit', '-p', 'tsconfig.json'));
step('types of the dashboards', () => npx('tsc', '--noEmit', '-p', 'web/tsconfig.json'));
step('import rules', () => npx('depcruise', 'src', '--config', '.dependency-cruiser.cjs'));
step(`no file over ${MAX_LINES} lines`, noLongFiles);
step(`no folder of src with more than ${MAX_FILES} files side by side`, noCrowdedFolders);
step('docs/dependencies.md lists every dependency once', noDependencyFaults);
step('decisions are numbered without gaps and have one form', noOddDecisions);
step('docs/architecture.md names files that are there, each once', noWrongPaths);
step('the table of operations', () => run(process.execPath, ['--import', 'tsx', 'scripts/check-table.ts']));

if (failed.length > 0) {
  process.stderr.write(`\nFailed: ${failed.join(', ')}\n`);
  process.exit(1);
}
process.stdout.write('\nAll checks passed.\n');

function step(title, work) {
  process.stdout.write(`\n• ${title}\n`);
  if (!work()) failed.push(title);
}

function npx(tool, ...args) {
  return run(process.execPath, [join(root, 'node_modules', '.bin', tool), ...args]);
}

function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

/** Generated files and data live outside of these folders, or under fixtures. */
function noLongFiles() {
  const long = ['src', 'test', 'bench', 'scripts']
    .flatMap((folder) => sourceFiles(join(root, folder)))
    .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES);
  for (const { file, lines } of long) process.stderr.write(`${relative(root, file)} has ${lines} lines\n`);
  return long.length === 0;
}

function noCrowdedFolders() {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((counts, entry) => counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1), new Map());
  // A released migration keeps its place: that folder is a list which only grows.
  const crowded = [...folders].filter(([folder, files]) => files > MAX_FILES && !folder.endsWith('/migrations'));
  for (const [folder, files] of crowded) process.stderr.write(`${relative(root, folder)} holds ${files} files\n`);
  return crowded.length === 0;
}

function noDependencyFaults() {
  const faults = dependencyFaults(root);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0;
}

function noOddDecisions() {
  const files = readdirSync(join(root, 'docs/decisions')).sort();
  const odd = files.filter((file, i) => {
    const text = readFileSync(join(root, 'docs/decisions', file), 'utf8');
    const parts = ['**Decision.**', '**Why.**', '**Rejected.**'].map((part) => text.indexOf(part));
    const inOrder = parts.every((at, n) => at > (parts[n - 1] ?? 0));
    return !file.startsWith(`${String(i + 1).padStart(3, '0')}-`) || !text.startsWith(`# ${i + 1}. `) || !inOrder;
  });
  for (const file of odd)
    process.stderr.write(`docs/decisions/${file}: needs the next number, a title "# N. …", Decision, Why, Rejected\n`);
  return odd.length === 0;
}

function noWrongPaths() {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const paths = [...page.matchAll(/`(src\/[^`]+)`/g)].map(([, path]) => path);
  const wrong = paths.filter((path, i) => !existsSync(join(root, path)) || paths.indexOf(path) !== i);
  for (const path of wrong) process.stderr.write(`docs/architecture.md: ${path} is not there, or comes twice\n`);
  return wrong.length === 0;
}

function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'fixtures' || entry.name === 'results' ? [] : sourceFiles(path);
    return /\.(ts|js|cjs|mjs)$/.test(entry.name) ? [path] : [];
  });
}
