import { PostingList } from '../lists/list.js';

/** Returns the postings of documents that hold either of two terms; where one holds both, that of the first. The first list itself where the other adds nothing. */
export function either(one: PostingList, other: PostingList): PostingList {
  if (!addsTo(one, other)) return one;
  const merged = new PostingList();
  for (let i = 0, j = 0; i < one.count || j < other.count; ) {
    const [ref, otherRef] = [refAt(one, i), refAt(other, j)];
    const isOne = ref < otherRef || (ref === otherRef && one.tfs[i]! > 0);
    const [list, at] = isOne ? [one, i] : [other, j];
    if (list.tfs[at]! > 0) merged.add(list.refs[at]!, list.tfs[at]!, list.lengths[at]!);
    if (ref <= otherRef) i += 1;
    if (otherRef <= ref) j += 1;
  }
  return merged;
}

/** Returns whether a list has a living posting of a document that another list has none of. */
function addsTo(one: PostingList, other: PostingList): boolean {
  for (let i = 0, j = 0; j < other.count; j += 1) {
    if (other.tfs[j] === 0) continue;
    const ref = other.refs[j]!;
    i = one.find(ref, i);
    if (one.tfAt(i, ref) === 0) return true;
  }
  return false;
}

function refAt({ refs, count }: PostingList, at: number): number {
  return at < count ? refs[at]! : Number.POSITIVE_INFINITY;
}
