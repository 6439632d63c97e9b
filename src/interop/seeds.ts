import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { SvcError } from '../core/errors.js';
import { decodeUtf8 } from '../core/json/utf8.js';
import { normalise } from '../core/text/fold.js';
import type { InteropConfig } from './config.js';
import { createFile, firstFree } from './files.js';
import { appendSignal } from './signals.js';
import { validateSeed } from './validate.js';

/** Files beyond this are refused unread. */
const MOST_SEED_BYTES = 16 * 1024 * 1024;
/** Names of files are at most 255 bytes; a character takes up to four. */
const LONGEST_PERSONA = 48;

export interface WriteSeedOptions {
  readonly config: InteropConfig;
  readonly persona: string;
  /** Names in the event: one domain, several separated by commas, or `all`; those of the rules where left out. */
  readonly domain?: string | undefined;
  /** Appends `projection_complete` to the signal log. */
  readonly emitSignal: boolean;
  /** Names this system in events. */
  readonly source: { readonly name: string; readonly version: string };
  readonly now: Date;
}

/** A rule set that a consumer refused, with the reason beside the file. */
export interface FailedSeed {
  readonly path: string;
  readonly error: string;
}

/** Returns `<persona>_<YYYY-MM-DD>T<HH-MM-SS>.yaml` in UTC; the persona is made safe for a file name. */
export function generateSeedFilename(persona: string, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(':', '-');
  return `${safePersona(persona)}_${time}.yaml`;
}

/**
 * Writes a rule set into the pending directory, whole or not at all, and announces it where `emitSignal` is on; returns
 * the path. Throws `invalid_input` that lists what is wrong with the rule set.
 */
export async function writeSeedToPending(seed: unknown, options: WriteSeedOptions): Promise<string> {
  const errors = validateSeed(seed);
  if (errors.length > 0) {
    throw new SvcError('invalid_input', `The rule set is not valid: ${errors.slice(0, 3).join('; ')}.`, { errors });
  }
  const { config, persona, domain, emitSignal, source, now } = options;
  const name = generateSeedFilename(persona, now);
  const text = seedText(seed);
  const path = firstFree(resolve(config.seeds.pending, name), (candidate) => createFile(candidate, text));
  if (emitSignal) {
    await appendSignal(
      {
        event: 'projection_complete',
        persona,
        domain: domain ?? domainsOf(seed),
        path,
        rule_count: (seed as { rules: unknown[] }).rules.length,
        ts: now.toISOString(),
        source: source.name,
        source_version: source.version,
      },
      config.signals.projections,
    );
  }
  return path;
}

/** Returns the domains that the rules of a valid rule set name, separated by commas; `all` where it has no rule. */
function domainsOf(seed: unknown): string {
  const { rules } = seed as { readonly rules: ReadonlyArray<{ readonly provenance: { readonly domain: string } }> };
  const names = [...new Set(rules.map(({ provenance }) => provenance.domain))].sort();
  return names.length === 0 ? 'all' : names.join(',');
}

/** Returns a rule set as YAML: strings are quoted where YAML, in its older version too, would read something else. */
export function seedText(seed: unknown): string {
  return stringify(seed, { schema: 'core', compat: 'yaml-1.1', lineWidth: 120, aliasDuplicateObjects: false });
}

/**
 * Reads YAML by the core schema: plain values only, no custom tags, no aliases. Throws `too_large`, or `invalid_input`
 * with the place that is wrong.
 */
export function readSeedFile(path: string): unknown {
  return parseSeed(readInteropFile(path, 'rule set'));
}

