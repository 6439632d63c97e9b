import type { Kysely } from 'kysely';
import type { Database } from '../store/schema.js';
import type { Store, WriteScope } from '../store/scope.js';
import { SinceCommit } from '../store/since-commit.js';
import { contribution, englishStems, lengthNorm, queryTerms, summingOrder, weigh, weightOf } from './bm25.js';
import type { TextDoc, TextHit, TextIndex, TextResult } from './port.js';
import { documentIds } from './postings/documents.js';
import { idsOf, lowestIds, refsOf } from './postings/ids.js';
import type { PostingList } from './postings/lists/list.js';
import { Candidates } from './postings/search/candidates.js';
import { countHolders, holdersOf, knownOf } from './postings/search/containing.js';
import { either } from './postings/search/either.js';
import { collectTop } from './postings/search/top-k.js';
import { View } from './postings/search/view.js';
import { Sweeper } from './postings/sweeper.js';
import { deleteFromIndex, type FlushLimits, upsertDocs } from './postings/write.js';

export interface PostingsOptions {
  /** Language of stems and stop words; default `auto`, each text's own. */
  readonly language?: string;
  /** Bytes of decoded lists kept for searches; default 64 MB. A quarter as much is kept for writers. */
  readonly cacheBytes?: number;
  readonly flush?: FlushLimits;
  /** Tombstones from which on, once they are half as many as documents, segments are swept; default 20,000. */
  readonly compactAt?: number;
  /** Time from a removal until the words of removed documents are taken off the store, ms; default a minute. */
  readonly purgeAfter?: number;
}

const CACHE_BYTES = 64 * 2 ** 20;
const COMPACT_AT = 20_000;
const PURGE_AFTER = 60_000;
/** Times that scoring begins anew because documents were written meanwhile. */
const ATTEMPTS = 5;
const FLUSH: FlushLimits = { postings: 64_000, writes: 2000 };

/** The distinct stems of a query with everything needed to score by them. */
interface Weighed extends Pick<TextResult, 'terms' | 'attainable' | 'documents'> {
  readonly base: number;
  readonly slope: number;
  /** In summing order. */
  readonly weights: readonly number[];
  /** Per domain, in summing order. */
  readonly lists: readonly (readonly PostingList[])[];
}

/** BM25 over posting lists in the SQL store; SQLite and PostgreSQL, one process or several. */
export class PostingsTextIndex implements TextIndex {
  readonly kind = 'postings';
  readonly joinsStore = true;
  private readonly language: string;
  private readonly flushLimits: FlushLimits;
  private readonly reader: View;
  /** Brings `reader` up to date. */
  private readonly seen: SinceCommit<void>;
  /** Looks into running transactions; apart, so that what rolls back never reaches a search. */
  private readonly writer: View;
  /** The transaction that `writer` shows, while nothing was written in it since. */
  private shown: WriteScope | undefined;
  /** The requests that look through `writer`, one after another: transactions must not mix in it. */
  private looking: Promise<unknown> = Promise.resolve();
  private readonly compactAt: number;
  private readonly sweeper: Sweeper;

  constructor(
    private readonly store: Store,
    options: PostingsOptions = {},
  ) {
    const cacheBytes = options.cacheBytes ?? CACHE_BYTES;
    this.language = options.language ?? 'auto';
    this.flushLimits = options.flush ?? FLUSH;
    this.compactAt = options.compactAt ?? COMPACT_AT;
    this.sweeper = new Sweeper(store, options.purgeAfter ?? PURGE_AFTER);
    this.reader = new View(cacheBytes);
    const { reader } = this;
    // Not once in a request: another one may bring the reader to a later version, or make it start again, meanwhile.
    this.seen = new SinceCommit(store, () => reader.sync(store.db));
    this.writer = new View(cacheBytes / 4);
  }

  async connect(): Promise<void> {
    await this.reader.sync(this.store.db);
    await this.sweeper.start();
  }

