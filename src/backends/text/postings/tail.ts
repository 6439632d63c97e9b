import { decodeRuns, type PostingSink } from './lists/runs.js';

/** Postings of one bucket of a domain as a log row keeps them: sizes in bytes, one per term. */
export interface LogGroup {
  readonly domain: number;
  readonly bucket: number;
  readonly terms: readonly string[];
  readonly sizes: readonly number[];
}

/** Where a run lies: number of the log row, offset, size, bucket; flat quadruples in order of writing. */
type Runs = number[];

/** The postings that are not in segments yet, found by (domain, term), decoded only where requested. */
export class Tail {
  private readonly parts: Uint8Array[] = [];
  private readonly domains = new Map<number, Map<string, Runs>>();

  append(keys: string, adds: Uint8Array): void {
    const part = this.parts.push(adds) - 1;
    let offset = 0;
    for (const { domain, bucket, terms, sizes } of JSON.parse(keys) as LogGroup[]) {
      let runs = this.domains.get(domain);
      if (runs === undefined) {
        runs = new Map();
        this.domains.set(domain, runs);
      }
      for (let i = 0; i < terms.length; i += 1) {
        const size = sizes[i] as number;
        const term = terms[i] as string;
        const known = runs.get(term);
        if (known === undefined) runs.set(term, [part, offset, size, bucket]);
        else known.push(part, offset, size, bucket);
        offset += size;
      }
    }
  }

  /** Decodes a term's postings after a ref. */
  read(domain: number, term: string, { sink, after }: { readonly sink: PostingSink; readonly after: number }): void {
    const runs = this.domains.get(domain)?.get(term);
    if (runs === undefined) return;
    for (let i = 0; i < runs.length; i += 4) {
      const [part, offset, size, bucket] = runs.slice(i, i + 4) as [number, number, number, number];
      const bytes = (this.parts[part] as Uint8Array).subarray(offset, offset + size);
      decodeRuns(bytes, bucket, { sink, after, upTo: Number.POSITIVE_INFINITY });
    }
  }
}
