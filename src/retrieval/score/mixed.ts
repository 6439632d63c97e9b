import type { ItemKind, LinearModel } from '../../learning/feedback/adjustments.js';
import { logistic } from '../../learning/ranker/solve.js';
import { MESSAGE_FEATURES, type MessageItem } from '../conversation/message-features.js';
import { logOdds } from './answer-mean.js';
import { DOCUMENT_FEATURES } from './document-features.js';
import type { Features } from './features.js';
import type { MixedModel, ModelRanker } from './ranker-types.js';

/** A row of the table of weights for answers in which documents and turns compete. */
export interface MixedFeature {
  readonly name: string;
  readonly meaning: string;
  /** Set for a feature of one kind of item: its place there, and whether it is the same for all items of an answer. */
  readonly of?: { readonly kind: ItemKind; readonly place: number; readonly common: boolean };
}

const OWN: readonly MixedFeature[] = [
  { name: 'own', meaning: 'what the weights of turns say of a turn, in log odds, without the group "answer"' },
  { name: 'turn', meaning: '1 for a turn, 0 for a document, concept or row' },
  { name: 'outdone', meaning: 'how much better a turn matches than a document that no chain leads to' },
  { name: 'outdone_named', meaning: 'how much better than a document about what the question names, times named' },
];
/** The rows of that table. Turns keep their order among themselves, so that what holds since a later one stands before the earlier one. */
export const MIXED_FEATURES: readonly MixedFeature[] = [
  ...OWN,
  ...rowsOf('document', DOCUMENT_FEATURES),
  ...rowsOf('message', MESSAGE_FEATURES).filter(({ of }) => of!.common),
];

function rowsOf(
  kind: ItemKind,
  features: ReadonlyArray<{ readonly name: string; readonly meaning: string; readonly group: string }>,
): MixedFeature[] {
  return features.map(({ name, meaning, group }, place) => ({
    ...{ name: `${kind}_${name}`, meaning },
    of: { kind, place, common: group === 'answer' },
  }));
}

/** Makes the weights out of those of the table, in its order. */
export function mixedModel({ intercept, weights }: LinearModel): MixedModel {
  const [own = 1, turn = 0, outdone = 0, outdoneNamed = 0] = weights;
  const added = { document: DOCUMENT_FEATURES.map(() => 0), message: MESSAGE_FEATURES.map(() => 0) };
  MIXED_FEATURES.forEach(({ of }, i) => {
    if (of !== undefined) added[of.kind][of.place] = weights[i]!;
  });
  return { intercept, own, turn, outdone, outdoneNamed, ...added };
}

/** What a document loses to the turns beside it. */
export interface Rivalry {
  readonly outdone: number;
  readonly outdoneNamed: number;
}

/** Returns the cosine of the turn that matches the question best, 0 without a model; what a turn asks itself answers nothing. */
export function bestOfTurns(
  turns: ReadonlyArray<Pick<MessageItem, 'sentence' | 'questions'>>,
  hasModel: boolean,
): number {
  if (!hasModel) return 0;
  return turns.reduce((most, { sentence, questions }) => Math.max(most, sentence * (1 - questions)), 0);
}

/** Returns how much better the best turn matches the question than a document does, as cosines. `bestTurn`: see `bestOfTurns`. */
export function rivalryOf(item: Pick<Features, 'direct' | 'chains'>, bestTurn: number): Rivalry {
  const { cosine, sentence, named } = item.direct;
  const above = Math.max(0, bestTurn - Math.max(cosine, sentence));
  const reached = named === 0 && item.chains.first !== undefined;
  return { outdone: reached ? 0 : above, outdoneNamed: named * above };
}

/** Log odds by which the best turn may stay below the best document, each by the weights of its kind, and still compete with it. */
const NEAR = 5;
/** The same for the best document: one that has nothing to do with the question changes nothing for turns. */
const DOCUMENT_NEAR = 3;

/** Returns how far documents and turns compete, 0..1, by the log odds of the best of each, each by the weights of its kind. */
export function competition(document: number, turn: number): number {
  return logistic(turn - document + NEAR) * logistic(document - turn + DOCUMENT_NEAR);
}

/** The items of an answer, or of one domain in it. */
interface MixedItems {
  readonly documents: readonly Features[];
  readonly turns: readonly MessageItem[];
  /** False without an embedding model. */
  readonly hasModel: boolean;
}

