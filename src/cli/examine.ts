import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Config, misspelt } from '../config.js';
import { packageRoot } from '../core/package-root.js';
import { holderOf, isAlive, requireMakeable, tryLock } from '../data-directory.js';
import type { Check } from './check.js';
import { examineStore } from './examine-store.js';

const MIN_NODE: readonly [number, number] = [20, 19];
const LITTLE_DISK = 1e9;
const LITTLE_MEMORY = 2e9;

/** Checks the installation and the data directory. `readConfig` returns the configuration, or the sentence that says what is wrong with it. */
export async function examine(readConfig: () => Config | string): Promise<Check[]> {
  const config = readConfig();
  const always = [node(), memory(), await native('better-sqlite3', true), await native('hnswlib-node', true)];
  if (typeof config === 'string') return [...always, { name: 'settings', state: 'failed', found: config }];
  return [
    ...always,
    settings(config),
    ...(config.embedding.kind === 'minilm' ? [await native('onnxruntime-node', false)] : []),
    ...models(config),
    directory(config),
    disk(config),
    ...lock(config),
    ...(await examineStore(config)),
  ];
}

function node(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const enough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  const found = `${process.version} on ${process.platform} ${process.arch}`;
  return enough
    ? { name: 'Node', state: 'ok', found }
    : { name: 'Node', state: 'failed', found: `${found}; ${MIN_NODE.join('.')} or later is needed` };
}

function memory(): Check {
  const total = totalmem();
  return { name: 'memory', state: total < LITTLE_MEMORY ? 'warning' : 'ok', found: gigabytes(total) };
}

async function native(name: string, needed: boolean): Promise<Check> {
  try {
    await import(name);
    return { name, state: 'ok', found: 'loads' };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    const advice = needed ? 'run npm ci' : 'the built-in static model is used instead';
    return { name, state: needed ? 'failed' : 'warning', found: `does not load (${reason}); ${advice}` };
  }
}

function settings(config: Config): Check {
  const unread = misspelt(config);
  if (unread.length === 0) return { name: 'settings', state: 'ok', found: `valid, name ${config.name}` };
  return { name: 'settings', state: 'warning', found: `no setting reads ${unread.join(', ')}` };
}

function models(config: Config): Check[] {
  const { kind } = config.embedding;
  if (kind !== 'minilm' && kind !== 'static') return [];
  const folder = join(packageRoot(), 'models', kind);
  const found = existsSync(folder) ? folder : `${folder} is missing`;
  return [{ name: `model ${kind}`, state: existsSync(folder) ? 'ok' : 'failed', found }];
}

/** Makes nothing: a directory that is not there is fine where the first command that writes can make it. */
function directory({ data }: Config): Check {
  try {
    if (!existsSync(data.dir)) {
      requireMakeable(data.dir);
      return { name: 'data directory', state: 'ok', found: `${data.dir} (made by the first command that writes)` };
    }
    accessSync(data.dir, constants.R_OK | constants.W_OK);
    return { name: 'data directory', state: 'ok', found: data.dir };
  } catch {
    return { name: 'data directory', state: 'failed', found: `${data.dir} cannot be written; set SVC_DATA_DIR` };
  }
}

/** Returns the directory, or the nearest one above it that exists. */
function nearest(directory: string): string {
  let at = resolve(directory);
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

function disk({ data }: Config): Check {
  try {
    const { bavail, bsize } = statfsSync(nearest(data.dir));
    const free = bavail * bsize;
    return { name: 'disk', state: free < LITTLE_DISK ? 'warning' : 'ok', found: `${gigabytes(free)} free` };
  } catch {
    return { name: 'disk', state: 'warning', found: 'the free space is not known' };
  }
}

function lock({ data }: Config): Check[] {
  if (!existsSync(data.dir)) return [{ name: 'lock', state: 'ok', found: 'free' }];
  try {
    const taken = tryLock(data.dir, 'doctor');
    taken?.release();
    const holder = taken === null ? holderOf(data.dir) : null;
    if (holder === null || !isAlive(holder.pid)) return [{ name: 'lock', state: 'ok', found: 'free' }];
    const address = holder.rpc === undefined ? '' : `, serves other commands on ${holder.rpc.url}`;
    const leftOut = (holder.rpc?.left_out ?? []).map((found): Check => ({ name: 'port', state: 'warning', found }));
    return [
      { name: 'lock', state: 'ok', found: `held by ${holder.command}, process ${holder.pid}${address}` },
      ...leftOut,
    ];
  } catch (error) {
    return [{ name: 'lock', state: 'failed', found: error instanceof Error ? error.message : 'cannot be taken' }];
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
