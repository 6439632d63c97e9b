import type { Kysely } from 'kysely';
import type { Database } from '../../../store/schema.js';
import { idsOf } from '../ids.js';
import type { PostingList } from '../lists/list.js';
import type { View } from './view.js';

/** Lists fetched for at once: bounds the statement and the memory. */
const BATCH = 2000;

interface StemLists {
  readonly domain: number;
  /** Stems that a document must hold together, of each question. */
  readonly lists: readonly (readonly string[])[];
  readonly most: number;
}

/**
 * Returns the ids, in any order, of the domain's documents that hold every stem of each list. Of a list that more than
 * `most` documents hold, the first `most + 1`.
 */
export async function holdersOf(view: View, db: Kysely<Database>, { most, ...asked }: StemLists): Promise<string[][]> {
  return inBatches(asked.lists, async (lists) => {
    const refs = await ofEach(view, db, { ...asked, lists }, (postings) => {
      const shared: number[] = [];
      countShared(postings, most, (ref) => shared.push(ref));
      return shared;
    });
    const ids = await idsOf(db, view.ids, new Set(refs.flat()));
    return refs.map((some) => {
      const held: string[] = [];
      for (const ref of some) {
        const id = ids.get(ref);
        if (id !== undefined) held.push(id);
      }
      return held;
    });
  });
}

/** Returns how many documents of the domain hold every stem of each list, at most `most + 1`. */
export function countHolders(view: View, db: Kysely<Database>, { most, ...asked }: StemLists): Promise<number[]> {
  return inBatches(asked.lists, (lists) =>
    ofEach(view, db, { ...asked, lists }, (postings) => countShared(postings, most)),
  );
}

/** Returns those of the stems that a document of these domains holds. */
export async function knownOf(
  view: View,
  db: Kysely<Database>,
  { domains, stems }: { readonly domains: readonly number[]; readonly stems: readonly string[] },
): Promise<ReadonlySet<string>> {
  const known = await inBatches(
    [...new Set(stems)].map((stem) => [stem]),
    (lists) => {
      const terms = lists.flat();
      return view.withLists(db, { domains, terms }, (found) =>
        terms.filter((_, i) => found.some((ofDomain) => (ofDomain[i] as PostingList).df > 0)),
      );
    },
  );
  return new Set(known);
}

async function inBatches<T>(
  lists: readonly (readonly string[])[],
  work: (batch: readonly (readonly string[])[]) => Promise<T[]>,
): Promise<T[]> {
  const answers: T[] = [];
  for (let start = 0; start < lists.length; start += BATCH) {
    for (const answer of await work(lists.slice(start, start + BATCH))) answers.push(answer);
  }
  return answers;
}

/** Returns what `read` makes of the posting lists of each list of stems. */
async function ofEach<T>(
  view: View,
  db: Kysely<Database>,
  { domain, lists }: Pick<StemLists, 'domain' | 'lists'>,
  read: (postings: readonly PostingList[]) => T,
): Promise<T[]> {
  const distinct = lists.map((stems) => [...new Set(stems)]);
  const terms = [...new Set(distinct.flat())];
  return view.withLists(db, { domains: [domain], terms }, ([found = []]) => {
    const byTerm = new Map(terms.map((term, i) => [term, found[i] as PostingList]));
    return distinct.map((stems) => read(stems.map((stem) => byTerm.get(stem) as PostingList)));
  });
}

/**
 * Counts the documents in all lists and hands each to `visit`, until there are more than `most`; rarest list first,
 * galloping.
 */
function countShared(lists: readonly PostingList[], most: number, visit?: (ref: number) => void): number {
  const [rarest, ...others] = [...lists].sort((a, b) => a.df - b.df);
  if (rarest === undefined || rarest.df === 0) return 0;
  if (others.length === 0 && visit === undefined) return Math.min(rarest.df, most + 1);
  const cursors = others.map(() => 0);
  let count = 0;
  for (let at = 0; at < rarest.count && count <= most; at += 1) {
    if (rarest.tfs[at] === 0) continue;
    const ref = rarest.refs[at] as number;
    let i = 0;
    for (; i < others.length; i += 1) {
      const list = others[i] as PostingList;
      const position = list.find(ref, cursors[i] as number);
      cursors[i] = position;
      if (list.tfAt(position, ref) === 0) break;
    }
    if (i < others.length) continue;
    count += 1;
    visit?.(ref);
  }
  return count;
}
