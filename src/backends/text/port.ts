import type { Follower } from '../../ledger/follower.js';
import type { WriteScope } from '../store/scope.js';

export interface TextDoc {
  /** Node id. */
  readonly id: string;
  readonly domain: string;
  /** Title (or name) and text; indexed together. */
  readonly title: string;
  readonly text: string;
}

export interface TextHit {
  readonly id: string;
  /** BM25, k1 1.2, b 0.75; statistics summed over the requested domains. */
  readonly score: number;
}

export interface TextTerm {
  readonly stem: string;
  /** ln(1 + (N − df + 0.5) / (df + 0.5)) over the requested domains. */
  readonly idf: number;
  readonly df: number;
}

export interface TextResult {
  /** Best first, ties by id. */
  readonly hits: readonly TextHit[];
  /** Σ idf·(k1+1) over the distinct query terms that occur in the domains: the most any document could score. */
  readonly attainable: number;
  /** The query's distinct stems in order of appearance; one that occurs in no document has df 0. */
  readonly terms: readonly TextTerm[];
  /** Documents in the requested domains. */
  readonly documents: number;
}

/** Text match over stems. Every implementation passes `test/contracts/text.contract.ts`. */
export interface TextIndex {
  /** `memory`, `postings` or `neo4j`. */
  readonly kind: string;
  readonly joinsStore: boolean;
  /** What keeps an index outside the store in line with the ledger; such an index is written by nothing else. */
  readonly follower?: Follower;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  health(): Promise<void>;
  upsert(docs: readonly TextDoc[], scope?: WriteScope): Promise<void>;
  delete(ids: readonly string[], scope?: WriteScope): Promise<void>;
  /** Returns documents that hold any of the query's stems, best `topK`; all domains without `domains`. */
  search(query: string, options: { topK: number; domains?: readonly string[] }): Promise<TextResult>;
  /** Returns the BM25 of these documents against the query; documents without a match get 0. */
  score(query: string, ids: readonly string[], domains?: readonly string[]): Promise<Map<string, number>>;
  /** Returns ids of the domain's documents that hold every one of the stems, in id order; none for no stems. */
  containing(domain: string, stems: readonly string[], scope?: WriteScope): Promise<string[]>;
  /**
   * Runs `containing` for many lists of stems at once, ids in any order: much faster than one call each. Of a list that more than `most`
   * documents hold it may return any `most + 1`: that there are more, and not a large part of the index.
   */
  containingEach(
    domain: string,
    lists: readonly (readonly string[])[],
    options?: { readonly scope?: WriteScope | undefined; readonly most?: number },
  ): Promise<string[][]>;
  /**
   * Returns how many documents of the domain hold every stem of each list, `most + 1` where more than `most` do; 0 for no stems.
   * Reads no ids: much cheaper than `containingEach`.
   */
  countContaining(
    domain: string,
    lists: readonly (readonly string[])[],
    options: { readonly most: number },
  ): Promise<number[]>;
  /** Returns those of the stems that any document holds, of these domains or of all: cheap for hundreds that none does. */
  known(stems: readonly string[], domains?: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns ids of documents in id order, those after `after`; for repair. */
  list(options: { readonly after?: string; readonly limit: number }): Promise<string[]>;
  /** Returns the number of documents indexed, for status and repair. */
  count(domain?: string, scope?: WriteScope): Promise<number>;
}
