import { type RawBuilder, sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { slicer } from '../../core/async/slices.js';
import { inParts, PAGE } from '../groups.js';

/** What a row needs for the next page to be found: a passage's place in its source, and its node. */
interface Place {
  readonly ord: number;
  readonly ref: number;
}

/**
 * Reads columns of passages, `passage p join …` with `ord` and the node as `ref` among them, a page at a time: sources of
 * few passages together, a large one in several pages. `counts`: number of passages by source.
 */
export async function* passagePages<R extends Place>(
  db: Db,
  counts: ReadonlyMap<number, number>,
  { columns, join = sql`` }: { readonly columns: RawBuilder<R>; readonly join?: RawBuilder<unknown> },
): AsyncGenerator<readonly R[]> {
  const countOf = ([, count]: readonly [source: number, count: number]): number => count;
  for (const part of inParts([...counts], countOf, PAGE)) {
    const sources = part.map(([source]) => source);
    yield await forValues(db, sources)<R>`select ${columns} from ${GIVEN} join passage p on p.source = given.v ${join}`;
  }
  for (const [source, count] of counts) if (count > PAGE) yield* pagesOf(db, source, { columns, join });
}

async function* pagesOf<R extends Place>(
  db: Db,
  source: number,
  { columns, join }: { readonly columns: RawBuilder<R>; readonly join: RawBuilder<unknown> },
): AsyncGenerator<readonly R[]> {
  const pause = slicer();
  for (let after: Place = { ord: -1, ref: 0 }; ; ) {
    const { rows } = await sql<R>`select ${columns} from passage p ${join}
      where p.source = ${source} and (p.ord, p.node) > (${after.ord}, ${after.ref})
      order by p.ord, p.node limit ${PAGE}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!;
    await pause();
  }
}
