import { packSentences, SentenceQuery } from '../../backends/embedding/int8.js';
import type { GraphNode } from '../../core/model.js';
import { embeddedText } from '../../core/wording/embedded-text.js';
import type { RetrievalParts } from '../collaborators.js';
import { dot } from '../dot.js';

/** An item as the table of chains sees it. */
export interface TableVectors {
  readonly vector: Float32Array;
  /** Packed; empty where the item has no sentences. */
  readonly sentences: Uint8Array;
}

/** Made when a chain first meets the node, and kept as long as the node is: 2.5 kB for a passage of five sentences. */
const made = new WeakMap<GraphNode, TableVectors>();

/** Returns the vectors of items by the table of chains; ids that no longer exist are left out. */
export async function tableVectors(
  parts: Pick<RetrievalParts, 'graph' | 'table'>,
  ids: readonly string[],
): Promise<Map<string, TableVectors>> {
  const nodes = await parts.graph.getNodes(ids);
  const fresh = nodes.filter((node) => !made.has(node));
  if (fresh.length > 0) {
    const vectors = await parts.table().embedSpanned(fresh.map(embeddedText));
    fresh.forEach((node, i) => {
      const { vector, spans } = vectors[i]!;
      // A copy: the vectors of a batch lie in one piece of memory, which the last of them would keep.
      made.set(node, { vector: vector.slice(), sentences: packSentences(spans) });
    });
  }
  return new Map(nodes.map((node) => [node.id, made.get(node)!]));
}

/** A question in the table's terms. */
export class TableQuery {
  private readonly query: SentenceQuery;

  constructor(private readonly vector: Float32Array) {
    this.query = new SentenceQuery(vector);
  }

  /** Returns the cosine with the item plus the cosine with its best sentence. */
  similarity({ vector, sentences }: TableVectors): number {
    const cosine = dot(this.vector, vector);
    return cosine + (this.query.best(sentences) ?? cosine);
  }

  /** Returns the cosine with each sentence of the item. */
  sentencesOf({ sentences }: TableVectors): Float32Array {
    return this.query.scores(sentences);
  }
}
