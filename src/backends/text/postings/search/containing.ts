import type { Kysely } from 'kysely';
import type { Database } from '../../../store/schema.js';
import { idsOf } from '../ids.js';
import type { PostingList } from '../lists/list.js';
import type { View } from './view.js';

/** Lists fetched for at once: bounds the statement and the memory. */
const BATCH = 2000;

/**
 * Returns the ids, in any order, of the domain's documents that hold every stem of each list; rarest posting list first,
 * galloping. Of a list that more than `most` documents hold, the first `most + 1`.
 */
export async function holdersOf(
  view: View,
  db: Kysely<Database>,
  {
    domain,
    lists,
    most,
  }: { readonly domain: number; readonly lists: readonly (readonly string[])[]; readonly most: number },
): Promise<string[][]> {
  const answers: string[][] = [];
  for (let start = 0; start < lists.length; start += BATCH) {
    const batch = lists.slice(start, start + BATCH).map((stems) => [...new Set(stems)]);
    const terms = [...new Set(batch.flat())];
    const refs = await view.withLists(db, { domains: [domain], terms }, ([found = []]) => {
      const byTerm = new Map(terms.map((term, i) => [term, found[i] as PostingList]));
      return batch.map((stems) =>
        intersect(
          stems.map((stem) => byTerm.get(stem) as PostingList),
          most,
        ),
      );
    });
    const ids = await idsOf(db, view.ids, [...new Set(refs.flat())]);
    for (const some of refs) {
      const held: string[] = [];
      for (const ref of some) {
        const id = ids.get(ref);
        if (id !== undefined) held.push(id);
      }
      answers.push(held);
    }
  }
  return answers;
}

function intersect(lists: readonly PostingList[], most: number): number[] {
  const [rarest, ...others] = [...lists].sort((a, b) => a.df - b.df);
  const refs: number[] = [];
  if (rarest === undefined || rarest.df === 0) return refs;
  const cursors = others.map(() => 0);
  for (let at = 0; at < rarest.count && refs.length <= most; at += 1) {
    if (rarest.tfs[at] === 0) continue;
    const ref = rarest.refs[at] as number;
    let i = 0;
    for (; i < others.length; i += 1) {
      const list = others[i] as PostingList;
      const position = list.find(ref, cursors[i] as number);
      cursors[i] = position;
      if (list.tfAt(position, ref) === 0) break;
    }
    if (i === others.length) refs.push(ref);
  }
  return refs;
}
