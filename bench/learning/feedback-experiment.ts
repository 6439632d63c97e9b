import { openDomainRankers } from '../../src/compose/learning.js';
import { systemClock } from '../../src/core/clock.js';
import { seededRandom, shuffled } from '../../src/core/random.js';
import { Feedback } from '../../src/learning/feedback/feedback.js';
import { Interoception } from '../../src/learning/feedback/interoception.js';
import type { PriorRule } from '../../src/learning/feedback/item-prior.js';
import { Retrieval } from '../../src/retrieval/retrieval.js';
import { type DevelopmentSet, locator, type Question } from '../retrieval/data.js';
import { DOMAIN } from '../retrieval/ingest-set.js';
import type { World } from '../retrieval/world.js';

/** Recall@5 in percent on the half that gets feedback and on the other one. */
export interface Halves {
  readonly rated: number;
  readonly other: number;
}

export interface Split {
  readonly before: Halves;
  /** After the last round. */
  readonly after: Halves;
}

export interface ExperimentOptions {
  readonly seed: number;
  /** Share of outcomes that are reported the wrong way round. */
  readonly flipped: number;
  readonly rounds: number;
  readonly prior?: Partial<PriorRule>;
}

/** Items a query returns and a person rates. */
const RETURNED = 20;

/** A set in a world that learns: every split starts from no feedback. */
export class FeedbackExperiment {
  private readonly place: (name: string, text: string) => number;
  private readonly places = new Map<string, number>();
  private base: Promise<number[]> | undefined;

  constructor(
    private readonly world: World,
    private readonly set: DevelopmentSet,
  ) {
    this.place = locator(set.passages);
  }

  /** Rates the answers to half of the questions truthfully (but for flips), round after round. */
  async split({ seed, flipped, rounds, prior }: ExperimentOptions): Promise<Split> {
    const random = seededRandom(seed);
    const questions = shuffled(this.set.questions.length, random);
    const half = questions.length >> 1;
    const rated = questions.slice(0, half);
    const other = questions.slice(half);
    const { feedback, interoception, rankers, retrieval } = this.learning(prior);
    await interoception.reset();
    this.base ??= this.recalls(retrieval, questions.length);
    const before = await this.base;
    for (let round = 0; round < rounds; round += 1) {
      for (const at of rated) await this.rate(this.set.questions[at]!, { feedback, retrieval, flipped, random });
    }
    await rankers.refit();
    const after = await this.recalls(retrieval, questions.length);
    return {
      before: { rated: mean(rated, before), other: mean(other, before) },
      after: { rated: mean(rated, after), other: mean(other, after) },
    };
  }

  private learning(prior: Partial<PriorRule> | undefined) {
    const { store, parts } = this.world;
    const feedback = new Feedback(store, { clock: systemClock });
    const model = () => parts.embedding?.name ?? null;
    const rankers = openDomainRankers(store, { clock: systemClock, model, ranker: parts.ranker });
    const interoception = new Interoception(store, { clock: systemClock, model, prior, rankers });
    return {
      feedback,
      interoception,
      rankers,
      retrieval: new Retrieval({ ...parts, adjustments: interoception, querylog: feedback }),
    };
  }

  private async rate(
    { question, gold }: Question,
    given: { feedback: Feedback; retrieval: Retrieval; flipped: number; random: () => number },
  ): Promise<void> {
    const { query_id, items } = await given.retrieval.query({ context: question, domains: [DOMAIN], top_k: RETURNED });
    const places = await this.placesOf(items.map((item) => item.id));
    const outcomes = items.map((item, index) => {
      const good = gold.includes(places[index]!);
      return [item.id, good !== given.random() < given.flipped ? 'accepted' : 'rejected'] as const;
    });
    await given.feedback.record({ query_id, outcomes: Object.fromEntries(outcomes), source: 'bench' });
  }

  /** Recall@5 of every question as the service answers now. */
  private async recalls(retrieval: Retrieval, count: number): Promise<number[]> {
    const recalls: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const { question, gold } = this.set.questions[at]!;
      const { items } = await retrieval.query({ context: question, domains: [DOMAIN], top_k: 5 });
      const found = new Set(await this.placesOf(items.map((item) => item.id)));
      recalls.push((100 * gold.filter((place) => found.has(place)).length) / gold.length);
    }
    return recalls;
  }

  /** Which passage of the set each item is, −1 for anything else. */
  private async placesOf(ids: readonly string[]): Promise<number[]> {
    const fresh = ids.filter((id) => !this.places.has(id));
    for (const { id, kind, name, description } of await this.world.parts.graph.getNodes(fresh)) {
      this.places.set(id, kind === 'passage' ? this.place(name, description) : -1);
    }
    return ids.map((id) => this.places.get(id) ?? -1);
  }
}

function mean(of: readonly number[], values: readonly number[]): number {
  return of.reduce((sum, at) => sum + values[at]!, 0) / of.length;
}
