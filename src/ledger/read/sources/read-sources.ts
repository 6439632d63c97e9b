import { sql } from 'kysely';
import { forValues, GIVEN } from '../../../backends/store/rows.js';
import type { Db } from '../../../backends/store/schema.js';
import { sortInSlices } from '../../../core/async/sort-in-slices.js';
import { PAGE, pagesAfter } from '../../groups.js';
import { compare } from '../../manifest/asserted.js';
import { ENTITY, PASSAGE } from '../../tables.js';
import type { NodeSource } from '../../types.js';
import { findSource } from '../../write/source-rows.js';
import { type FileSource, labelsOfFiles } from './file-labels.js';
import { type EdgeNumbers, edgeNumbers, edgePagesOf, sourceEdgePages } from './source-edges.js';

const MAX_WARNINGS = 20;

/** Returns one sentence for each missing endpoint of pending edges, at most twenty. */
export function pendingWarnings(missing: ReadonlyMap<string, number>): string[] {
  const sentences = [...missing].slice(0, MAX_WARNINGS).map(([endpoint, count]) => {
    const edges = count === 1 ? '1 edge is' : `${count} edges are`;
    return `${edges} waiting for "${endpoint}", which does not exist in the domain yet.`;
  });
  const more = missing.size - sentences.length;
  return more > 0 ? [...sentences, `Edges are waiting for ${more} more names that do not exist yet.`] : sentences;
}

interface PendingRow {
  readonly source: number;
  readonly src_end: string;
  readonly dst_end: string;
  readonly src: number;
  readonly dst: number;
}

const PENDING = sql<PendingRow>`e.source, e.src_end, e.dst_end, e.src, e.dst`;
const IS_PENDING = sql`(e.src = 0 or e.dst = 0)`;

/** Returns by source sentences about its pending edges; sources without such an edge are left out. `numbers`: of their edges. */
export async function pendingWarningsOf(
  db: Db,
  sources: readonly number[],
  numbers?: EdgeNumbers,
): Promise<Map<number, string[]>> {
  const missing = new Map<number, Map<string, number>>();
  const pages = sourceEdgePages(
    numbers ?? (await edgeNumbers(db, sources)),
    (some) =>
      forValues(db, some)<PendingRow>`select ${PENDING} from ${GIVEN} join edge e on e.source = given.v
        where ${IS_PENDING} order by e.ref`,
    (source) => edgePagesOf(db, source, { columns: PENDING, where: IS_PENDING }),
  );
  for await (const page of pages) {
    for (const { source, src_end, dst_end, src, dst } of page) {
      const counts = missing.get(source) ?? new Map<string, number>();
      missing.set(source, counts);
      const endpoints = new Set([...(src === 0 ? [src_end] : []), ...(dst === 0 ? [dst_end] : [])]);
      for (const endpoint of endpoints) counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
    }
  }
  return new Map([...missing].map(([source, counts]) => [source, pendingWarnings(counts)]));
}

/**
 * Returns the source of each passage, and of each concept the one whose assertion is visible. Labels tell files of one name
 * apart.
 */
export async function sourcesOfNodes(db: Db, ids: readonly string[]): Promise<Map<string, NodeSource>> {
  const rows = await forValues(db, ids)<FileSource & { id: string }>`
    select n.id, s.id as source_id, d.name as domain, s.kind, s.key, s.label from ${GIVEN} join node n on n.id = given.v
    left join passage p on n.kind = ${PASSAGE} and p.node = n.ref
    join source s on s.ref = coalesce(p.source, n.shown) join domain d on d.ref = s.domain where n.kind <> ${ENTITY}`;
  const labels = await labelsOfFiles(db, rows);
  return new Map(rows.map(({ id, source_id, label }) => [id, { source_id, label: labels.get(source_id) ?? label }]));
}

/** Returns the ids of the concepts that a source asserts, in order. Reads a page at a time and gives way to the event loop. */
export async function conceptsOfSource(db: Db, sourceId: string): Promise<string[]> {
  const source = await findSource(db, sourceId);
  if (source === undefined) return [];
  const pages = pagesAfter(
    0,
    (after) =>
      sql<{ ref: number; id: string }>`select c.node as ref, n.id from concept c join node n on n.ref = c.node
        where c.source = ${source.ref} and c.node > ${after} order by c.node limit ${PAGE}`.execute(db),
    { placeOf: ({ ref }) => ref, lane: 'patient' },
  );
  const ids: string[] = [];
  for await (const rows of pages) for (const { id } of rows) ids.push(id);
  return sortInSlices(ids, compare);
}

/** Returns the warnings about pending edges of one source; none for an unknown one. */
export async function pendingWarningsOfSource(db: Db, sourceId: string): Promise<string[]> {
  const source = await findSource(db, sourceId);
  if (source === undefined) return [];
  return (await pendingWarningsOf(db, [source.ref])).get(source.ref) ?? [];
}
