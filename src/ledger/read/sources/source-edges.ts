import { type RawBuilder, sql } from 'kysely';
import { forValues, GIVEN } from '../../../backends/store/rows.js';
import type { Db } from '../../../backends/store/schema.js';
import { slicer } from '../../../core/async/slices.js';
import { PAGE, rowPages } from '../../groups.js';

/** Source → number of its edges. */
export type EdgeNumbers = ReadonlyMap<number, number>;

/** Returns how many edges each of these sources asserts. */
export async function edgeNumbers(db: Db, sources: readonly number[]): Promise<EdgeNumbers> {
  const counts = await forValues(db, sources)<{ source: number; n: number }>`select given.v as source,
    (select count(*) from edge e where e.source = given.v) as n from ${GIVEN}`;
  return new Map(counts.map(({ source, n }) => [source, Number(n)]));
}

/** Yields rows about the edges of sources: `few` reads those of several sources, `many` those of a large one. */
export function sourceEdgePages<R>(
  numbers: EdgeNumbers,
  few: (sources: readonly number[]) => Promise<readonly R[]>,
  many: (source: number) => AsyncIterable<readonly R[]>,
): AsyncGenerator<readonly R[]> {
  const some = [...numbers].filter(([, n]) => n > 0);
  return rowPages(some, ([, n]) => n, {
    few: (part) => few(part.map(([source]) => source)),
    many: ([source]) => many(source),
  });
}

/** Yields columns of the edges `e` of a large source that pass a condition, a thousand of its edges at a time, in order. */
export async function* edgePagesOf<R>(
  db: Db,
  source: number,
  { columns, where }: { readonly columns: RawBuilder<R>; readonly where: RawBuilder<unknown> },
): AsyncGenerator<readonly R[]> {
  const pause = slicer();
  for (let after = 0; ; await pause()) {
    // The index alone tells where a page ends: few of its edges may pass.
    const page = await sql<{ last: number | null }>`select max(ref) as last from (select ref from edge
      where source = ${source} and ref > ${after} order by ref limit ${PAGE}) as page`.execute(db);
    const last = page.rows[0]?.last ?? null;
    if (last === null) return;
    const { rows } = await sql<R>`select ${columns} from edge e
      where e.source = ${source} and e.ref > ${after} and e.ref <= ${last} and ${where} order by e.ref`.execute(db);
    yield rows;
    after = Number(last);
  }
}
