import type { LinearModel } from '../../src/learning/feedback/adjustments.js';
import type { Sign } from '../../src/learning/ranker/solve.js';
import { MESSAGE_FEATURES } from '../../src/retrieval/conversation/message-features.js';
import { fitLogisticRegression, type Row } from './logistic-regression.js';

/**
 * The order of turns. The recipe (design page "Retrieval") was found by cross-validation over ten long dialogues of two people
 * and is kept as it is, but for the speaker (0.2 there).
 */
const RECIPE: Readonly<Record<string, number>> = {
  ...{ sentence: 1, around: 0.5, before: 0.6, window: 0.4, session: 0.15 },
  ...{ speaker: 0.3, date: 0.7, time: 0.4, length: 0.3, questions: -0.5 },
};
/**
 * What the recipe lacks where many people talk and where a question asks about two things; chosen on LiHua-World among
 * weights that change nothing on a dialogue of two (`two-people`). Free weights gain more there and lose it on the dialogue.
 */
const BEYOND: Readonly<Record<string, number>> = {
  ...{ window_share: 1, involved: 0.8, clause: 1.2, clause_share: 1 },
  // Chosen on these two, the chat of the own text and the messages of the mixed worlds, which all gain.
  ...{ quantity: 0.4, lead: 0.5 },
};
const RIDGE = 1;

/** Returns the weights of the order in the order of the feature table, one unit being a cosine. */
export function orderWeights(): number[] {
  return MESSAGE_FEATURES.map(({ name }) => RECIPE[name] ?? BEYOND[name] ?? 0);
}

/**
 * Fits how likely turns are needed: the order may be stretched, and all turns of an answer move together. `rows` hold the mean of
 * their answer under `orderWeights`.
 */
export function fitMessages(rows: readonly Row[]): LinearModel {
  const order = orderWeights();
  const common = MESSAGE_FEATURES.flatMap(({ group }, j) => (group === 'answer' ? [j] : []));
  const mean = MESSAGE_FEATURES.findIndex(({ name }) => name === 'answer_mean');
  const fit = fitLogisticRegression(
    rows.map(({ x, ...row }) => ({
      ...row,
      x: [order.reduce((sum, w, j) => sum + w * x[j]!, 0), ...common.map((j) => x[j]!)],
    })),
    { ridge: RIDGE, signs: [1, ...common.map((j): Sign => (j === mean ? -1 : 1))] },
  );
  const [slope = 0, ...moves] = fit.weights;
  const weights = order.map((w) => slope * w);
  common.forEach((j, i) => {
    // The mean is one of the order here and one of log odds in the file.
    weights[j] = j === mean && slope > 0 ? moves[i]! / slope : moves[i]!;
  });
  return { intercept: fit.intercept, weights };
}
