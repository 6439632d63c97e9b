import { withoutHalf } from '../core/wording/whole-characters.js';
/** Bytes that the text and the structured copy of an answer may take together: larger results are cut, with a note and how to see the rest. */
export const OUTPUT_LIMIT = 1_000_000;

/** How to see the rest, by the list that was cut. */
const PAGING: Readonly<Record<string, string>> = {
  items: 'Ask again with a smaller top_k, fewer domains, or a higher min_confidence.',
  rules: 'Ask again with offset raised by the number of rules shown.',
  results: 'Ask again with a smaller top_k or include_vector false.',
  messages: 'Ask again with offset raised by the number of messages shown.',
  documents: 'Ask again with "after" set to the last source_id shown.',
  neighbors: 'Ask again with a smaller depth, then explore the neighbours one by one.',
  edges: 'Ask again with a smaller depth, then explore the neighbours one by one.',
  tables: 'Ask again for fewer schemas.',
  posteriors: 'Ask again with arm_ids.',
  arms: 'Ask learning_posteriors with arm_ids.',
  ids: 'Everything was written; send fewer vectors at a time to see all ids.',
  excluded_arms: 'Send fewer candidates at a time.',
  scores: 'Send fewer candidates at a time.',
};
const LONG_TEXT = 20_000;
/** Room for the notes and the protocol's envelope. */
const ROOM = 5000;
const DEPTH = 3;
/** A record with more members than a schema names: keyed by ids, so it may be cut like a list. */
const OPEN_RECORD = 50;

/**
 * Returns the value itself, or one cut to the limit: long texts first, then the largest lists; `truncated` says what is
 * missing.
 */
export function capped(value: Record<string, unknown>, limit = OUTPUT_LIMIT): Record<string, unknown> {
  if (bytes(value) + ROOM <= limit) return value;
  const notes: string[] = [];
  const cut = shortened(value, notes) as Record<string, unknown>;
  for (let excess = bytes(cut) + ROOM - limit; excess > 0; excess = bytes(cut) + ROOM - limit) {
    const [largest] = collections(cut, DEPTH).sort((a, b) => b.size - a.size);
    if (largest === undefined) break;
    const { owner, name, size } = largest;
    const whole = owner[name] as readonly unknown[] | Record<string, unknown>;
    owner[name] = Array.isArray(whole)
      ? fitting(whole, size - excess)
      : Object.fromEntries(fitting(Object.entries(whole as object), size - excess));
    const [left, all] = [Object.keys(owner[name] as object).length, Object.keys(whole).length];
    notes.push(`${name}: ${left} of ${all} shown. ${PAGING[name] ?? 'Ask for less at a time.'}`);
  }
  return { ...cut, truncated: notes.join(' ').slice(0, 1400) };
}

interface Collection {
  readonly owner: Record<string, unknown>;
  readonly name: string;
  readonly size: number;
}

/** Lists and open records of the value that still hold something, with what they take. */
function collections(owner: Record<string, unknown>, depth: number): Collection[] {
  return Object.entries(owner).flatMap(([name, value]): Collection[] => {
    if (typeof value !== 'object' || value === null) return [];
    const count = Object.keys(value).length;
    if (Array.isArray(value) || count > OPEN_RECORD) return count === 0 ? [] : [{ owner, name, size: bytes(value) }];
    return depth > 1 ? collections(value as Record<string, unknown>, depth - 1) : [];
  });
}

/** Returns a copy whose texts are at most 20,000 characters long. */
function shortened(value: unknown, notes: string[]): unknown {
  if (typeof value === 'string') {
    if (value.length <= LONG_TEXT) return value;
    if (!notes.includes(SHORTENED)) notes.push(SHORTENED);
    return `${withoutHalf(value.slice(0, LONG_TEXT))}…`;
  }
  if (Array.isArray(value)) return value.map((one) => shortened(one, notes));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one, notes)]));
}

const SHORTENED = `Texts end after ${LONG_TEXT} characters.`;

/** Returns the bytes that a value takes in a message: once as JSON, once as that JSON in a string. */
function bytes(value: unknown): number {
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text));
}

function fitting<T>(list: readonly T[], room: number): T[] {
  const kept: T[] = [];
  let used = 2;
  for (const entry of list) {
    used += bytes(entry) + 1;
    if (used > room) break;
    kept.push(entry);
  }
  return kept;
}