  async disconnect(): Promise<void> {
    await this.sweeper.stop();
  }

  async health(): Promise<void> {
    await this.store.health();
  }

  async upsert(docs: readonly TextDoc[], scope?: WriteScope): Promise<void> {
    await this.write(scope, (db) => upsertDocs(db, docs, { language: this.language, limits: this.flushLimits }));
  }

  async delete(ids: readonly string[], scope?: WriteScope): Promise<void> {
    await this.write(scope, (db) => deleteFromIndex(db, ids, this.flushLimits));
  }

  async search(
    query: string,
    options: { readonly topK: number; readonly domains?: readonly string[] },
  ): Promise<TextResult> {
    const { db } = this.store;
    const { best, terms, attainable, documents } = await this.weighed(query, options.domains, (weighed) => {
      const candidates = new Candidates(options.topK);
      if (options.topK > 0) for (const lists of weighed.lists) collectTop({ ...weighed, lists }, candidates);
      return { ...weighed, best: candidates.result() };
    });
    const { sure, tied, score, open } = best;
    const ids = await idsOf(
      db,
      this.reader.ids,
      sure.map((hit) => hit.ref),
    );
    const hits: TextHit[] = [];
    for (const hit of sure) {
      const id = ids.get(hit.ref);
      if (id !== undefined) hits.push({ id, score: hit.score });
    }
    if (tied.length > 0 && open > 0) {
      const all = this.reader.documents();
      for (const { id } of await lowestIds(db, this.reader.ids, { refs: tied, count: open, documents: all })) {
        hits.push({ id, score });
      }
    }
    hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return { hits, terms, attainable, documents };
  }

  async score(query: string, ids: readonly string[], domains?: readonly string[]): Promise<Map<string, number>> {
    const requested = [...new Set(ids)];
    for (let attempt = 1; ; attempt += 1) {
      const refs = await refsOf(this.store.db, this.reader.ids, requested);
      const scores = new Map(requested.map((id) => [id, 0]));
      let replaced = false;
      await this.weighed(query, domains, (weighed) => {
        for (const [id, ref] of refs) {
          const score = scoreOf(ref, weighed);
          if (score > 0) scores.set(id, score);
          else if (this.reader.isDead(ref)) {
            this.reader.ids.drop(ref);
            replaced = true;
          }
        }
      });
      // A document written since its number was read has another one by now.
      if (!replaced || attempt === ATTEMPTS) return scores;
    }
  }

  async containing(domain: string, stems: readonly string[], scope?: WriteScope): Promise<string[]> {
    const [ids] = await this.containingEach(domain, [stems], { scope });
    return ids!.sort();
  }

  async containingEach(
    domain: string,
    lists: readonly (readonly string[])[],
    {
      scope,
      most = Number.POSITIVE_INFINITY,
    }: { readonly scope?: WriteScope | undefined; readonly most?: number } = {},
  ): Promise<string[][]> {
    const holders = async (view: View, db: Kysely<Database>): Promise<string[][]> => {
      const number = filled(view, domain);
      return number === undefined ? lists.map(() => []) : holdersOf(view, db, { domain: number, lists, most });
    };
    if (scope !== undefined) return this.inTransaction(scope, () => holders(this.writer, scope.db));
    await this.seen.current();
    return holders(this.reader, this.store.db);
  }

  async countContaining(
    domain: string,
    lists: readonly (readonly string[])[],
    { most }: { readonly most: number },
  ): Promise<number[]> {
    const { db } = this.store;
    await this.seen.current();
    const number = filled(this.reader, domain);
    return number === undefined ? lists.map(() => 0) : countHolders(this.reader, db, { domain: number, lists, most });
  }

  async known(stems: readonly string[], domains?: readonly string[]): Promise<ReadonlySet<string>> {
    await this.seen.current();
    const numbers = this.reader.entries(domains).map((entry) => entry.num);
    return knownOf(this.reader, this.store.db, { domains: numbers, stems });
  }

