import { type RawBuilder, sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { PAGE, pagesAfter, rowPages } from '../groups.js';

/** What a row needs for the next page to be found: a passage's place in its source, and its node. */
interface Place {
  readonly ord: number;
  readonly ref: number;
}

/**
 * Reads columns of passages, `passage p join …` with `ord` and the node as `ref` among them, a page at a time: sources of
 * few passages together, a large one in several pages. `counts`: number of passages by source.
 */
export function passagePages<R extends Place>(
  db: Db,
  counts: ReadonlyMap<number, number>,
  { columns, join = sql`` }: { readonly columns: RawBuilder<R>; readonly join?: RawBuilder<unknown> },
): AsyncGenerator<readonly R[]> {
  const page = (source: number, { ord, ref }: Place) =>
    sql<R>`select ${columns} from passage p ${join} where p.source = ${source} and (p.ord, p.node) > (${ord}, ${ref})
      order by p.ord, p.node limit ${PAGE}`.execute(db);
  return rowPages([...counts], ([, count]) => count, {
    few: (part) =>
      forValues(
        db,
        part.map(([source]) => source),
      )<R>`select ${columns} from ${GIVEN} join passage p on p.source = given.v ${join}`,
    many: ([source]) =>
      pagesAfter<R, Place>({ ord: -1, ref: 0 }, (after) => page(source, after), {
        placeOf: (row) => row,
        lane: 'patient',
      }),
  });
}
