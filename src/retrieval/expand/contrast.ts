import { SentenceQuery, unpackSentence } from '../../backends/embedding/int8.js';
import { forEachInSlices } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import { dot } from '../dot.js';
import type { Evidence } from './evidence.js';

/** Best sentences of different items that show what the candidates have in common. */
const COMMON = 10;
/** Cosine from which two sentences say the same. */
const SAME = 0.95;
/** Squared length below which nothing is left of a vector. */
const NOTHING = 1e-6;

/** What an item says: its sentences, packed, or its whole text as one vector where it has one sentence or none, with their cosines to the question. */
interface Said {
  readonly id: string;
  readonly asked: Float32Array;
  readonly sentences: Uint8Array | Float32Array;
}

/**
 * Returns the contrast of documents, concepts and rows; empty without an embedding model. An item of one sentence, or none, is compared by its vector, which
 * knows its title too.
 */
export async function documentContrasts(
  { vectors, indexName }: Pick<RetrievalParts, 'vectors' | 'indexName'>,
  nodes: readonly GraphNode[],
  { question, evidence }: { readonly question: Float32Array | null; readonly evidence: Evidence },
): Promise<Map<string, number>> {
  if (question === null) return new Map();
  const ids = nodes.flatMap(({ id, kind }) => (kind === 'entity' ? [] : [id]));
  const whole = ids.filter((id) => evidence.sentencesOf(id).length <= 1);
  const fetched = whole.length === 0 ? new Map<string, Float32Array>() : await vectors.fetch(indexName, whole);
  const said = ids.flatMap((id): Said[] => {
    const own = fetched.get(id);
    if (own !== undefined) return [{ id, asked: Float32Array.of(dot(own, question)), sentences: own }];
    const packed = evidence.packedOf(id);
    return packed === undefined ? [] : [{ id, asked: evidence.sentencesOf(id), sentences: packed }];
  });
  return contrasts(said, question);
}

/**
 * Returns for each item the cosine of the question and its best sentence, from both of which the mean of the ten best sentences of different items is taken
 * away; fewer are filled up with ones that say nothing. Candidates mostly speak of what the question names, so that their cosines are alike; what is left
 * tells what each says of it. 0..1.
 */
async function contrasts(items: readonly Said[], question: Float32Array): Promise<Map<string, number>> {
  const common = commonOf(items, question);
  const query = new SentenceQuery(common);
  const asked = dot(question, common);
  const squared = dot(common, common);
  const length = 1 - 2 * asked + squared;
  const found = new Map<string, number>();
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

/** Returns the mean of the best sentences of different items that have to do with the question, of each text one. */
function commonOf(items: readonly Said[], question: Float32Array): Float32Array {
  const dimension = question.length;
  const best = items
    .map(({ id, asked, sentences }) => {
      const place = placeOfBest(asked);
      return { id, sentences, cosine: asked[place]!, place };
    })
    .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  const taken: Float32Array[] = [];
  const common = new Float32Array(dimension);
  for (const { sentences, place, cosine } of best) {
    if (taken.length === COMMON || cosine <= 0) break;
    const vector = sentences instanceof Float32Array ? sentences : unpackSentence(sentences, place, dimension);
    if (taken.some((other) => dot(other, vector) > SAME)) continue;
    taken.push(vector);
    for (let d = 0; d < dimension; d += 1) common[d]! += vector[d]! / COMMON;
  }
  return common;
}

function placeOfBest(cosines: Float32Array): number {
  let best = 0;
  for (let i = 1; i < cosines.length; i += 1) if (cosines[i]! > cosines[best]!) best = i;
  return best;
}
