import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import {
  type DomainRankerRow,
  deleteUnrated,
  domainFits,
  newestRatings,
  putFit,
  type Rating,
  rankedAnswers,
  unfittedDomains,
} from '../../backends/store/learning/domain-rankers.js';
import { addToCounters, readCounters } from '../../backends/store/learning/querylog.js';
import type { Database } from '../../backends/store/schema.js';
import type { Store } from '../../backends/store/scope.js';
import { chunks } from '../../backends/store/sql.js';
import { slicer } from '../../core/async/slices.js';
import type { Clock } from '../../core/clock.js';
import type { DomainRanker, FeatureTable, ItemKind, LinearModel, RecordedItem } from '../feedback/adjustments.js';
import { EPOCH, RANKERS } from '../feedback/interoception-settings.js';
import { adapt } from './adapt.js';
import type { Choice } from './fit-order.js';
import { unpackFeatures } from './query-features.js';

/** What items are ranked by where no domain learned anything. */
export interface BaseRanker {
  /** Name of the embedding model; null without one. */
  readonly model: string | null;
  readonly weights: Readonly<Record<ItemKind, LinearModel>>;
}

export interface DomainRankerOptions {
  readonly clock: Clock;
  readonly tables: Readonly<Record<ItemKind, FeatureTable>>;
  readonly base: () => BaseRanker;
}

/** Newest ratings of a domain that a fit looks at, and answers of one read. */
const MOST_RATINGS = 5000;
const PAGE = 100;
/** Domains that one run of the job fits, those that wait longest first: up to a quarter of a processor second each. */
const MOST_DOMAINS = 5;
/** Questions with right and wrong items below which a domain keeps the weights of the ranker file. */
const LEAST_QUESTIONS = 5;
/** Weights of a domain that a report names, and what they moved by at least. */
const MOST_CHANGES = 10;
const LEAST_CHANGE = 0.01;
const KINDS: readonly ItemKind[] = ['document', 'message'];

/**
 * The weights that domains learned from feedback. A rating says which items of an answer were needed; enough of them say
 * which kinds of evidence tell that in a domain, and so change the answers to questions that nobody rated.
 */
export class DomainRankers {
  private known: (BaseRanker & { readonly basis: string }) | undefined;
  private loaded: { readonly stamp: string; readonly rankers: ReadonlyMap<string, DomainRanker> } | undefined;

  constructor(
    private readonly store: Store,
    private readonly options: DomainRankerOptions,
  ) {}

  /** Returns the weights by domain. `stamp`: changes whenever any in the store may have. */
  async current(stamp: string): Promise<ReadonlyMap<string, DomainRanker>> {
    const whole = `${stamp} ${this.basis()}`;
    if (this.loaded?.stamp !== whole) {
      const rows = await domainFits(this.store.db, this.basis());
      const rankers = new Map(rows.map(({ domain, weights }) => [domain, JSON.parse(weights!) as DomainRanker]));
      this.loaded = { stamp: whole, rankers };
    }
    return this.loaded.rankers;
  }

  /** Fits the weights of domains that were rated since, 5 at most; returns how many. One process at a time calls it. */
  async refit(): Promise<number> {
    const basis = this.basis();
    const domains = await unfittedDomains(this.store.db, basis, MOST_DOMAINS);
    for (const { domain, rated } of domains) {
      const epoch = await epochOf(this.store.db);
      const fit = await this.fit(domain);
      await this.store.write(async ({ db }) => {
        await addToCounters(db, { [RANKERS]: 1 });
        // Feedback was forgotten meanwhile: the fit may stand on it, and the next run fits what is left.
        if ((await epochOf(db)) !== epoch) return;
        if (fit === null) await deleteUnrated(db, { domain, rated });
        else await putFit(db, { domain, basis, fitted: rated, fitted_at: this.options.clock(), ...fit });
      });
    }
    return domains.length;
  }

  /** Returns domains with weights of their own and the features whose weights moved, the most questions first. */
  async report(limit: number): Promise<DomainRankerReport[]> {
    const rows = await domainFits(this.store.db, this.basis());
    rows.sort((a, b) => b.questions - a.questions || (a.domain < b.domain ? -1 : 1));
    return rows.slice(0, limit).map((row) => this.reportOf(row));
  }