/** Returns the text of a file. Throws `invalid_input` for what is no file that can be read, `too_large` for a larger one. */
export function readInteropFile(path: string, content: 'rule set' | 'log'): string {
  try {
    if (statSync(path).size <= MOST_SEED_BYTES) return textOf(readFileSync(path), path, content);
  } catch (cause) {
    if (cause instanceof SvcError) throw cause;
    throw new SvcError('invalid_input', `${path} cannot be read; name a file with a ${content}.`, undefined, { cause });
  }
  const most = MOST_SEED_BYTES / 1024 / 1024;
  throw new SvcError('too_large', `${path} is larger than ${most} MiB; split the ${content}.`);
}

/** Returns the text of a file without its byte order mark. Throws `invalid_input` for bytes that are not text in UTF-8. */
function textOf(bytes: Buffer, path: string, content: string): string {
  if (/^(fffe|feff)/.test(bytes.toString('hex', 0, 2))) {
    throw new SvcError('invalid_input', `${path} is in UTF-16; save it in UTF-8.`);
  }
  if (bytes.includes(0)) throw new SvcError('invalid_input', `${path} is binary; name a text file with a ${content}.`);
  if (!isUtf8(bytes)) throw new SvcError('invalid_input', `${path} is not UTF-8; save it in UTF-8.`);
  return decodeUtf8(bytes);
}

/** Reads the text of a rule set as `readSeedFile` does. */
export function parseSeed(text: string): unknown {
  try {
    return parse(text, { schema: 'core', maxAliasCount: 0, strict: true, customTags: [], logLevel: 'error' });
  } catch (cause) {
    throw new SvcError(
      'invalid_input',
      `The rule set is not YAML that can be read: ${problem(cause as Error)}`,
      undefined,
      {
        cause,
      },
    );
  }
}

/** Returns what the reader of YAML says, in words for those who write a rule set. */
function problem({ message, code }: Error & { readonly code?: string }): string {
  if (code === 'MULTIPLE_DOCS') return 'it holds several documents (---); write each into a file of its own.';
  if (message.startsWith('Alias resolution')) return 'it holds an alias (*name); write the value itself.';
  return (message.split('\n')[0] ?? '').replace(/:$/, '.');
}

/** Returns the paths of rule sets that wait for a consumer, the oldest first by the time in their names. */
export function listPendingSeeds(config: InteropConfig): string[] {
  return seedFiles(config.seeds.pending);
}

/** Returns the paths of rule sets that a consumer took in. */
export function listProcessedSeeds(config: InteropConfig): string[] {
  return seedFiles(config.seeds.processed);
}

/** Returns the rule sets that a consumer refused, each with its reason. */
export function listFailedSeeds(config: InteropConfig): FailedSeed[] {
  return seedFiles(config.seeds.failed).map((path) => ({
    path,
    error: existsSync(errorFile(path)) ? readFileSync(errorFile(path), 'utf8').trim() : 'no reason was recorded',
  }));
}

/** Returns where the reason of a refused rule set lies. */
export function errorFile(path: string): string {
  return `${path}.error`;
}

function seedFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[^.].*\.ya?ml$/.test(entry.name))
    .map(({ name }) => ({ name, ...placeOf(name) }))
    .sort((a, b) => compare(a.time, b.time) || compare(a.persona, b.persona) || a.number - b.number)
    .map(({ name }) => join(resolve(folder), name));
}

/** Returns what a name says of when its file was written; a name without a time comes last. */
function placeOf(name: string): { readonly persona: string; readonly time: string; readonly number: number } {
  const [, persona, time, number] = /^(.*)_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)(?:-(\d+))?\.ya?ml$/.exec(name) ?? [];
  return { persona: persona ?? name, time: time ?? 'none', number: Number(number ?? 1) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns a persona as a file name: letters and digits of any script, `-` and `_`; never empty, never a name with a
 * meaning of its own.
 */
function safePersona(persona: string): string {
  const safe = [...normalise(persona, 'NFC')]
    .map((c) => (/[\p{L}\p{N}_-]/u.test(c) ? c : '-'))
    .slice(0, LONGEST_PERSONA)
    .join('')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '');
  return safe === '' ? 'persona' : safe;
}
