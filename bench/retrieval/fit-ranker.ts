import type { LinearModel } from '../../src/learning/feedback/adjustments.js';
import { fitOrder } from '../../src/learning/ranker/fit-order.js';
import { DOCUMENT_FEATURES } from '../../src/retrieval/score/document-features.js';
import { signOf } from '../../src/retrieval/score/feature-values.js';
import { bothMeans, withMeans } from './answer-means.js';
import { fitMessages, orderWeights } from './fit-messages.js';
import { fitMixed, isMixed } from './fit-mixed.js';
import { choiceOf, ORDER_RIDGE, PROBABILITY_RIDGE, UNANSWERABLE_WEIGHT } from './fit-order-choices.js';
import { fitLogisticRegression, logOdds, type Row } from './logistic-regression.js';
import type { Fits, Scored } from './metrics.js';
import { rankedBy } from './metrics.js';
import type { Sample } from './rows.js';

/**
 * The sets of turns differ in size by a factor of 20: a turn among documents has to hold its place beside them, and only
 * the small set of own text shows that; the dialogue has evidence turns that a person marked.
 */
const SET_OF_TURNS_WEIGHT: Readonly<Record<string, number>> = { own: 6, two: 6 };
/** The same questions are asked of tables as files and as a database: each counts half. */
const SET_OF_DOCUMENTS_WEIGHT: Readonly<Record<string, number>> = { files: 0.5, database: 0.5 };
/**
 * What questions without an answer weigh in sets where nearly all ask a thing that is there for what nobody recorded. Few features tell these from others,
 * and with the weight of other such questions all scores would sink.
 */
const NEAR_MISSES: Readonly<Record<string, number>> = { codes: 1, files: 1, database: 1, few: 3 };
/** Sets that the weights of each kind are fitted on; the others show documents and turns beside each other, or are measured only. */
export const ALONE: ReadonlySet<string> = new Set([
  'musique',
  'hotpot',
  'own',
  'small',
  'few',
  'lihua',
  'two',
  'codes',
  'files',
  'database',
  'edges',
]);
const MEASURED = new Set(['pure', 'apart', 'lives']);
const FOLDS = 5;

/** Fits both kinds of item on samples, and how they compete. More evidence for one of two items never lowers it against the other. */
export async function fitSamples(samples: readonly Sample[]): Promise<Fits> {
  const alone = samples.filter(({ set }) => ALONE.has(set));
  const document = await fitDocuments(alone);
  const message = fitMessages(
    rowsOf(
      alone.map((sample) => withMeans(sample, 'message', orderWeights())),
      true,
    ),
  );
  const together = samples
    .filter((sample) => !MEASURED.has(sample.set) && isMixed(sample))
    .map((sample) => bothMeans(sample, { document, message }));
  return { document, message, mixed: await fitMixed(together, { document, message }) };
}

/**
 * Fits documents in two steps, since order and probability ask for different things: the order from the questions with an
 * answer, each against its own candidates; then the probability from all questions, which may only stretch the order
 * and move all items of an answer together, by the features of the group "answer".
 */
async function fitDocuments(samples: readonly Sample[]): Promise<LinearModel> {
  const common = DOCUMENT_FEATURES.map(({ group }) => group === 'answer');
  const own = DOCUMENT_FEATURES.filter((_, j) => !common[j]);
  const choices = onceEach(samples).flatMap(({ candidates }) =>
    choiceOf(
      candidates.flatMap(({ message, x, gold }) => (message ? [] : [{ x: x.filter((_, j) => !common[j]), gold }])),
    ),
  );
  const order = await fitOrder(choices, { ridge: ORDER_RIDGE, signs: own.map(({ name }) => signOf(name)) });
  let at = 0;
  const ordering: LinearModel = { intercept: 0, weights: common.map((is) => (is ? 0 : order[at++]!)) };
  const filled = samples.map((sample) => withMeans(sample, 'document', ordering.weights));
  const rows = rowsOf(filled, false).map((row) => ({
    ...row,
    x: [logOdds(ordering, row.x), ...row.x.filter((_, j) => common[j])],
  }));
  const { intercept, weights } = fitLogisticRegression(rows, { ridge: PROBABILITY_RIDGE, signs: [1] });
  const [slope = 0, ...together] = weights;
  at = 0;
  return {
    intercept,
    weights: ordering.weights.map((w, j) => {
      if (!common[j]) return slope * w;
      const move = together[at++]!;
      // The mean is one of the order here and one of log odds in the file.
      return DOCUMENT_FEATURES[j]!.name === 'answer_mean' && slope > 0 ? move / slope : move;
    }),
  };
}

/** Returns the samples with each question of tables once, in turn as files and as a database. */
function onceEach(samples: readonly Sample[]): Sample[] {
  const counts = new Map<string, number>();
  return samples.filter(({ set }) => {
    const count = counts.get(set) ?? 0;
    counts.set(set, count + 1);
    return SET_OF_DOCUMENTS_WEIGHT[set] === undefined || count % 2 === (set === 'files' ? 0 : 1);
  });
}

function rowsOf(samples: readonly Sample[], message: boolean): Row[] {
  return samples.flatMap(({ set, pieces, candidates }) =>
    candidates.flatMap((candidate) => {
      if (candidate.message !== message || candidate.gold === null) return [];
      const own = (message ? SET_OF_TURNS_WEIGHT : SET_OF_DOCUMENTS_WEIGHT)[set] ?? 1;
      const weight = pieces === 0 ? (NEAR_MISSES[set] ?? UNANSWERABLE_WEIGHT) * own : own;
      return [{ x: candidate.x, gold: candidate.gold.length > 0, weight }];
    }),
  );
}

/** A question with its candidates as a ranker ranks them that never saw the question. */
export interface HeldOut {
  readonly sample: Sample;
  readonly items: readonly Scored[];
}

/** Ranks every sample with weights fitted on the other folds. */
export async function crossValidated(samples: readonly Sample[]): Promise<HeldOut[]> {
  const folds = await fittedFolds(samples);
  return folds.flatMap(({ fits, held }) => held.map((sample) => ({ sample, items: rankedBy(fits, sample) })));
}

/** One fold: its samples, and weights that were fitted on the others. */
interface Fold {
  readonly fits: Fits;
  readonly held: readonly Sample[];
}

/** Fits weights without each fold in turn. Folds run through each set evenly. */
export async function fittedFolds(samples: readonly Sample[]): Promise<Fold[]> {
  const counts = new Map<string, number>();
  // A question that stands in several sets is in one fold.
  const known = new Map<string, number>();
  const fold = samples.map(({ set, pieces, question }) => {
    const seen = known.get(question);
    if (seen !== undefined) return seen;
    const key = `${set} ${pieces}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    known.set(question, (count * 7) % FOLDS);
    return (count * 7) % FOLDS;
  });
  const folds: Fold[] = [];
  for (let f = 0; f < FOLDS; f += 1) {
    const fits = await fitSamples(samples.filter((_, i) => fold[i] !== f));
    folds.push({ fits, held: samples.filter((_, i) => fold[i] === f) });
  }
  return folds;
}
