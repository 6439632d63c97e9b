import { type RawBuilder, sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { slicer } from '../../core/async/slices.js';

/** Passages of one read. */
const PAGE = 1000;

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
  let few: number[] = [];
  let passages = 0;
  const readFew = () =>
    forValues(db, few)<R>`select ${columns} from ${GIVEN} join passage p on p.source = given.v ${join}`;
  for (const [source, count] of counts) {
    if (count === 0) continue;
    if (count > PAGE) {
      yield* pagesOf(db, source, { columns, join });
      continue;
    }
    if (passages + count > PAGE) {
      yield await readFew();
      few = [];
      passages = 0;
    }
    few.push(source);
    passages += count;
  }
  if (few.length > 0) yield await readFew();
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
