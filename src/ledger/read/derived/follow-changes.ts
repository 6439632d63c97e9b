import { forRows, GIVEN } from '../../../backends/store/rows.js';
import type { Db } from '../../../backends/store/schema.js';
import { slicer } from '../../../core/async/slices.js';
import { sortInSlices } from '../../../core/async/sort-in-slices.js';
import type { LedgerChange } from '../../change.js';
import { changesAfter } from '../../changes.js';
import { compare } from '../../manifest/asserted.js';
import { edgeRefsAt } from '../edges/edges-at.js';
import { type DerivedRuleEntry, entriesOf, type NamedEntry, type Templates } from './yielding-edges.js';

/** Changes that are followed at once, at most; beyond them reading all edges is as fast. */
const MOST = 1000;

/** Entries between two looks at the clock. */
const STEP = 4096;

/** Returns the changes after version `from` up to `to` or later; null where they are too many or no longer all kept. */
export async function changesBetween(db: Db, from: number, to: number): Promise<LedgerChange[] | null> {
  const changes: LedgerChange[] = [];
  for (let at = from; at < to; at = changes.at(-1)!.version) {
    const next = changes.length > MOST ? null : await changesAfter(db, at);
    if (next === null || next.length === 0 || next.some((change) => change.everything)) return null;
    changes.push(...next);
  }
  return changes;
}

/**
 * Returns the entries after these changes; null where so much changed that reading all edges is cheaper, or edges went
 * while this read them.
 */
export async function followChanges(
  db: Db,
  changes: readonly LedgerChange[],
  { entries, templates }: { readonly entries: readonly DerivedRuleEntry[]; readonly templates: Templates },
): Promise<readonly DerivedRuleEntry[] | null> {
  const rounds = Math.log2(entries.length + 2);
  const isCheaper = (read: number): boolean => read * rounds < entries.length;
  const named = changes.reduce((sum, { edges, edgeRecords, records }) => {
    return sum + edges.size + edgeRecords.length + records.size;
  }, 0);
  if (!isCheaper(named)) return null;
  const touched = await touchedEdges(db, changes);
  if (!isCheaper(touched.size)) return null;
  const removed = new Set(changes.flatMap((change) => [...change.removedDomains.keys()]));
  const pause = slicer('urgent');
  const kept: DerivedRuleEntry[] = [];
  for (const [i, entry] of entries.entries()) {
    if (i % STEP === 0) await pause();
    if (!touched.has(entry.edge) && !removed.has(entry.domain)) kept.push(entry);
  }
  const added = await sortInSlices(await entriesOf(db, touched, templates), (a, b) => compare(a.id, b.id));
  const places = await placesOf(added, kept, async (edges) => {
    const found = await entriesOf(db, edges, templates);
    return new Map(found.map(({ id, entry }) => [entry.edge, id]));
  });
  return places === null ? null : merged(kept, added, places);
}

/** Returns the edges whose rule may be another: those that came, went or changed, and those at nodes that may have another name. */
async function touchedEdges(db: Db, changes: readonly LedgerChange[]): Promise<Set<number>> {
  const touched = new Set<number>();
  const records = new Set<number>();
  for (const change of changes) {
    for (const ref of change.edges.keys()) touched.add(ref);
    for (const ref of change.records) records.add(ref);
  }
  for (const ref of await edgeRefsAt(db, records)) touched.add(ref);
  const names = changes.flatMap((change) => change.edgeRecords);
  const rows = await forRows(
    db,
    { src: 'int', dst: 'int', rel: 'text' },
    names.map(({ src, dst, relation }) => [src, dst, relation]),
  )<{ ref: number }>`select e.ref from ${GIVEN} join edge e on e.src = given.src and e.dst = given.dst
      and e.relation = given.rel and e.shown = 1`;
  for (const { ref } of rows) touched.add(ref);
  return touched;
}

/**
 * Returns before which of the kept entries each added one belongs, by bisection of all at once: the ids of rules are not
 * kept, `idsOf` reads those on the way. Null where an edge on the way is gone.
 */
async function placesOf(
  added: readonly NamedEntry[],
  kept: readonly DerivedRuleEntry[],
  idsOf: (edges: Iterable<number>) => Promise<ReadonlyMap<number, string>>,
): Promise<number[] | null> {
  const pause = slicer('urgent');
  const known = new Map<number, string>();
  const places = added.map(() => ({ low: 0, high: kept.length }));
  for (;;) {
    const open = places.filter(({ low, high }) => low < high);
    if (open.length === 0) return places.map(({ low }) => low);
    const unread = new Set(
      open.map(({ low, high }) => kept[(low + high) >>> 1]!.edge).filter((ref) => !known.has(ref)),
    );
    for (const [ref, id] of await idsOf(unread)) known.set(ref, id);
    for (const [i, place] of places.entries()) {
      await pause();
      if (place.low >= place.high) continue;
      const middle = (place.low + place.high) >>> 1;
      const id = known.get(kept[middle]!.edge);
      if (id === undefined) return null;
      if (compare(id, added[i]!.id) < 0) place.low = middle + 1;
      else place.high = middle;
    }
  }
}

async function merged(
  kept: readonly DerivedRuleEntry[],
  added: readonly NamedEntry[],
  places: readonly number[],
): Promise<DerivedRuleEntry[]> {
  const pause = slicer('urgent');
  const all: DerivedRuleEntry[] = [];
  let next = 0;
  for (let i = 0; i <= kept.length; i += 1) {
    if (i % STEP === 0) await pause();
    for (; places[next] === i; next += 1) all.push(added[next]!.entry);
    if (i < kept.length) all.push(kept[i]!);
  }
  return all;
}
