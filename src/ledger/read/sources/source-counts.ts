import { sql } from 'kysely';
import { forRows, forValues, GIVEN } from '../../../backends/store/rows.js';
import type { Db } from '../../../backends/store/schema.js';
import { forEachInSlices } from '../../../core/async/slices.js';
import { countKeys } from '../../mention-blob.js';
import { type Counts, noCounts } from '../counts.js';
import { passagePages } from '../passage-pages.js';
import { edgePagesOf, splitByEdges } from './source-edges.js';

/** Returns what now exists because of each of these sources. */
export async function sourceCounts(db: Db, refs: readonly number[]): Promise<Map<number, Counts>> {
  const counts = new Map(refs.map((ref) => [ref, noCounts()]));
  const tally = await forValues(db, refs)<{ source: number; part: 'concepts' | 'rules' | 'passages'; n: number }>`
      select source, 'concepts' as part, count(*) as n from concept where source in (select v from ${GIVEN}) group by source
      union all select source, 'rules', count(*) from rule where source in (select v from ${GIVEN}) group by source
      union all select source, 'passages', count(*) from passage where source in (select v from ${GIVEN}) group by source`;
  for (const { source, part, n } of tally) counts.get(source)![part] = n;
  await countEdges(db, refs, counts);
  const mentioned = new Map<number, Set<number>>();
  const sessions = await countSessions(db, refs, counts);
  const documents = refs.filter((ref) => !sessions.has(ref));
  const passages = new Map(documents.map((ref) => [ref, counts.get(ref)!.passages]));
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

interface JoinedNodes {
  readonly src: number;
  readonly dst: number;
  readonly relation: string;
}

const JOINED = sql<JoinedNodes>`e.src, e.dst, e.relation`;
const IS_RESOLVED = sql`e.src <> 0 and e.dst <> 0`;

/** Counts the edges that each source asserts, once each, those with both endpoints. */
async function countEdges(db: Db, refs: readonly number[], counts: ReadonlyMap<number, Counts>): Promise<void> {
  const { few, many } = await splitByEdges(db, refs);
  for (const part of few) {
    const rows = await forValues(db, part)<{ source: number; n: number }>`select source, count(*) as n from (
        select distinct e.source, ${JOINED} from ${GIVEN} join edge e on e.source = given.v where ${IS_RESOLVED}) as seen
        group by source`;
    for (const { source, n } of rows) counts.get(source)!.edges = n;
  }
  for (const source of many) {
    const seen = new Set<string>();
    for await (const page of edgePagesOf(db, source, { columns: JOINED, where: IS_RESOLVED })) {
      for (const { src, dst, relation } of page) seen.add(`${src} ${dst} ${relation}`);
    }
    counts.get(source)!.edges = seen.size;
  }
}

interface Mentions {
  readonly source: number;
  readonly ord: number;
  readonly ref: number;
  readonly mentions: Uint8Array;
}

/** Counts what messages mention, without reading them. Returns which of the sources are sessions. */
async function countSessions(
  db: Db,
  refs: readonly number[],
  counts: ReadonlyMap<number, Counts>,
): Promise<Set<number>> {
  const sessions = await forValues(db, refs)<{ ref: number; keys: number }>`select s.ref,
      (select count(*) from session_key k where k.source = s.ref) as keys
      from ${GIVEN} join source s on s.ref = given.v where s.kind = 'session'`;
  for (const { ref, keys } of sessions) counts.get(ref)!.concepts += keys;
  return new Set(sessions.map((row) => row.ref));
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
