import type { Kysely } from 'kysely';
import { RefIds } from '../../../../core/ref-ids.js';
import type { Database } from '../../../store/schema.js';
import type { Statistics } from '../../bm25.js';
import { type Changes, type DomainEntry, readChanges, readTombstones } from '../changes.js';
import { Bits } from '../lists/bits.js';
import { decodeRefs } from '../lists/bytes.js';
import { PostingList } from '../lists/list.js';
import { ListCache } from '../lists/list-cache.js';
import { bucketOf, decodeRuns } from '../lists/runs.js';
import { readSegments } from '../lists/segments.js';
import { Tail } from '../tail.js';

type Wanted = readonly [domain: number, term: string];

/** Deaths remembered for lists that have not applied them; beyond, the lists are read again. */
const MAX_DEATHS = 200_000;

/**
 * What one reader knows of the index, brought up to date by the log: statistics, postings that wait for a flush,
 * tombstones, decoded lists. A version that was seen and then rolled back (writers look into their own transaction) is
 * recognised by its stamp and makes the view start again.
 */
export class View {
  /** By name. */
  readonly domains = new Map<string, DomainEntry>();
  readonly ids = new RefIds();
  private version = -1;
  private stamp = 0;
  private flushed = 0;
  private lastRef = 0;
  private tail = new Tail();
  private dead = new Bits();
  private deaths: number[] = [];
  private readonly lists: ListCache;
  /** Counts fresh starts. */
  private era = 0;

  constructor(cacheBytes: number) {
    this.lists = new ListCache(cacheBytes);
  }

  /** Returns the domains of these names that are known; all without names. */
  entries(names: readonly string[] | undefined): DomainEntry[] {
    if (names === undefined) return [...this.domains.values()].filter((entry) => entry.documents > 0);
    return [...new Set(names)].flatMap((name) => this.domains.get(name) ?? []);
  }

  /** Returns whether a document was deleted or replaced, as far as this view knows. */
  isDead(ref: number): boolean {
    return this.dead.has(ref);
  }

  /** Returns documents in all domains. */
  documents(): number {
    let sum = 0;
    for (const entry of this.domains.values()) sum += entry.documents;
    return sum;
  }

  /** Returns documents and tokens in the domains of these names; in all without names. */
  statistics(names: readonly string[] | undefined): Statistics {
    let documents = 0;
    let length = 0;
    for (const entry of this.entries(names)) {
      documents += entry.documents;
      length += entry.length;
    }
    return { documents, length };
  }

  /** Brings the view to the version that the database shows now. */
  async sync(db: Kysely<Database>): Promise<void> {
    for (;;) {
      const { version, era } = this;
      const changes = await readChanges(db, version);
      if (this.version !== version || this.era !== era) continue;
      if (changes.version === version && changes.stamp === this.stamp) return;
      if (version >= 0 && this.continues(changes)) return this.advance(changes);
      if (version < 0) {
        const tombstones = await readTombstones(db);
        if (this.version >= 0 || this.era !== era) continue;
        this.bury(tombstones);
        return this.advance(changes);
      }
      this.reset();
    }
  }

  /**
   * Calls back, in one tick of the event loop, with the lists of the terms in each domain, complete and consistent with
   * the statistics: `lists[d][t]`.
   */
  async withLists<T>(
    db: Kysely<Database>,
    { domains, terms }: { readonly domains: readonly number[]; readonly terms: readonly string[] },
    use: (lists: PostingList[][]) => T,
  ): Promise<T> {
    // Kept here as well: a cache smaller than the request must not lose what was just read.
    const loaded = new Map<string, PostingList>();
    let { era } = this;
    for (;;) {
      if (this.era !== era) loaded.clear();
      era = this.era;
      const missing: Wanted[] = [];
      const lists = domains.map((domain) =>
        terms.map((term) => {
          const list = this.current([domain, term], loaded);
          if (list === undefined) missing.push([domain, term]);
          return list as PostingList;
        }),
      );
      if (missing.length === 0) return use(lists);
      await this.load(db, missing, loaded);
    }
  }

  /** Returns a list with everything up to the view's version, or nothing where segments have to be read first. */
  private current([domain, term]: Wanted, loaded: ReadonlyMap<string, PostingList>): PostingList | undefined {
    const list =
      this.lists.get(domain, term) ??
      loaded.get(`${domain} ${term}`) ??
      (this.flushed === 0 ? this.fresh() : undefined);
    if (list === undefined || list.seen < this.flushed) return undefined;
    if (list.seen < this.lastRef) {
      this.tail.read(domain, term, { sink: this.living(list), after: list.seen });
      list.seen = this.lastRef;
      this.lists.put(domain, term, list);
    }
    while (list.deaths < this.deaths.length) list.kill(this.deaths[list.deaths++] as number);
    return list;
  }

  private async load(db: Kysely<Database>, wanted: readonly Wanted[], loaded: Map<string, PostingList>): Promise<void> {
    const { era, flushed } = this;
    const before = wanted.map(([domain, term]) => this.lists.get(domain, term)?.seen ?? -1);
    const from = bucketOf(Math.min(...before) + 1);
    const rows = await readSegments(db, wanted, from);
    if (this.era !== era) return;
    for (const [domain, term] of wanted) {
      const known = this.lists.get(domain, term);
      // A list that was put out of the cache meanwhile is not in the rows from its start: the next pass reads it whole.
      if (known === undefined && from > 0) continue;
      const list = known ?? this.fresh();
      for (const { bucket, data } of rows.get(domain)?.get(term) ?? []) {
        decodeRuns(data, bucket, { sink: this.living(list), after: list.seen, upTo: flushed });
      }
      list.seen = Math.max(list.seen, flushed);
      loaded.set(`${domain} ${term}`, list);
      this.lists.put(domain, term, list);
    }
  }

  private fresh(): PostingList {
    const list = new PostingList();
    list.deaths = this.deaths.length;
    return list;
  }

  private living(list: PostingList) {
    return {
      add: (ref: number, tf: number, length: number) => {
        if (!this.dead.has(ref)) list.add(ref, tf, length);
      },
    };
  }

  private continues({ log, version }: Changes): boolean {
    const first = log[0];
    return (
      first !== undefined && version > this.version && first.version === this.version + 1 && first.parent === this.stamp
    );
  }

  private advance(changes: Changes): void {
    if (changes.flushed > this.flushed) this.tail = new Tail();
    for (const { keys, adds, dead } of changes.log) {
      if (keys !== null && adds !== null) this.tail.append(keys, adds);
      if (dead !== null) this.bury(decodeRefs(dead));
    }
    for (const domain of changes.domains) this.domains.set(domain.name, domain);
    this.version = changes.version;
    this.stamp = changes.stamp;
    this.flushed = changes.flushed;
    this.lastRef = changes.lastRef;
  }

  private bury(refs: readonly number[]): void {
    for (const ref of refs) {
      if (!this.dead.add(ref)) continue;
      this.deaths.push(ref);
      this.ids.drop(ref);
    }
    if (this.deaths.length <= MAX_DEATHS) return;
    this.lists.clear();
    this.deaths = [];
    this.era += 1;
  }

  private reset(): void {
    this.era += 1;
    this.version = -1;
    this.stamp = 0;
    this.flushed = 0;
    this.lastRef = 0;
    this.tail = new Tail();
    this.dead = new Bits();
    this.deaths = [];
    this.lists.clear();
    this.domains.clear();
    this.ids.clear();
  }
}
