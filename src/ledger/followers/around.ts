import { sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { PAGE, pagesAfter } from '../groups.js';
import { edgePagesFrom, edgePagesTo } from '../read/edges/edges-at.js';
import { entryOf, type PresentEntry } from './change-entries.js';
import { edgeRecordsOf, mentionRecords, ruleRecordsOf } from './record-reader.js';

/** Yields entries of what an engine that had not a record could not take: everything at a node, the mentions of a key. */
export async function* entriesAround(
  db: Db,
  { kind, name, id }: PresentEntry,
): AsyncGenerator<readonly PresentEntry[]> {
  const ref = Number(name);
  if (kind === 'key') return yield* mentionsOf(db, ref);
  yield await keysAt(db, ref);
  yield (await mentionRecords(db, [ref])).map((record) => entryOf('mention', record));
  for (const pages of [edgePagesFrom(db, [id]), edgePagesTo(db, [id])]) {
    for await (const page of pages) {
      const edges = await edgeRecordsOf(
        db,
        page.map((edge) => edge.ref),
      );
      yield edges.map((record) => entryOf('edge', record));
    }
  }
  for await (const rules of pagesOf(db, { table: 'rule_concept', of: 'node', ref, column: 'rule' })) {
    yield (await ruleRecordsOf(db, rules)).map((record) => entryOf('rule', record));
  }
}

/** Yields all that the passages mention which mention a key. */
async function* mentionsOf(db: Db, ref: number): AsyncGenerator<readonly PresentEntry[]> {
  for await (const passages of pagesOf(db, { table: 'mention', of: 'key', ref, column: 'passage' })) {
    yield (await mentionRecords(db, passages)).map((record) => entryOf('mention', record));
  }
}

interface Column {
  readonly table: string;
  readonly of: string;
  readonly ref: number;
  readonly column: string;
}

/** Yields the numbers in a column of the rows of `ref`, in order. */
async function* pagesOf(db: Db, { table, of, ref, column }: Column): AsyncGenerator<number[]> {
  const value = sql.ref(column);
  const pages = pagesAfter(
    0,
    (after) =>
      sql<{
        v: number;
      }>`select ${value} as v from ${sql.table(table)} where ${sql.ref(of)} = ${ref} and ${value} > ${after}
        order by ${value} limit ${PAGE}`.execute(db),
    { placeOf: ({ v }) => v, lane: 'patient' },
  );
  for await (const rows of pages) yield rows.map(({ v }) => v);
}

/** Of each key only what this node is to it: thousands of others may be about it, and another stands for it then. */
async function keysAt(db: Db, node: number): Promise<PresentEntry[]> {
  const { rows } = await sql<{ domain: number; kind: number; key: string; about: string | null }>`
    select n.domain, n.kind, n.key, p.about from node n left join passage p on p.node = n.ref where n.ref = ${node}
    union all select m.domain, 2, m.key, null from merged_node m where m.target = ${node}`.execute(db);
  const named = new Set(rows.flatMap(({ key, about }) => [key, ...titlesIn(about)]));
  const own = rows.find(({ kind }) => kind === 0)?.key;
  const keys = await forValues(db, named)<{ ref: number; key: string; stands: number; alias: number | null }>`
    select k.ref, k.key, k.node as stands, a.alias from ${GIVEN} join key k on k.key = given.v
    and k.domain = ${rows[0]?.domain ?? 0} left join about a on a.key = k.ref and a.node = ${node} where k.node <> 0`;
  return keys.map(({ ref, key, stands, alias }) => ({
    kind: 'key',
    name: `${ref}`,
    id: key,
    add: (to) => {
      if (stands === node) to.keyNodes.set(ref, node);
      if (key === own) to.setAbout(ref, node, 0);
      else if (alias !== null) to.setAbout(ref, node, alias);
    },
  }));
}

function titlesIn(about: string | null): string[] {
  return about === null ? [] : (JSON.parse(about) as Array<{ key: string }>).map(({ key }) => key);
}
