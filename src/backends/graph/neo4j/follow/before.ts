import { randomUUID } from 'node:crypto';
import type { HeldCursor } from '../../../neo4j-connection/cursor.js';
import type { Neo4jTransaction } from '../../../neo4j-connection.js';
import { type LastNumbers, NOTHING_NEW } from './rows.js';

/** Knows what the engine had before a step. */
export class Before {
  /** Name under which the transactions of the step hold the cursor. */
  private name = randomUUID();
  private last = NOTHING_NEW;

  constructor(private readonly isKnown: boolean) {}

  get holder(): string {
    return this.name;
  }

  /** Call it when a transaction failed: what it did is not known for sure. */
  forget(): void {
    this.name = randomUUID();
  }

  /** Returns what the engine had: anew where somebody else held the cursor since, who may have written too. Hold it first. */
  async read(tx: Neo4jTransaction, { before }: HeldCursor): Promise<LastNumbers> {
    if (!this.isKnown || before === this.name) return this.last;
    const [node, key] = await Promise.all([lastOf(tx, 'Node'), lastOf(tx, 'Key')]);
    this.last = { node, key };
    return this.last;
  }
}

/** Returns the largest number; the server takes it from the end of the index. */
async function lastOf(tx: Neo4jTransaction, label: 'Node' | 'Key'): Promise<number> {
  const [row] = await tx.run<{ last: number | null }>(`MATCH (x:${label}) WHERE x.ref > 0 RETURN max(x.ref) AS last`);
  return row?.last ?? 0;
}
