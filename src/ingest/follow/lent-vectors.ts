import type { SpannedEmbedding } from '../../backends/embedding/port.js';
import type { GraphNode } from '../../core/model.js';
import { Embedded } from '../index/embed.js';

/** Vectors that writes of this process have just made, until the engines that follow have taken them over. */
export class LentVectors {
  private readonly lent = new Set<Embedded>();

  /** Lends the vectors while `work` runs. */
  async during<T>(known: Embedded, work: () => Promise<T>): Promise<T> {
    this.lent.add(known);
    try {
      return await work();
    } finally {
      this.lent.delete(known);
    }
  }

  /** Returns the lent vectors of these nodes, of one model. */
  of(model: string | null, nodes: readonly GraphNode[]): Embedded {
    const found = new Embedded(model);
    for (const known of this.lent) {
      if (known.model !== model) continue;
      for (const node of nodes) {
        const vectors: SpannedEmbedding | undefined = known.get(node);
        if (vectors !== undefined) found.addNode(node, vectors);
      }
    }
    return found;
  }
}
