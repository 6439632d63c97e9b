import { isUnavailable } from '../core/errors.js';
import type { RetrievalParts } from './collaborators.js';
import { byCosine, byTextAndVectors, type Rank } from './score/rank.js';

/** How a question is answered while a part does not answer. */
export interface Remaining {
  readonly embedding: RetrievalParts['embedding'];
  /** Undefined: as the mode does. */
  readonly rank: Rank | undefined;
  /** Sentence for the caller. */
  readonly warning: string;
}

type Embedding = NonNullable<RetrievalParts['embedding']>;

/** Returns the parts with a model that tells whether it failed (`unavailable`) in their use. */
export function watched(parts: RetrievalParts): {
  readonly parts: RetrievalParts;
  readonly modelFailed: () => boolean;
} {
  const { embedding: model } = parts;
  if (model === null) return { parts, modelFailed: () => false };
  let failed = false;
  const embed: Embedding['embed'] = async (texts, signal) => {
    try {
      return await model.embed(texts, signal);
    } catch (error) {
      failed ||= isUnavailable(error);
      throw error;
    }
  };
  return { parts: { ...parts, embedding: { ...model, embed } }, modelFailed: () => failed };
}

/**
 * Finds out which parts do not answer, and what can answer without them; null where all do, or nothing is left. A model
 * that failed just now does not answer, whatever its health: a server counts as healthy for a while after any answer.
 */
export async function remaining(
  parts: RetrievalParts,
  question: string,
  modelFailed: boolean,
): Promise<Remaining | null> {
  const { graph, text, vectors } = parts;
  const answers = (work: () => Promise<unknown>): Promise<boolean> =>
    work().then(
      () => true,
      () => false,
    );
  const model = parts.embedding;
  const [hasModel, hasVectors, hasGraph, hasText] = await Promise.all([
    // The vector of the question may be remembered from before: only `health` asks the model itself.
    model === null || (!modelFailed && answers(() => model.health().then(() => model.embed([question])))),
    model === null || answers(() => vectors.health()),
    answers(() => graph.health()),
    answers(() => text.health()),
  ]);
  const embedding = hasModel && hasVectors ? model : null;
  if (hasModel && hasVectors && hasGraph && hasText) return null;
  if (!hasText && embedding === null) return null;
  const missing = [
    ...(hasModel ? [] : ['the embedding model']),
    ...(hasVectors ? [] : ['the vector index']),
    ...(hasGraph ? [] : ['the graph engine']),
    ...(hasText ? [] : ['the text index']),
  ];
  // Without words there is nothing that leads into the graph but the nearest vectors.
  const left = hasText
    ? ['text', ...(embedding === null ? [] : ['vectors']), ...(hasGraph ? ['graph'] : [])]
    : ['vectors'];
  return {
    embedding,
    rank: !hasText ? byCosine : hasGraph ? undefined : byTextAndVectors,
    warning: `${listed(missing)} ${missing.length === 1 ? 'does' : 'do'} not answer; items come from ${left.join(' and ')} alone.`,
  };
}

/** Formats `a, b and c`, as the beginning of a sentence. */
function listed(names: readonly string[]): string {
  const sentence = new Intl.ListFormat('en-GB').format(names);
  return sentence[0]!.toUpperCase() + sentence.slice(1);
}
