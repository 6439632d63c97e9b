import { packSentences, SentenceQuery } from '../../backends/embedding/int8.js';
import type { GraphNode } from '../../core/model.js';
import { type EmbeddedText, embeddedText } from '../../core/wording/embedded-text.js';
import type { RetrievalParts } from '../collaborators.js';
import { dot } from '../dot.js';

/** An item as the table of chains sees it. */
export interface TableVectors {
  readonly vector: Float32Array;
  /** Packed; empty where the item has no sentences. */
  readonly sentences: Uint8Array;
}

/** Characters of an item that are summed: a passage has fewer, the description of a concept may have a million. */
const LONGEST = 8192;
/** Items of more sentences are not kept: 20,000 kept ones (`ledger/read/recent-rows.ts`) take 50 MB as a rule, 110 MB at most. */
const SENTENCES = 16;

/** Made when a chain first meets the node, and kept as long as the node is. */
const kept = new WeakMap<GraphNode, TableVectors>();

/** Returns the vectors of items by the table of chains; ids that no longer exist are left out. */
export async function tableVectors(
  parts: Pick<RetrievalParts, 'graph' | 'table'>,
  ids: readonly string[],
): Promise<Map<string, TableVectors>> {
  const nodes = await parts.graph.getNodes(ids);
  const found = new Map<string, TableVectors>();
  const fresh = nodes.filter((node) => {
    const known = kept.get(node);
    if (known !== undefined) found.set(node.id, known);
    return known === undefined;
  });
  const made = await parts.table().embedSpanned(fresh.map(summed));
  fresh.forEach((node, i) => {
    const { vector, spans } = made[i]!;
    // A copy: the vectors of a batch lie in one piece of memory, which the last of them would keep.
    const vectors = { vector: vector.slice(), sentences: packSentences(spans) };
    if (spans.length <= SENTENCES) kept.set(node, vectors);
    found.set(node.id, vectors);
  });
  return found;
}

function summed(node: GraphNode): EmbeddedText {
  const { text, spans } = embeddedText(node);
  return text.length <= LONGEST
    ? { text, spans }
    : { text: text.slice(0, LONGEST), spans: spans.filter(([, end]) => end <= LONGEST) };
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
