import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const built = join(root, 'dist/program/main.js');
const sources = join(root, 'src');
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** What Node is given to run `svc`: the build where it is newer than every source, since it starts faster; else the sources. */
export function programArguments(): string[] {
  return isBuilt() ? [built] : ['--import', tsx, join(sources, 'cli/main.ts')];
}

let known: boolean | undefined;

function isBuilt(): boolean {
  known ??= existsSync(built) && !isChangedSince(statSync(built).mtimeMs);
  return known;
}

/** Directories too: a file may have gone. */
function isChangedSince(time: number): boolean {
  return readdirSync(sources, { recursive: true }).some((name) => statSync(join(sources, String(name))).mtimeMs > time);
}
