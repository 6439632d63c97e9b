import { SentenceQuery, unpackSentence } from '../../backends/embedding/int8.js';
import { forEachInSlices } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import { dot } from '../dot.js';
import type { Evidence } from './evidence.js';

/** Best sentences of different items that show what the candidates have in common. */
const COMMON = 10;
/** Items whose vectors are read first to find them. */
const READ = 12;
/** Cosine from which two sentences say the same. */
const SAME = 0.95;
/** Squared length below which nothing is left of a vector. */
const NOTHING = 1e-6;

/** An item with the cosines of what it says to the question: of its sentences, or of its whole text as one vector where it has one sentence or none. */
interface ComparedItem {
  readonly id: string;
  readonly asked: Float32Array;
  /** Packed; null where the item is compared by its vector. */
  readonly sentences: Uint8Array | null;
}

type Vectors = Pick<RetrievalParts, 'vectors' | 'indexName'>;

/**
 * Returns the contrast of documents, concepts and rows; empty without an embedding model. An item of one sentence, or none, is compared by its vector, which
 * knows its title too: the index compares it, and gives the few that show what all have in common.
 *
 * It is the cosine of the question and the item's best sentence, from both of which the mean of the ten best sentences of different items is taken
 * away; fewer are filled up with ones that say nothing. Candidates mostly speak of what the question names, so that their cosines are alike; what is left
 * tells what each says of it. 0..1.
 */
export async function documentContrasts(
  parts: Vectors,
  nodes: readonly GraphNode[],
  { question, evidence }: { readonly question: Float32Array | null; readonly evidence: Evidence },
): Promise<Map<string, number>> {
  if (question === null) return new Map();
  const items = nodes.flatMap(({ id, kind }): ComparedItem[] => {
    const direct = kind === 'entity' ? undefined : evidence.get(id);
    if (direct === undefined) return [];
    const sentences = evidence.sentencesOf(id);
    const packed = sentences.length > 1 ? evidence.packedOf(id) : undefined;
    return [
      packed === undefined
        ? { id, asked: Float32Array.of(direct.cosine), sentences: null }
        : { id, asked: sentences, sentences: packed },
    ];
  });
  const common = await commonOf(parts, items, question);
  const squared = dot(common, common);
  const asked = dot(question, common);
  const likeCommon = await wholeLike(parts, items, { common, size: Math.sqrt(squared) });
  const query = new SentenceQuery(common);
  const length = 1 - 2 * asked + squared;
  const found = new Map<string, number>();
  await forEachInSlices(
    items,
    ({ id, asked: cosines, sentences }) => {
      const alike = sentences === null ? [likeCommon.get(id)] : query.scores(sentences);
      let best = 0;
      for (let place = 0; place < cosines.length; place += 1) {
        const near = alike[place];
        // Without a vector there is nothing to compare.
        const left = near === undefined ? 0 : length * (1 - 2 * near + squared);
        if (left > NOTHING) best = Math.max(best, (cosines[place]! - asked - near! + squared) / Math.sqrt(left));
      }
      found.set(id, Math.min(1, best));
    },
    'urgent',
  );
  return found;
}

/** Returns the products of `common`, which has a size, with the vectors of the items that are compared by theirs. */
async function wholeLike(
  { vectors, indexName }: Vectors,
  items: readonly ComparedItem[],
  { common, size }: { readonly common: Float32Array; readonly size: number },
): Promise<Map<string, number>> {
  const ids = items.flatMap(({ id, sentences }) => (sentences === null ? [id] : []));
  if (ids.length === 0 || size === 0) return new Map();
  const cosines = await vectors.score(indexName, common, ids);
  return new Map([...cosines].map(([id, cosine]) => [id, size * cosine]));
}

/** Returns the mean of the best sentences of different items that have to do with the question, of each text one. */
async function commonOf(parts: Vectors, items: readonly ComparedItem[], question: Float32Array): Promise<Float32Array> {
  const best = items
    .map(({ id, asked, sentences }) => {
      const place = placeOfBest(asked);
      return { id, sentences, cosine: asked[place]!, place };
    })
    .filter(({ cosine }) => cosine > 0)
    .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  const taken: Float32Array[] = [];
  const common = new Float32Array(question.length);
  // Mostly the first ones differ; where copies stand among them, more are read.
  for (let from = 0, to = READ; from < best.length && taken.length < COMMON; from = to, to *= 4) {
    const some = best.slice(from, to);
    const whole = some.flatMap(({ id, sentences }) => (sentences === null ? [id] : []));
    const read = whole.length === 0 ? undefined : await parts.vectors.fetch(parts.indexName, whole);
    for (const { id, sentences, place } of some) {
      const vector = sentences === null ? read?.get(id) : unpackSentence(sentences, place, question.length);
      if (taken.length === COMMON || vector === undefined) continue;
      if (taken.some((other) => dot(other, vector) > SAME)) continue;
      taken.push(vector);
      for (let d = 0; d < common.length; d += 1) common[d]! += vector[d]! / COMMON;
    }
  }
  return common;
}

function placeOfBest(cosines: Float32Array): number {
  let best = 0;
  for (let i = 1; i < cosines.length; i += 1) if (cosines[i]! > cosines[best]!) best = i;
  return best;
}
