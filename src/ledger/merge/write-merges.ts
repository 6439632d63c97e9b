import { sql } from 'kysely';
import { forValues, GIVEN, insertRows, rowOf, type ValueRow } from '../../backends/store/rows.js';
import { TABLES } from '../checkpoint/table-columns.js';
import type { Writer } from '../tables.js';
import type { MergedAssertion } from './merged-nodes.js';
import type { MergePlan } from './plan-merges.js';

const mergedRow = rowOf(TABLES.merged_concept.columns);

/** Writes which concepts are merged, and what sources assert about them. `replaced`: sources whose assertions go. */
export async function writeMerges(
  w: Writer,
  { around, hidden, showing }: MergePlan,
  rows: {
    readonly replaced: readonly number[];
    readonly assertions: ReadonlyArray<readonly [id: string, row: Omit<MergedAssertion, 'id' | 'source_id'>]>;
    readonly refOf: (id: string) => number;
  },
): Promise<void> {
  if (around.ids.size === 0) return;
  const { replaced, assertions, refOf } = rows;
  await forValues(w.db, replaced)`delete from merged_concept where source in (select v from ${GIVEN})`;
  await forValues(w.db, showing)`delete from merged_concept where id in (select v from ${GIVEN})`;
  await forValues(w.db, showing)`delete from merged_node where id in (select v from ${GIVEN})`;
  await insertRows(w.db, 'merged_concept', {
    columns: TABLES.merged_concept.columns,
    rows: assertions.map(([id, row]) => mergedRow({ ...row, id })),
    tail: sql`on conflict (id, source) do update set name = excluded.name, description = excluded.description,
      properties = excluded.properties, confidence = excluded.confidence, version = excluded.version`,
  });
  await insertRows(w.db, 'merged_node', {
    columns: TABLES.merged_node.columns,
    rows: [...hidden].map(([id, { seen, target }]): ValueRow => [id, w.domain.ref, seen.norm, seen.key, refOf(target)]),
    tail: sql`on conflict (id) do update set norm = excluded.norm, key = excluded.key, target = excluded.target`,
  });
}
