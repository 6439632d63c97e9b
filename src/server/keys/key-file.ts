import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse, stringify } from 'yaml';
import { AREAS, type Area, type Scope } from '../../core/async/caller-scope.js';
import { SvcError } from '../../core/errors.js';

/** One entry of the keys file. The key itself is nowhere: only its SHA-256 digest. */
export interface KeyEntry extends Scope {
  /** 64 hex digits. */
  readonly sha256: string;
  /** Milliseconds since the epoch; null for a key that does not expire. */
  readonly expires: number | null;
}

/** Identifies a state of a file; `absent` for none. One whose directory cannot be read has a state too. */
export function stampOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? 'absent' : `${found.ino} ${found.size} ${found.mtimeNs}`;
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}

/** Reads the entries of a keys file, none where there is no file. Throws `invalid_input` that names the wrong member. */
export function readKeys(file: string): KeyEntry[] {
  return stampOf(file) === 'absent' ? [] : entriesIn(readFileSync(file, 'utf8'), file);
}

function entriesIn(text: string, file: string): KeyEntry[] {
  let parsed: unknown;
  try {
    parsed = parse(text, { schema: 'core', maxAliasCount: 0 });
  } catch (cause) {
    // The parser shows the line; a line of this file belongs into no message.
    throw new SvcError('invalid_input', `${file} cannot be read as YAML.`, undefined, { cause });
  }
  const keys = (parsed as { keys?: unknown } | null)?.keys ?? [];
  if (!Array.isArray(keys)) throw wrong(file, 'keys', 'a list of entries');
  const entries = keys.map((entry, i) => entryOf(entry, (member, what) => wrong(file, `keys[${i}].${member}`, what)));
  const twice = entries.find(({ name }, i) => entries.findIndex((other) => other.name === name) !== i);
  if (twice !== undefined) throw wrong(file, `name ${twice.name}`, 'used once');
  return entries;
}

/** Writes the entries whole, readable by the owner only. Throws `invalid_input`, and writes nothing, for a wrong one. */
export function writeKeys(file: string, entries: readonly KeyEntry[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const keys = entries.map(({ expires, domains, ...entry }) => ({
    ...entry,
    ...(domains === null ? {} : { domains }),
    ...(expires === null ? {} : { expires: new Date(expires).toISOString() }),
  }));
  const text = stringify({ keys }, { schema: 'core', compat: 'yaml-1.1', aliasDuplicateObjects: false });
  entriesIn(text, file);
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const PATTERN = /^[A-Za-z0-9*][A-Za-z0-9 ._/*-]{0,127}$/;

function entryOf(given: unknown, bad: (member: string, what: string) => SvcError): KeyEntry {
  const entry = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  const { name, sha256, domains, access = 'read', areas = [], expires } = entry;
  if (typeof name !== 'string' || !NAME.test(name)) throw bad('name', 'letters, digits, ".", "_" and "-", at most 64');
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) throw bad('sha256', '64 lower-case hex digits');
  // Blank is null: it would mean all domains, or no expiry, to whoever left a list for later.
  if (domains !== undefined && !isListOf(domains, (one) => PATTERN.test(one))) {
    throw bad(
      'domains',
      'a list of domain names, in which * stands for any characters; [] for none; left out for all of them',
    );
  }
  if (access !== 'read' && access !== 'write') throw bad('access', 'read or write');
  if (!isListOf(areas, (one) => AREAS.includes(one as Area))) throw bad('areas', `a list of ${AREAS.join(', ')}`);
  const time = expires === undefined ? null : Date.parse(String(expires));
  if (Number.isNaN(time)) throw bad('expires', 'a time in ISO 8601, such as 2027-01-31T00:00:00Z; left out for none');
  const known = new Set(['name', 'sha256', 'domains', 'access', 'areas', 'expires']);
  // A misspelt member would widen what the key may do.
  for (const member of Object.keys(entry)) if (!known.has(member)) throw bad(member, 'left out: it is not known');
  return {
    name,
    sha256,
    domains: (domains as string[] | undefined) ?? null,
    access,
    areas: areas as Area[],
    expires: time,
  };
}

function isListOf(value: unknown, fits: (one: string) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && fits(one));
}

function wrong(file: string, member: string, what: string): SvcError {
  return new SvcError('invalid_input', `${file}: ${member} must be ${what}.`, { member });
}
