import { MESSAGE_FEATURES } from '../../src/retrieval/conversation/message-features.js';
import { DOCUMENT_FEATURES } from '../../src/retrieval/score/document-features.js';
import { MIXED_FEATURES, mixedModel } from '../../src/retrieval/score/mixed.js';
import type { ModelRanker, Ranker } from '../../src/retrieval/score/ranker-types.js';

/**
 * Returns a ranker without any weight: training reads features through it, so that what it writes does not depend on the
 * file that it replaces.
 */
export function untrainedRanker(direct: Ranker['direct'], prior: number): Ranker {
  const none: ModelRanker = {
    vec: { slope: 1, offset: 0 },
    document: { intercept: 0, weights: DOCUMENT_FEATURES.map(() => 0) },
    message: { intercept: 0, weights: MESSAGE_FEATURES.map(() => 0) },
    mixed: mixedModel({ intercept: 0, weights: MIXED_FEATURES.map(() => 0) }),
  };
  return {
    direct,
    prior,
    days: { asked: 0, other: 0 },
    explanation: { row: 0 },
    cells: { empty: 0, missing: 0 },
    chains: { first: 0, second: 0, fading: 1 },
    models: { none, other: none },
  };
}