  private reportOf({ domain, questions, fitted_at, weights }: DomainRankerRow): DomainRankerReport {
    const own = JSON.parse(weights!) as DomainRanker;
    const base = this.options.base();
    const changes = KINDS.flatMap((kind) =>
      this.options.tables[kind].names.flatMap((feature, j) => {
        const meaning = this.options.tables[kind].meanings[j]!;
        const [from, to] = [base.weights[kind].weights[j]!, own[kind]?.weights[j]];
        return to === undefined || Math.abs(to - from) < LEAST_CHANGE
          ? []
          : [{ kind, feature, meaning, from, to: Math.round(to * 1e4) / 1e4 }];
      }),
    );
    changes.sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from));
    return { domain, questions, fitted_at: fitted_at!, changes: changes.slice(0, MOST_CHANGES) };
  }

  /** Returns null where nothing of the domain is rated any more. */
  private async fit(domain: string): Promise<{ weights: string | null; questions: number } | null> {
    const ratings = await newestRatings(this.store.db, domain, MOST_RATINGS);
    if (ratings.length === 0) return null;
    const choices = await this.choicesOf(ratings);
    const base = this.options.base();
    const fitted = { document: null, message: null } as Record<ItemKind, LinearModel | null>;
    let questions = 0;
    for (const kind of KINDS) {
      if (choices[kind].length < LEAST_QUESTIONS) continue;
      fitted[kind] = await adapt(base.weights[kind], this.options.tables[kind], choices[kind]);
      questions += choices[kind].length;
    }
    return { weights: questions === 0 ? null : JSON.stringify(fitted), questions };
  }

  /** Returns for each question that has right and wrong items the rated ones of its newest answer, as numbers. */
  private async choicesOf(ratings: readonly Rating[]): Promise<Record<ItemKind, Choice[]>> {
    const questions = new Map<string, { readonly newest: string; readonly ratings: Rating[] }>();
    for (const rating of ratings) {
      const known = questions.get(rating.question);
      if (known === undefined) questions.set(rating.question, { newest: rating.query_id, ratings: [rating] });
      else known.ratings.push(rating);
    }
    const choices: Record<ItemKind, Choice[]> = { document: [], message: [] };
    const pause = slicer();
    for (const part of chunks([...questions.values()], PAGE)) {
      const ids = part.map(({ newest }) => newest);
      const answers = await rankedAnswers(this.store.db, ids, this.options.base().model);
      const byId = new Map(answers.map((answer) => [answer.query_id, answer]));
      for (const { newest, ratings: own } of part) {
        await pause();
        const answer = byId.get(newest);
        if (answer === undefined) continue;
        const items = JSON.parse(answer.items) as RecordedItem[];
        const features = unpackFeatures(answer.features);
        const right = majority(own);
        for (const kind of KINDS) {
          const { key } = this.options.tables[kind];
          const rated = features.flatMap(({ place, kind: ofKind, table, values }) => {
            const gold = right.get(items[place]?.id ?? '');
            return gold === undefined || ofKind !== kind || table !== key ? [] : [{ x: values, gold }];
          });
          const gold = rated.map((one) => one.gold);
          if (gold.includes(true) && gold.includes(false)) choices[kind].push({ x: rated.map(({ x }) => x), gold });
        }
      }
    }
    return choices;
  }

  /** Returns what stands for the features and weights that fits begin from; every query asks for it. */
  private basis(): string {
    const { model, weights } = this.options.base();
    if (this.known?.model !== model || this.known.weights !== weights) {
      const { document, message } = this.options.tables;
      const digest = createHash('sha256')
        .update(JSON.stringify([model, weights.document, weights.message, document.names, message.names]))
        .digest('hex');
      this.known = { model, weights, basis: digest.slice(0, 20) };
    }
    return this.known.basis;
  }
}

export interface DomainRankerReport {
  readonly domain: string;
  readonly questions: number;
  /** Milliseconds since the epoch. */
  readonly fitted_at: number;
  /** Weights that moved, largest moves first. */
  readonly changes: Array<{
    readonly kind: ItemKind;
    readonly feature: string;
    /** What the feature says of an item. */
    readonly meaning: string;
    readonly from: number;
    readonly to: number;
  }>;
}

async function epochOf(db: Kysely<Database>): Promise<number> {
  return (await readCounters(db, EPOCH)).get(EPOCH) ?? 0;
}

/** Returns whether most ratings call an item accepted or partial; items with as many on either side are left out. */
function majority(ratings: readonly Rating[]): Map<string, boolean> {
  const votes = new Map<string, number>();
  for (const { item_id, outcome } of ratings) {
    votes.set(item_id, (votes.get(item_id) ?? 0) + (outcome === 'rejected' ? -1 : 1));
  }
  return new Map([...votes].flatMap(([id, vote]) => (vote === 0 ? [] : [[id, vote > 0]])));
}
