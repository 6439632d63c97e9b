import { forEachInSlices, slicer } from '../../core/async/slices.js';
import { sortInSlices } from '../../core/async/sort-in-slices.js';
import { pairOf } from '../../ledger/merge/merge-log.js';
import type { LoadPorts } from '../write/ports.js';
import { type CandidateBounds, candidatePairs } from './candidates.js';
import { type DomainEntity, domainEntities, type NamedEntity, withEvidence } from './domain-entities.js';
import { areRowsOfOneTable, type Match, type MatchBounds, matchEntities } from './match.js';

export interface MatchSettings extends MatchBounds, CandidateBounds {
  /** Pairs of at least this score are merged; 0..1. */
  readonly threshold: number;
}

/** Two concepts that are one: `from` gives way to `into`. */
export interface FoundMatch extends Match {
  readonly from: DomainEntity;
  readonly into: DomainEntity;
}

/** What was found in a domain. */
export interface FoundMatches {
  readonly concepts: number;
  readonly matches: readonly FoundMatch[];
  readonly ambiguous: readonly string[];
}

/**
 * Finds the concepts of a domain that are one thing. Each group of them keeps one, and is merged only where all of its
 * pairs agree; a name that fits several things that are not one is left alone.
 */
export async function findMatches(
  ports: LoadPorts,
  domain: string,
  {
    settings,
    refused,
    signal,
  }: {
    readonly settings: MatchSettings;
    /** Pairs (`pairOf`) that are not merged again. */
    readonly refused: ReadonlySet<string>;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<FoundMatches> {
  const entities = await domainEntities(ports.graph, domain, signal);
  const pairs = await candidatePairs(ports, { domain, entities, bounds: settings, signal });
  const pause = slicer();
  const wanted = new Set<NamedEntity>();
  await forEachInSlices(pairs, ([a, b]) => wanted.add(a).add(b));
  const known = await withEvidence(ports.graph, domain, { entities: wanted, signal });
  const scores = new Map<string, Match>();
  const accepted: AcceptedPair[] = [];
  for (const [one, other] of pairs) {
    const [a, b] = [known.get(one.id)!, known.get(other.id)!];
    const pair = pairOf(a.id, b.id);
    const match = refused.has(pair) ? null : matchEntities(a, b, settings);
    await pause();
    signal?.throwIfAborted();
    if (match === null || match.score < settings.threshold) continue;
    scores.set(pair, match);
    accepted.push({ a, b, pair, score: match.score });
  }
  const sorted = await sortInSlices(accepted, (x, y) => y.score - x.score || compare(x.pair, y.pair));
  return { concepts: entities.length, ...(await grouped(sorted, scores)) };
}

interface AcceptedPair {
  readonly a: DomainEntity;
  readonly b: DomainEntity;
  /** `pairOf` both. */
  readonly pair: string;
  readonly score: number;
}

/** Joins pairs to groups, the surest first, all pairs of a group agreeing. */
async function grouped(
  accepted: readonly AcceptedPair[],
  scores: ReadonlyMap<string, Match>,
): Promise<Pick<FoundMatches, 'matches' | 'ambiguous'>> {
  const pause = slicer();
  const groups = new Map<string, DomainEntity[]>();
  const ambiguous = new Set<string>();
  const fits = new Map<string, Set<DomainEntity>>();
  await forEachInSlices(accepted, ({ a, b }) => {
    fits.set(a.id, (fits.get(a.id) ?? new Set()).add(b));
    fits.set(b.id, (fits.get(b.id) ?? new Set()).add(a));
  });
  // An abbreviation of two things that are not one means neither, and so does the name of two rows of a table.
  const checked = new Set<string>();
  for (const { a, b } of accepted) {
    await pause();
    for (const one of [a, b]) {
      if (checked.has(one.id)) continue;
      checked.add(one.id);
      const others = [...fits.get(one.id)!];
      const differ = (x: DomainEntity, y: DomainEntity): boolean =>
        areRowsOfOneTable(x, y) || (one.forms.acronym !== '' && !scores.has(pairOf(x.id, y.id)));
      if (others.some((x, i) => others.slice(i + 1).some((y) => differ(x, y)))) ambiguous.add(one.id);
    }
  }
  const names = new Map<string, string>();
  for (const { a, b } of accepted) {
    await pause();
    for (const one of [a, b]) if (ambiguous.has(one.id)) names.set(one.id, one.name);
    if (ambiguous.has(a.id) || ambiguous.has(b.id)) continue;
    const [left, right] = [groups.get(a.id) ?? [a], groups.get(b.id) ?? [b]];
    if (left === right) continue;
    if (!left.every((x) => right.every((y) => scores.has(pairOf(x.id, y.id))))) continue;
    const joined = [...left, ...right];
    for (const one of joined) groups.set(one.id, joined);
  }
  const matches: FoundMatch[] = [];
  for (const group of new Set(groups.values())) {
    await pause();
    const [into, ...rest] = [...group].sort(byStanding) as [DomainEntity, ...DomainEntity[]];
    for (const from of rest) matches.push({ from, into, ...scores.get(pairOf(from.id, into.id))! });
  }
  return { matches, ambiguous: [...new Set(names.values())].sort() };
}

/** Orders what may stand for a group: described, much linked and fully named first. */
function byStanding(a: DomainEntity, b: DomainEntity): number {
  return (
    Number(b.description !== '') - Number(a.description !== '') ||
    Number(a.forms.acronym !== '') - Number(b.forms.acronym !== '') ||
    b.degree - a.degree ||
    b.name.length - a.name.length ||
    compare(a.id, b.id)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