  list(options: { readonly after?: string; readonly limit: number }): Promise<string[]> {
    return documentIds(this.store.db, options);
  }

  async count(domain?: string, scope?: WriteScope): Promise<number> {
    const documents = (view: View) =>
      domain === undefined ? view.documents() : (view.domains.get(domain)?.documents ?? 0);
    if (scope !== undefined) return this.inTransaction(scope, async () => documents(this.writer));
    await this.seen.current();
    return documents(this.reader);
  }

  private async write(scope: WriteScope | undefined, work: (db: Kysely<Database>) => Promise<number>): Promise<void> {
    if (scope === undefined) return this.store.write((own) => this.write(own, work));
    if (this.shown === scope) this.shown = undefined;
    const dead = await work(scope.db);
    if (this.shown === scope) this.shown = undefined;
    // Also where a text was replaced: what it no longer says leaves the store as well.
    if (dead > 0) scope.afterCommit(() => this.sweeper.sweepSoon());
    if (dead >= this.compactAt && dead * 2 >= this.reader.documents()) scope.afterCommit(() => this.sweeper.sweepNow());
  }

  /** Runs with `writer` showing the transaction; queries the database only after another transaction or a write. */
  private inTransaction<T>(scope: WriteScope, look: () => Promise<T>): Promise<T> {
    const looked = this.looking.then(async () => {
      if (this.shown !== scope) {
        this.shown = undefined;
        await this.writer.sync(scope.db);
        this.shown = scope;
      }
      return look();
    });
    this.looking = looked.catch(() => undefined);
    return looked;
  }

  /** Loads the query's lists and passes them with weights, all of one version. */
  private async weighed<T>(
    query: string,
    domains: readonly string[] | undefined,
    use: (weighed: Weighed) => T,
  ): Promise<T> {
    const { reader } = this;
    const stems = queryTerms(query, this.language);
    const order = summingOrder(stems);
    const sorted = order.map((i) => stems[i] as string);
    const english = [...englishStems(query, this.language)];
    const places = english.map(([stem]) => sorted.indexOf(stem));
    const wanted = [...sorted, ...english.map(([, other]) => other)];
    await this.seen.current();
    const requested = reader.entries(domains);
    const names = requested.map((entry) => entry.name);
    const numbers = requested.map((entry) => entry.num);
    return reader.withLists(this.store.db, { domains: numbers, terms: wanted }, (found) => {
      const lists = found.map((all) => {
        const own = all.slice(0, sorted.length);
        for (const [i, at] of places.entries()) own[at] = either(own[at]!, all[sorted.length + i]!);
        return own;
      });
      const statistics = reader.statistics(names);
      const dfs = new Array<number>(stems.length).fill(0);
      for (const ofDomain of lists) {
        for (const [i, at] of order.entries()) dfs[at] = (dfs[at] as number) + (ofDomain[i] as PostingList).df;
      }
      const { terms, attainable } = weigh(stems, dfs, statistics.documents);
      const weights = order.map((i) => weightOf(terms[i]!));
      return use({ terms, attainable, documents: statistics.documents, weights, lists, ...lengthNorm(statistics) });
    });
  }
}

/** Returns the number of a domain; undefined where it holds no document. */
function filled(view: View, domain: string): number | undefined {
  const entry = view.domains.get(domain);
  return entry === undefined || entry.documents === 0 ? undefined : entry.num;
}

/** Returns the BM25 of one document: the best of the domains, of which only its own knows it. */
function scoreOf(ref: number, { lists, weights, base, slope }: Weighed): number {
  for (const ofDomain of lists) {
    let score = 0;
    for (let i = 0; i < ofDomain.length; i += 1) {
      const list = ofDomain[i] as PostingList;
      const at = list.find(ref, 0);
      const tf = list.tfAt(at, ref);
      if (tf > 0) score += contribution(weights[i] as number, tf, base + slope * (list.lengths[at] as number));
    }
    if (score > 0) return score;
  }
  return 0;
}
