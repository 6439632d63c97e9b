import type { CarbonFactor } from '../carbon-types.js';
import { checkFactor, type FactorRow, type FactorTable } from './factor-table.js';
import { isEmbedding, makerOf, sizeHint, withoutDate, withoutHost } from './model-id.js';

export type FactorOverrides = Readonly<Record<string, Partial<Omit<CarbonFactor, 'provider' | 'model'>>>>;

/** How a factor was found: by a row's pattern, as the flagship of its maker, by a fallback class. */
export type MatchKind = 'pattern' | 'flagship' | 'fallback';

export interface FoundFactor {
  readonly factor: FactorRow;
  readonly match: MatchKind;
  /** Key of the override that lies over the row, and the members that it states. */
  readonly override?: string;
  readonly overridden?: readonly string[];
  /** Names the row (and the override) in stored traces. */
  readonly factorId: string;
}

/** Confidence of what a maker's flagship stands in for (the table's rule for extrapolation). */
const EXTRAPOLATED = 0.15;

export type FindFactor = (provider: string, model: string) => FoundFactor;

/** Throws `invalid_input` for an override out of range. */
export function checkOverrides(overrides: FactorOverrides): void {
  for (const [key, override] of Object.entries(overrides)) checkFactor(override, `factor_overrides.${key}`);
}

/** Builds the lookup over a table and overrides, whose keys match without case; it remembers what it found. */
export function factorLookup(table: FactorTable, overrides: FactorOverrides = {}): FindFactor {
  const keys = new Map(Object.keys(overrides).map((key) => [key.toLowerCase(), key]));
  const keyOf = (name: string): string | undefined =>
    Object.hasOwn(overrides, name) ? name : keys.get(name.toLowerCase());
  const found = new Map<string, FoundFactor>();
  return (provider, model) => {
    const name = `${provider}\0${model}`;
    let one = found.get(name);
    if (one === undefined) {
      const key = namesOf(provider, model)
        .map(keyOf)
        .find((known) => known !== undefined);
      one = withOverride(baseFactor(table, provider, model), key, overrides);
      if (found.size >= 10_000) found.clear();
      found.set(name, one);
    }
    return one;
  };
}

/** Returns the row of the table for a model: longest pattern, else the maker's flagship, else a fallback class. */
function baseFactor(table: FactorTable, provider: string, model: string): FoundFactor {
  const raw = withoutHost(model);
  const row = longestMatch(table.rows, [raw, withoutDate(raw)]);
  if (row !== undefined) return { factor: row, match: 'pattern', factorId: row.id };
  if (!isEmbedding(model)) {
    const maker = makerOf(model, provider);
    const flagship = table.rows.find((one) => one.flagship && one.provider === maker);
    if (flagship !== undefined) {
      const factor = { ...flagship, confidence: Math.min(EXTRAPOLATED, flagship.confidence) };
      return { factor: { ...factor, source: 'estimated' }, match: 'flagship', factorId: `${flagship.id} (flagship)` };
    }
  }
  const fallback = table.rows.find((one) => one.provider === '*' && one.model === sizeHint(model))!;
  return { factor: fallback, match: 'fallback', factorId: fallback.id };
}

function longestMatch(rows: readonly FactorRow[], ids: readonly string[]): FactorRow | undefined {
  let best: FactorRow | undefined;
  for (const id of ids) {
    for (const row of rows) {
      if (row.provider === '*' || !matches(row.model, id)) continue;
      if (best === undefined || literal(row.model) > literal(best.model)) best = row;
    }
  }
  return best;
}

function literal(pattern: string): number {
  return pattern.replace('*', '').length;
}

/**
 * Returns whether an id begins with a pattern, whose `*` stands for any characters; a number never matches the start of
 * a longer one.
 */
export function matches(pattern: string, id: string): boolean {
  const [head = '', tail] = pattern.split('*');
  if (!id.startsWith(head)) return false;
  const at = tail === undefined ? 0 : id.indexOf(tail, head.length);
  if (at < 0) return false;
  const end = tail === undefined ? head.length : at + tail.length;
  // A year begins a date: `claude-opus-4-2025` matches `claude-opus-4-20250514`.
  return /\d{4}$/.test(pattern) || !(/\d/.test(id[end - 1] ?? '') && /\d/.test(id[end] ?? ''));
}

/** Returns what an override of a model may be called. */
function namesOf(provider: string, model: string): string[] {
  const bare = withoutHost(model);
  return [model, bare, withoutDate(bare)].flatMap((id) => [`${provider}/${id}`, `${provider}:${id}`]);
}

function withOverride(found: FoundFactor, key: string | undefined, overrides: FactorOverrides): FoundFactor {
  if (key === undefined) return found;
  return {
    ...found,
    factor: { ...found.factor, ...overrides[key] },
    override: key,
    overridden: Object.keys(overrides[key] ?? {}),
    factorId: `override:${key}`,
  };
}
