// Compares docs/dependencies.md with package.json, and package.json with what the code imports.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = 'docs/dependencies.md';
const ROW =
  /^\| (?<name>@?[\w./-]+) \| (?<version>\d[\w.-]*) \| (?<purpose>.*) \| (?<alternatives>.*) \| (?<licence>.*) \|$/;
/** Programs that are not called like their package. */
const PROGRAMS = { '@biomejs/biome': 'biome', 'dependency-cruiser': 'depcruise', typescript: 'tsc' };

/** Returns one sentence for each fault: a package that is missing, listed twice, of another version, or unused. */
export function dependencyFaults(root) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const wanted = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies };
  const rows = readFileSync(join(root, PAGE), 'utf8')
    .split('\n')
    .flatMap((line) => ROW.exec(line)?.groups ?? []);
  const code = sources(root);
  return [
    ...Object.entries(wanted).flatMap(([name, version]) => listing(name, version, rows)),
    ...rows
      .filter(({ name }) => wanted[name] === undefined)
      .map(({ name }) => `${PAGE} lists ${name}, which package.json does not`),
    ...Object.keys(wanted)
      .filter((name) => !name.startsWith('@types/') && !code.some((text) => names(text, name)))
      .map((name) => `no code uses ${name}`),
  ];
}

function listing(name, version, rows) {
  const own = rows.filter((row) => row.name === name);
  if (own.length !== 1) return [`${PAGE} lists ${name} ${own.length} times instead of once`];
  const [row] = own;
  if (row.version !== version) return [`${PAGE} lists ${name} ${row.version}, package.json has ${version}`];
  return [row.purpose, row.alternatives, row.licence].some((cell) => cell.trim() === '')
    ? [`${PAGE} leaves a cell of ${name} empty`]
    : [];
}

/** Whether a text names a package as a module, or its program as a word of a command. */
function names(text, name) {
  const word = (PROGRAMS[name] ?? name).replaceAll('.', '\\.');
  return new RegExp(`['"/ ]${word}['"/ ]`, 'u').test(text);
}

function sources(root) {
  const files = ['src', 'test', 'bench', 'scripts', 'docs/recipes', 'web']
    .flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile() && /\.(tsx?|js|cjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const scripts = Object.values(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts).join(' \n ');
  return [` ${scripts} `, ...files.map((file) => readFileSync(file, 'utf8'))];
}
