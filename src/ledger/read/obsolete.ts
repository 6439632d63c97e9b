import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../backends/store/schema.js';
import type { RetractedAssertions } from '../../core/model.js';
import { pagesAfter } from '../groups.js';
import { type Asserted, edgeKey } from '../manifest/asserted.js';

/** A bounded part of what a source asserts and is to assert no longer. */
export interface ObsoletePart {
  readonly retracted: RetractedAssertions;
  /** Ids of passages. */
  readonly without: readonly string[];
}

/** An assertion of a source: its row number (of concepts and passages the node's), and its identity in the source. */
interface AssertionKey {
  readonly ref: number;
  readonly key: string;
}

type Page = (after: number) => RawBuilder<AssertionKey>;

const PAGE = 200;

/**
 * Yields, in parts of at most 200, what the source asserts beyond `wanted` (null: all of it). Reads from `db` as it is at
 * each part, so that a part may be retracted before the next one is asked for.
 */
export async function* obsoleteParts(db: Db, source: string, wanted: Asserted | null): AsyncGenerator<ObsoletePart> {
  const retracted: RetractedAssertions = { concepts: [], edges: [], rules: [] };
  const of = sql`(select ref from source where id = ${source})`;
  const edges: Page = (after) => sql`select ref, src_end, dst_end, relation, '' as key from edge
    where source = ${of} and ref > ${after} order by ref limit ${PAGE}`;
  for await (const rows of obsoletePages(db, edges, wanted?.edges)) {
    yield { retracted: { ...retracted, edges: rows.map((row) => row.ref) }, without: [] };
  }
  const rules: Page = (after) => sql`select ref, id as key from rule
    where source = ${of} and ref > ${after} order by ref limit ${PAGE}`;
  for await (const rows of obsoletePages(db, rules, wanted?.rules)) {
    yield { retracted: { ...retracted, rules: rows.map((row) => row.ref) }, without: [] };
  }
  const concepts: Page = (after) => sql`select c.node as ref, n.id as key from concept c join node n on n.ref = c.node
    where c.source = ${of} and c.node > ${after} order by c.node limit ${PAGE}`;
  for await (const rows of obsoletePages(db, concepts, wanted?.concepts)) {
    yield { retracted: { ...retracted, concepts: rows.map((row) => row.key) }, without: [] };
  }
  const passages: Page = (after) => sql`select p.node as ref, n.id as key from passage p join node n on n.ref = p.node
    where p.source = ${of} and p.node > ${after} order by p.node limit ${PAGE}`;
  for await (const rows of obsoletePages(db, passages, wanted?.passages)) {
    yield { retracted, without: rows.map((row) => row.key) };
  }
}

/** Yields the rows of each page whose key is not wanted; pages without any are passed over. */
async function* obsoletePages(db: Db, page: Page, wanted: ReadonlyMap<string, unknown> | undefined) {
  const pages = pagesAfter(0, (after) => page(after).execute(db), {
    placeOf: ({ ref }) => ref,
    lane: 'patient',
    size: PAGE,
  });
  for await (const rows of pages) {
    const obsolete = rows.filter((row) => wanted?.has(keyOf(row)) !== true);
    if (obsolete.length > 0) yield obsolete;
  }
}

function keyOf(row: AssertionKey & Partial<Record<'src_end' | 'dst_end' | 'relation', string>>): string {
  const { src_end: source, dst_end: target, relation } = row;
  return source === undefined ? row.key : edgeKey({ source, target: target!, relation: relation! });
}