/**
 * Weights of an answer that holds documents and turns of one domain: each kind's own, moved to where both are comparable, as far
 * as they compete.
 */
export class MixedAnswer {
  private readonly mixed: MixedModel;
  private readonly shift: number;
  private readonly near: number;
  private readonly bestTurn: number;

  constructor(
    private readonly model: ModelRanker,
    { documents, turns, hasModel }: MixedItems,
  ) {
    this.mixed = model.mixed;
    this.shift =
      ofAnswer(DOCUMENT_FEATURES, this.mixed.document, documents[0]!) +
      ofAnswer(MESSAGE_FEATURES, this.mixed.message, turns[0]!);
    this.bestTurn = bestOfTurns(turns, hasModel);
    this.near = competition(
      best(DOCUMENT_FEATURES, model.document, documents),
      best(MESSAGE_FEATURES, model.message, turns),
    );
  }

  /** Returns the weights of documents. `own`: those of the domain or of the ranker file. */
  documents(own: LinearModel): LinearModel {
    const { document: together } = this.mixed;
    return this.moved(own, { file: this.model.document, together, features: DOCUMENT_FEATURES });
  }

  /** Returns the weights of turns. */
  turns(own: LinearModel): LinearModel {
    const { mixed, model } = this;
    const together = MESSAGE_FEATURES.map(
      ({ group }, j) => (group === 'answer' ? 0 : mixed.own * model.message.weights[j]!) + mixed.message[j]!,
    );
    const moved = this.moved(own, { file: model.message, together, features: MESSAGE_FEATURES });
    return { ...moved, intercept: moved.intercept + this.near * mixed.turn };
  }

  /** Returns what a document loses to the turns beside it, in log odds. */
  lost(item: Features): number {
    const { outdone, outdoneNamed } = rivalryOf(item, this.bestTurn);
    return this.near * (this.mixed.outdone * outdone + this.mixed.outdoneNamed * outdoneNamed);
  }

  private moved(
    own: LinearModel,
    {
      file,
      together,
      features,
    }: {
      readonly file: LinearModel;
      /** Weights where both kinds compete. */
      readonly together: readonly number[];
      readonly features: ReadonlyArray<{ readonly group: string }>;
    },
  ): LinearModel {
    const { near, mixed, shift } = this;
    // What feedback taught the domain is kept; the group "answer" moves both kinds together.
    const between = (weight: number, base: number, other: number): number =>
      (1 - near) * weight + near * (other + weight - base);
    return {
      intercept: between(own.intercept, file.intercept, mixed.intercept + shift),
      weights: own.weights.map((weight, j) =>
        between(weight, file.weights[j]!, features[j]!.group === 'answer' ? 0 : together[j]!),
      ),
    };
  }
}

/** Domain → how its documents and turns compete; a domain with one kind alone is absent. */
export type MixedAnswers = ReadonlyMap<string, MixedAnswer>;

/** Parts an answer by domains and returns those in which documents and turns compete. */
export function mixedAnswers(model: ModelRanker, answer: MixedItems): MixedAnswers {
  const within = <T extends { readonly node: { readonly domain: string } }>(items: readonly T[], domain: string): T[] =>
    items.filter(({ node }) => node.domain === domain);
  const answers = new Map<string, MixedAnswer>();
  for (const domain of new Set(answer.turns.map(({ node }) => node.domain))) {
    const documents = within(answer.documents, domain);
    if (documents.length === 0) continue;
    answers.set(domain, new MixedAnswer(model, { ...answer, documents, turns: within(answer.turns, domain) }));
  }
  return answers;
}

/** Returns the largest log odds of some items. */
function best<T>(
  features: ReadonlyArray<{ readonly value: (item: T) => number }>,
  model: LinearModel,
  items: readonly T[],
): number {
  return items.reduce((most, item) => Math.max(most, logOdds(item, features, model)), Number.NEGATIVE_INFINITY);
}

/** Returns what the group "answer" adds to all items. */
function ofAnswer<T>(
  features: ReadonlyArray<{ readonly group: string; readonly value: (item: T) => number }>,
  weights: readonly number[],
  item: T,
): number {
  return features.reduce((sum, { group, value }, j) => (group === 'answer' ? sum + weights[j]! * value(item) : sum), 0);
}
