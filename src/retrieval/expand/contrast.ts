import { SentenceQuery, unpackSentences } from '../../backends/embedding/int8.js';
import { forEachInSlices } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import { dot } from '../dot.js';
import type { Question } from '../seed/question.js';
import type { Evidence } from './evidence.js';

/** Best sentences of different items that show what the candidates have in common. */
const COMMON = 10;
/** A sentence that is less near to the question counts as one that is as near, and says nothing else. */
const NEAR = 0.25;
/** Cosine from which two sentences say the same. */
const SAME = 0.95;
/** Squared length below which nothing is left of a vector. */
const NOTHING = 1e-6;

/** An item's sentences, packed, or its whole text as one vector where it has none, with their cosines to the question. */
interface Item {
  readonly id: string;
  readonly asked: Float32Array;
  readonly sentences: Uint8Array | Float32Array;
}

/**
 * Returns for each item the cosine of the question and its best sentence, from both of which the mean of the best sentences is taken away. Candidates
 * mostly speak of what the question names, so that their cosines are alike; what is left tells what each says of it. 0..1; empty without an embedding
 * model.
 */
export async function contrasts(
  parts: Pick<RetrievalParts, 'vectors' | 'indexName'>,
  nodes: readonly GraphNode[],
  { question: { vector: question }, evidence }: { readonly question: Question; readonly evidence: Evidence },
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  if (question === null) return found;
  const ids = nodes.flatMap(({ id, kind }) => (kind === 'entity' ? [] : [id]));
  const items = await itemsOf(parts, ids, { question, evidence });
  const common = commonOf(items, question);
  const query = new SentenceQuery(common);
  const asked = dot(question, common);
  const squared = dot(common, common);
  const length = 1 - 2 * asked + squared;
  await forEachInSlices(
    items,
    ({ id, asked: cosines, sentences }) => {
      const alike = sentences instanceof Float32Array ? [dot(sentences, common)] : query.scores(sentences);
      let best = 0;
      for (const [place, cosine] of cosines.entries()) {
        const left = length * (1 - 2 * alike[place]! + squared);
        if (left > NOTHING) best = Math.max(best, (cosine - asked - alike[place]! + squared) / Math.sqrt(left));
      }
      found.set(id, Math.min(1, best));
    },
    'urgent',
  );
  return found;
}

async function itemsOf(
  { vectors, indexName }: Pick<RetrievalParts, 'vectors' | 'indexName'>,
  ids: readonly string[],
  { question, evidence }: { readonly question: Float32Array; readonly evidence: Evidence },
): Promise<Item[]> {
  const whole = ids.filter((id) => evidence.packedOf(id) === undefined);
  const fetched = whole.length === 0 ? new Map<string, Float32Array>() : await vectors.fetch(indexName, whole);
  return ids.flatMap((id) => {
    const packed = evidence.packedOf(id);
    if (packed !== undefined) return { id, asked: evidence.sentencesOf(id), sentences: packed };
    const own = fetched.get(id);
    return own === undefined ? [] : { id, asked: Float32Array.of(dot(own, question)), sentences: own };
  });
}

/** Returns the mean of the best sentences of different items, of each text one. */
function commonOf(items: readonly Item[], question: Float32Array): Float32Array {
  const dimension = question.length;
  const best = items
    .map(({ id, asked, sentences }) => ({
      id,
      sentences,
      cosine: Math.max(...asked),
      place: asked.indexOf(Math.max(...asked)),
    }))
    .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  const taken: Float32Array[] = [];
  const common = new Float32Array(dimension);
  for (const { sentences, place, cosine } of best) {
    if (taken.length === COMMON || cosine < NEAR) break;
    const vector = sentences instanceof Float32Array ? sentences : unpackSentences(sentences, dimension)[place]!;
    if (taken.some((other) => dot(other, vector) > SAME)) continue;
    taken.push(vector);
    for (let d = 0; d < dimension; d += 1) common[d]! += vector[d]!;
  }
  const missing = COMMON - taken.length;
  return common.map((sum, d) => (sum + missing * NEAR * question[d]!) / COMMON);
}
