import type { PostingList } from '../lists/list.js';

/** The query's terms in one domain, in summing order. */
export interface DomainQuery {
  readonly lists: readonly PostingList[];
  /** idf·(k1+1) of each. */
  readonly weights: readonly number[];
  /** `lengthNorm` of the statistics. */
  readonly base: number;
  readonly slope: number;
}
