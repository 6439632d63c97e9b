import {
  contribution,
  type DocumentTerms,
  englishStems,
  lengthNorm,
  queryTerms,
  readDocument,
  summingOrder,
  weigh,
  weightOf,
} from './bm25.js';
import type { TextDoc, TextHit, TextIndex, TextResult } from './port.js';

interface StoredDocument extends DocumentTerms {
  readonly domain: string;
}

/** The reference: every document is scored at every search. For tests and small stores without a file. */
export class MemoryTextIndex implements TextIndex {
  readonly kind = 'memory';
  readonly joinsStore = false;
  private readonly docs = new Map<string, StoredDocument>();

  constructor(private readonly language = 'auto') {}

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {}

  async health(): Promise<void> {}

  async upsert(docs: readonly TextDoc[]): Promise<void> {
    for (const doc of docs) {
      this.docs.set(doc.id, { domain: doc.domain, ...(await readDocument(doc, this.language).terms()) });
    }
  }

  async delete(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.docs.delete(id);
  }

  async search(
    query: string,
    options: { readonly topK: number; readonly domains?: readonly string[] },
  ): Promise<TextResult> {
    const { scored, ...result } = this.scoreAll(query, options.domains);
    const hits: TextHit[] = [];
    for (const [id, score] of scored) if (score > 0) hits.push({ id, score });
    hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return { ...result, hits: hits.slice(0, options.topK) };
  }

  async score(query: string, ids: readonly string[], domains?: readonly string[]): Promise<Map<string, number>> {
    const { scored } = this.scoreAll(query, domains);
    return new Map(ids.map((id) => [id, scored.get(id) ?? 0]));
  }

  async containing(domain: string, stems: readonly string[]): Promise<string[]> {
    if (stems.length === 0) return [];
    const ids: string[] = [];
    for (const [id, doc] of this.docs) {
      if (doc.domain === domain && stems.every((stem) => doc.counts.has(stem))) ids.push(id);
    }
    return ids.sort();
  }

  async containingEach(domain: string, lists: readonly (readonly string[])[]): Promise<string[][]> {
    return Promise.all(lists.map((stems) => this.containing(domain, stems)));
  }

  async countContaining(
    domain: string,
    lists: readonly (readonly string[])[],
    { most }: { readonly most: number },
  ): Promise<number[]> {
    const found = await this.containingEach(domain, lists);
    return found.map((ids) => Math.min(ids.length, most + 1));
  }

  async known(stems: readonly string[], domains?: readonly string[]): Promise<ReadonlySet<string>> {
    const docs = this.inDomains(domains);
    return new Set(stems.filter((stem) => docs.some(([, { counts }]) => counts.has(stem))));
  }

  async list({ after, limit }: { readonly after?: string; readonly limit: number }): Promise<string[]> {
    const ids = [...this.docs.keys()].filter((id) => after === undefined || id > after);
    return ids.sort().slice(0, limit);
  }

  async count(domain?: string): Promise<number> {
    return domain === undefined ? this.docs.size : this.inDomains([domain]).length;
  }

  private inDomains(domains: readonly string[] | undefined): Array<[string, StoredDocument]> {
    const requested = domains === undefined ? undefined : new Set(domains);
    return [...this.docs].filter(([, doc]) => requested === undefined || requested.has(doc.domain));
  }

  private scoreAll(query: string, domains: readonly string[] | undefined) {
    const docs = this.inDomains(domains);
    const stems = queryTerms(query, this.language);
    const english = englishStems(query, this.language);
    const tfIn = (counts: ReadonlyMap<string, number>, stem: string): number | undefined =>
      counts.get(stem) ?? counts.get(english.get(stem) ?? stem);
    const dfs = stems.map((stem) =>
      docs.reduce((df, [, doc]) => df + (tfIn(doc.counts, stem) === undefined ? 0 : 1), 0),
    );
    const { terms, attainable } = weigh(stems, dfs, docs.length);
    const { base, slope } = lengthNorm({
      documents: docs.length,
      length: docs.reduce((sum, [, doc]) => sum + doc.length, 0),
    });
    const order = summingOrder(stems).map((i) => terms[i]!);
    const scored = new Map<string, number>();
    for (const [id, { counts, length }] of docs) {
      const norm = base + slope * length;
      let score = 0;
      for (const term of order) {
        const tf = tfIn(counts, term.stem);
        if (tf !== undefined) score += contribution(weightOf(term), tf, norm);
      }
      scored.set(id, score);
    }
    return { scored, terms, attainable, documents: docs.length };
  }
}
