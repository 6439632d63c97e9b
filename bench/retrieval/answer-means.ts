import type { ItemKind, LinearModel } from '../../src/learning/feedback/adjustments.js';
import { MESSAGE_FEATURES } from '../../src/retrieval/conversation/message-features.js';
import { answerMean } from '../../src/retrieval/score/answer-mean.js';
import { DOCUMENT_FEATURES } from '../../src/retrieval/score/document-features.js';
import type { Sample } from './rows.js';

const FEATURES = { document: DOCUMENT_FEATURES, message: MESSAGE_FEATURES };
const PLACES = {
  document: DOCUMENT_FEATURES.findIndex(({ name }) => name === 'answer_mean'),
  message: MESSAGE_FEATURES.findIndex(({ name }) => name === 'answer_mean'),
};

/** Returns a sample with what its candidates of both kinds reach on average. */
export function bothMeans(
  sample: Sample,
  { document, message }: { readonly document: LinearModel; readonly message: LinearModel },
): Sample {
  return withMeans(withMeans(sample, 'document', document.weights), 'message', message.weights);
}

/** Returns a sample with what its candidates of a kind reach on average under these weights: training reads them without any. */
export function withMeans(sample: Sample, kind: ItemKind, weights: readonly number[]): Sample {
  const isOfKind = ({ message }: { readonly message: boolean }): boolean => message === (kind === 'message');
  const own = sample.candidates.filter(isOfKind);
  if (own.length === 0) return sample;
  const mean = answerMean<never>(
    own.map(({ x }) => x),
    FEATURES[kind],
    weights,
  );
  const candidates = sample.candidates.map((candidate) =>
    isOfKind(candidate)
      ? { ...candidate, x: candidate.x.map((value, j) => (j === PLACES[kind] ? mean : value)) }
      : candidate,
  );
  return { ...sample, candidates };
}
