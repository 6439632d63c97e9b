import { sql } from 'kysely';
import { forRows, forValues, GIVEN } from '../../../backends/store/rows.js';
import type { Db } from '../../../backends/store/schema.js';
import { forEachInSlices } from '../../../core/async/slices.js';
import { type EdgeName, edgeName } from '../../change.js';
import { countKeys } from '../../mention-blob.js';
import { type Counts, noCounts } from '../counts.js';
import { passagePages } from '../passage-pages.js';
import { type EdgeNumbers, edgePagesOf, sourceEdgePages } from './source-edges.js';

/** Returns what now exists because of each of these sources. */
export async function sourceCounts(db: Db, refs: readonly number[]): Promise<Map<number, Counts>> {
  return countsOf(db, await talliesOf(db, refs));
}

/** Rows of a source, as they are numbered without reading any. */
export interface Tally {
  concepts: number;
  rules: number;
  passages: number;
  /** All that it asserts, an edge as often as it does. */
  edges: number;
  /** Keys that messages mention; null for a source that is no session. */
  mentioned: number | null;
}

/** Returns the tallies of sources by their numbers. */
export async function talliesOf(db: Db, refs: readonly number[]): Promise<Map<number, Tally>> {
  const tallies = new Map(refs.map((ref) => [ref, { ...noCounts(), mentioned: null } as Tally]));
  const rows = await forValues(db, refs)<{ source: number; part: keyof Tally; n: number }>`
      select source, 'concepts' as part, count(*) as n from concept where source in (select v from ${GIVEN}) group by source
      union all select source, 'rules', count(*) from rule where source in (select v from ${GIVEN}) group by source
      union all select source, 'passages', count(*) from passage where source in (select v from ${GIVEN}) group by source
      union all select source, 'edges', count(*) from edge where source in (select v from ${GIVEN}) group by source
      union all select s.ref, 'mentioned', (select count(*) from session_key k where k.source = s.ref)
        from source s where s.ref in (select v from ${GIVEN}) and s.kind = 'session'`;
  for (const { source, part, n } of rows) tallies.get(source)![part] = Number(n);
  return tallies;
}

/** Returns what now exists because of sources: edges once each, and names that their passages mention among the concepts. */
export async function countsOf(db: Db, tallies: ReadonlyMap<number, Tally>): Promise<Map<number, Counts>> {
  const counts = new Map<number, Counts>();
  const passages = new Map<number, number>();
  for (const [ref, { mentioned, ...rows }] of tallies) {
    // What messages mention is counted already, and not read.
    counts.set(ref, { ...rows, edges: 0, concepts: rows.concepts + (mentioned ?? 0) });
    if (mentioned === null) passages.set(ref, rows.passages);
  }
  await countEdges(db, edgesOf(tallies), counts);
  const mentioned = new Map<number, Set<number>>();
  const columns = sql<Mentions>`p.source, p.ord, p.node as ref, p.mentions`;
  for await (const page of passagePages(db, passages, { columns })) {
    await forEachInSlices(page, ({ source, mentions }) => {
      const keys = mentioned.get(source) ?? new Set();
      mentioned.set(source, keys);
      for (const key of countKeys(mentions).keys()) keys.add(key);
    });
  }
  await addEntities(db, mentioned, counts);
  return counts;
}

const JOINED = sql<EdgeName>`e.src, e.dst, e.relation`;
const IS_RESOLVED = sql`e.src <> 0 and e.dst <> 0`;

export function edgesOf(tallies: ReadonlyMap<number, Tally>): EdgeNumbers {
  return new Map([...tallies].map(([ref, { edges }]) => [ref, edges]));
}

/** Counts the edges that each source asserts, once each, those with both endpoints. */
async function countEdges(db: Db, numbers: EdgeNumbers, counts: ReadonlyMap<number, Counts>): Promise<void> {
  const pages = sourceEdgePages(
    numbers,
    (some) =>
      forValues(db, some)<{ source: number; n: number }>`select source, count(*) as n from (
        select distinct e.source, ${JOINED} from ${GIVEN} join edge e on e.source = given.v where ${IS_RESOLVED}) as seen
        group by source`,
    async function* (source) {
      const seen = new Set<string>();
      for await (const page of edgePagesOf(db, source, { columns: JOINED, where: IS_RESOLVED })) {
        for (const edge of page) seen.add(edgeName(edge));
      }
      yield [{ source, n: seen.size }];
    },
  );
  for await (const page of pages) for (const { source, n } of page) counts.get(source)!.edges = n;
}

interface Mentions {
  readonly source: number;
  readonly ord: number;
  readonly ref: number;
  readonly mentions: Uint8Array;
}

/** Counts the nodes that a source's mentions stand for as its concepts too, once each. */
async function addEntities(
  db: Db,
  mentioned: ReadonlyMap<number, ReadonlySet<number>>,
  counts: ReadonlyMap<number, Counts>,
): Promise<void> {
  const keys = new Set<number>();
  for (const refs of mentioned.values()) await forEachInSlices(refs, (ref) => keys.add(ref));
  const entities = await forValues(db, keys)<{
    ref: number;
    node: number;
  }>`select k.ref, k.node from ${GIVEN} join key k on k.ref = given.v`;
  const nodes = new Map<number, number>();
  await forEachInSlices(entities, ({ ref, node }) => nodes.set(ref, node));
  const pairs: Array<[number, number]> = [];
  for (const [source, refs] of mentioned) {
    const distinct = new Set<number>();
    await forEachInSlices(refs, (ref) => distinct.add(nodes.get(ref) ?? 0));
    counts.get(source)!.concepts += distinct.size;
    await forEachInSlices(distinct, (node) => pairs.push([node, source]));
  }
  const both = await forRows(db, { node: 'int', source: 'int' }, pairs)<{
    source: number;
  }>`select c.source from ${GIVEN}
      join concept c on c.node = given.node and c.source = given.source`;
  for (const { source } of both) counts.get(source)!.concepts -= 1;
}
