import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import { dot } from '../dot.js';
import { contrasts, type Said } from './contrast.js';
import type { Evidence } from './evidence.js';

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
