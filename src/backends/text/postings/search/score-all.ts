import { contribution } from '../../bm25.js';
import type { Candidates } from './candidates.js';
import type { DomainQuery } from './domain-query.js';

/** Documents whose sums are kept at a time. */
const WINDOW = 8192;

/**
 * Offers every document of the domain that holds a term, with its exact score. It reads each posting once, whatever the number
 * of terms, and adds the parts of a document in summing order.
 */
export function scoreAll({ lists, weights, base, slope }: DomainQuery, candidates: Candidates): void {
  const cursors = new Uint32Array(lists.length);
  const sums = new Float64Array(WINDOW);
  for (let from = 0; from < Number.POSITIVE_INFINITY; ) {
    let next = Number.POSITIVE_INFINITY;
    for (let term = 0; term < lists.length; term += 1) {
      const { refs, tfs, lengths, count } = lists[term]!;
      const weight = weights[term]!;
      let at = cursors[term]!;
      for (; at < count && refs[at]! < from + WINDOW; at += 1) {
        const tf = tfs[at]!;
        if (tf > 0) sums[refs[at]! - from]! += contribution(weight, tf, base + slope * lengths[at]!);
      }
      cursors[term] = at;
      if (at < count) next = Math.min(next, refs[at]!);
    }
    for (let i = 0; i < WINDOW; i += 1) if (sums[i]! > 0) candidates.offer(from + i, sums[i]!);
    sums.fill(0);
    from = next;
  }
}
