import type { GraphNode } from '../../core/model.js';
import { wordsOf } from '../../core/text/words.js';
import { compoundsIn } from './held-compounds.js';
import type { Question } from './question.js';

/** What a sentence with all words of the question is worth, on the scale of a cosine. */
const FULL = 0.7;

/**
 * Scores sentences without an embedding model: the idf share of the question's words that each holds, times 0.7 (nearly
 * as good as a sentence vector). A concept is one sentence. Bare entities are left out.
 */
export function lexicalScores(
  nodes: readonly GraphNode[],
  question: Pick<Question, 'terms' | 'language' | 'compounds'>,
): Map<string, Float32Array> {
  let total = 0;
  for (const idf of question.terms.values()) total += idf;
  const scores = new Map<string, Float32Array>();
  for (const node of nodes) {
    if (node.kind === 'entity') continue;
    const spans = node.passage?.sentences ?? [];
    const sentences =
      spans.length === 0
        ? [`${node.name} ${node.description}`]
        : spans.map(([start, end]) => node.description.slice(start, end));
    scores.set(
      node.id,
      Float32Array.from(sentences, (text) => share(text, question, total)),
    );
  }
  return scores;
}

function share(
  text: string,
  { terms, language, compounds }: Pick<Question, 'terms' | 'language' | 'compounds'>,
  total: number,
): number {
  if (total === 0) return 0;
  let found = 0;
  const words = wordsOf(text, language);
  const content = words.filter(({ stop }) => !stop);
  const stems = new Set([...content, ...compoundsIn(compounds, words)].map(({ stem }) => stem));
  for (const term of stems) found += terms.get(term) ?? 0;
  return (FULL * found) / total;
}
