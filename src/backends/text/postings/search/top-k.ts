import { contribution } from '../../bm25.js';
import { BLOCK, type PostingList } from '../lists/list.js';
import type { Candidates } from './candidates.js';
import type { DomainQuery } from './domain-query.js';
import { scoreAll } from './score-all.js';

/** Terms from which on scoring every document is faster: with 64 of them in a million documents 33 ms instead of 1,583. */
const MANY = 16;

/**
 * Offers every document of the domain that can be among the best to the candidates, with its exact score. Lists are
 * taken from the most selective down; one is left out when it and the rest together cannot reach the threshold
 * (MaxScore, Turtle & Flood 1995), its blocks when their greatest tf and least length cannot (block-max, Ding & Suel
 * 2011). A document is completed by galloping through the remaining lists. Many terms leave out hardly any document: then
 * every posting is read once.
 */
export function collectTop(query: DomainQuery, candidates: Candidates): void {
  if (query.lists.length > MANY) {
    scoreAll(query, candidates);
    return;
  }
  const order = query.lists.map((_, i) => i).filter((i) => (query.lists[i] as PostingList).df > 0);
  const bounds = query.lists.map((_, i) => listBound(query, i));
  order.sort((a, b) => (bounds[b] as number) - (bounds[a] as number) || a - b);
  const rest = new Float64Array(order.length + 1);
  for (let i = order.length - 1; i >= 0; i -= 1)
    rest[i] = (rest[i + 1] as number) + (bounds[order[i] as number] as number);
  for (let i = 0; i < order.length; i += 1) {
    if ((rest[i] as number) < candidates.limit) return;
    scanList(query, { order: order.slice(i), rest: rest.subarray(i + 1) }, candidates);
  }
}

function blockBound({ lists, weights, base, slope }: DomainQuery, term: number, block: number): number {
  const list = lists[term] as PostingList;
  const norm = base + slope * (list.blockLength[block] as number);
  return contribution(weights[term] as number, list.blockTf[block] as number, norm);
}

function listBound(query: DomainQuery, term: number): number {
  let bound = 0;
  const blocks = (query.lists[term] as PostingList).blocks;
  for (let block = 0; block < blocks; block += 1) bound = Math.max(bound, blockBound(query, term, block));
  return bound;
}

/** Scans the first list of `order`; `rest[j]` bounds what the lists after position j of the others can add. */
function scanList(
  query: DomainQuery,
  { order, rest }: { readonly order: readonly number[]; readonly rest: Float64Array },
  candidates: Candidates,
): void {
  const { lists, weights, base, slope } = query;
  const term = order[0] as number;
  const list = lists[term] as PostingList;
  const weight = weights[term] as number;
  const others = rest[0] as number;
  const cursors = new Int32Array(order.length);
  const parts = new Float64Array(lists.length);
  for (let block = 0; block < list.blocks; block += 1) {
    if (blockBound(query, term, block) + others < candidates.limit) continue;
    const end = Math.min(list.count, (block + 1) * BLOCK);
    for (let at = block * BLOCK; at < end; at += 1) {
      const tf = list.tfs[at] as number;
      if (tf === 0) continue;
      const norm = base + slope * (list.lengths[at] as number);
      const own = contribution(weight, tf, norm);
      let bound = own + others;
      if (bound < candidates.limit) continue;
      const ref = list.refs[at] as number;
      parts.fill(0);
      parts[term] = own;
      let sum = own;
      for (let j = 1; j < order.length; j += 1) {
        const other = order[j] as number;
        const otherList = lists[other] as PostingList;
        const position = otherList.find(ref, cursors[j] as number);
        cursors[j] = position;
        const otherTf = otherList.tfAt(position, ref);
        if (otherTf > 0) {
          const part = contribution(weights[other] as number, otherTf, norm);
          parts[other] = part;
          sum += part;
        }
        bound = sum + (rest[j] as number);
        if (bound < candidates.limit) break;
      }
      if (bound >= candidates.limit) candidates.offer(ref, total(parts));
    }
  }
}

/** Returns the parts in summing order: the same bits as an exhaustive search. */
function total(parts: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < parts.length; i += 1) sum += parts[i] as number;
  return sum;
}
