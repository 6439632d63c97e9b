import type { LinearModel } from '../../src/learning/feedback/adjustments.js';
import { fitOrder } from '../../src/learning/ranker/fit-order.js';
import type { Sign } from '../../src/learning/ranker/solve.js';
import { MESSAGE_FEATURES } from '../../src/retrieval/conversation/message-features.js';
import { reachedBy } from '../../src/retrieval/score/answer-mean.js';
import { DOCUMENT_FEATURES } from '../../src/retrieval/score/document-features.js';
import { signOf } from '../../src/retrieval/score/feature-values.js';
import { MIXED_FEATURES, type MixedFeature } from '../../src/retrieval/score/mixed.js';
import { choiceOf, ORDER_RIDGE, PROBABILITY_RIDGE, UNANSWERABLE_WEIGHT } from './fit-order-choices.js';
import { fitLogisticRegression } from './logistic-regression.js';
import type { Sample } from './rows.js';

const FEATURES = { document: DOCUMENT_FEATURES, message: MESSAGE_FEATURES };
/** Places of what moves all items of an answer together, and of what orders them. */
const COMMON = MIXED_FEATURES.flatMap(({ of }, j) => (of?.common === true ? [j] : []));
const ORDERING = MIXED_FEATURES.flatMap(({ of }, j) => (of?.common === true ? [] : [j]));

/** Returns whether documents and turns compete in an answer. */
export function isMixed({ candidates }: Sample): boolean {
  return candidates.some(({ message }) => message) && candidates.some(({ message }) => !message);
}

/** Returns the values of the table of mixed answers for each candidate; the samples hold the means of their answers. */
export function mixedRows({ candidates }: Sample, { message }: { readonly message: LinearModel }): number[][] {
  const first = { document: candidates.find((one) => !one.message), message: candidates.find((one) => one.message) };
  return candidates.map(({ message: isTurn, x, rivalry }) => {
    const kind = isTurn ? 'message' : 'document';
    const own = isTurn ? reachedBy(x, MESSAGE_FEATURES, message.weights) : 0;
    const beside = [own, isTurn ? 1 : 0, rivalry?.outdone ?? 0, rivalry?.outdoneNamed ?? 0];
    return MIXED_FEATURES.map(({ of }, j) => {
      if (of === undefined) return beside[j]!;
      if (of.common) return first[of.kind]!.x[of.place]!;
      return of.kind === kind ? x[of.place]! : 0;
    });
  });
}

/**
 * Fits what differs where documents and turns compete: the order of both together, starting from the weights that each kind has
 * by itself; then the probability, which moves all items of an answer together.
 */
export async function fitMixed(
  samples: readonly Sample[],
  fits: { readonly document: LinearModel; readonly message: LinearModel },
): Promise<LinearModel> {
  const answers = samples.filter(isMixed).map((sample) => ({ sample, rows: mixedRows(sample, fits) }));
  const choices = answers.flatMap(({ sample, rows }) =>
    choiceOf(rows.map((row, i) => ({ x: ORDERING.map((j) => row[j]!), gold: sample.candidates[i]!.gold }))),
  );
  const order = await fitOrder(choices, {
    ridge: ORDER_RIDGE,
    signs: ORDERING.map((j) => signIn(MIXED_FEATURES[j]!)),
    prior: ORDERING.map((j) => priorOf(MIXED_FEATURES[j]!, fits.document)),
  });
  const ordered = (row: readonly number[]): number => ORDERING.reduce((sum, j, i) => sum + order[i]! * row[j]!, 0);
  const { intercept, weights } = fitLogisticRegression(
    answers.flatMap(({ sample, rows }) =>
      rows.flatMap((row, i) => {
        const { gold } = sample.candidates[i]!;
        const weight = sample.pieces === 0 ? UNANSWERABLE_WEIGHT : 1;
        return gold === null
          ? []
          : [{ x: [ordered(row), ...COMMON.map((j) => row[j]!)], gold: gold.length > 0, weight }];
      }),
    ),
    { ridge: PROBABILITY_RIDGE, signs: [1] },
  );
  const [slope = 0, ...together] = weights;
  const all = MIXED_FEATURES.map(() => 0);
  ORDERING.forEach((j, i) => {
    all[j] = slope * order[i]!;
  });
  COMMON.forEach((j, i) => {
    all[j] = together[i]!;
  });
  return { intercept, weights: all };
}

/** More evidence for one of two items of a kind never lowers it against the other. */
function signIn({ name, of }: MixedFeature): Sign {
  if (of !== undefined) return signOf(FEATURES[of.kind][of.place]!.name);
  return name === 'own' ? 1 : name.startsWith('outdone') ? -1 : 0;
}

function priorOf({ name, of }: MixedFeature, document: LinearModel): number {
  if (of?.kind === 'document') return document.weights[of.place]!;
  return name === 'own' ? 1 : 0;
}
