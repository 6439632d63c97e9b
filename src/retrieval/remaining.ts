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

/** Finds out which part does not answer, and what can answer without it; null where all do, or nothing is left. */
export async function remaining(parts: RetrievalParts, question: string): Promise<Remaining | null> {
  const { embedding, graph, text } = parts;
  const answers = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      () => false,
    );
  if (embedding !== null && !(await answers(embedding.embed([question])))) {
    const warning = 'The embedding model does not answer; items come from text and graph alone.';
    return { embedding: null, rank: undefined, warning };
  }
  const [hasGraph, hasText] = await Promise.all([answers(graph.health()), answers(text.health())]);
  if (!hasText) {
    if (embedding === null) return null;
    return { embedding, rank: byCosine, warning: 'The text index does not answer; items come from vectors alone.' };
  }
  if (hasGraph) return null;
  const warning = 'The graph engine does not answer; items come from text and vectors alone.';
  return { embedding, rank: byTextAndVectors, warning };
}
