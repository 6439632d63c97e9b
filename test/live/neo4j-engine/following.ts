import { Neo4jFollower } from '../../../src/backends/graph/neo4j/follow/neo4j-follower.js';
import type { TransactionLimits } from '../../../src/backends/graph/neo4j/follow/write-sliced.js';
import {
  Neo4jConnection,
  type Neo4jTransaction,
  type StatementOptions,
} from '../../../src/backends/neo4j-connection.js';
import type { Random } from '../../../src/core/random.js';
import type { LedgerChange } from '../../../src/ledger/change.js';
import type { EngineCursor } from '../../../src/ledger/follower.js';
import { joinChanges } from '../../../src/ledger/write/change-builder.js';
import { changeBetween, rangeAfter, recordsOf } from '../../ledger-model/changes.js';
import { NOTHING, type Visible, World } from '../../ledger-model/world.js';
import { neo4jOptions } from '../neo4j.js';

/**
 * A connection that breaks when the test wants it to: at a statement, before the commit, or after it with the answer
 * lost.
 */
export class BreakingConnection extends Neo4jConnection {
  /** Statements and commits until it breaks; infinite for never. */
  stepsLeft = Number.POSITIVE_INFINITY;

  constructor() {
    super(neo4jOptions());
  }

  override async transact<T>(work: (tx: Neo4jTransaction) => Promise<T>, options: StatementOptions = {}): Promise<T> {
    const answer = await super.transact(
      (tx) =>
        work({
          run: (cypher, params) => {
            this.spend();
            return tx.run(cypher, params);
          },
          send: (cypher, params) => {
            this.spend();
            tx.send(cypher, params);
          },
        }),
      options,
    );
    // Committed, but the answer is lost.
    this.spend();
    return answer;
  }

  private spend(): void {
    this.stepsLeft -= 1;
    if (this.stepsLeft < 0) throw new Error('crash');
  }
}

/** A made-up ledger with its history, and replicas that bring one engine in line with it. */
export class Following {
  readonly world: World;
  /** What each write changed. */
  private readonly changes: LedgerChange[] = [];
  now: Visible = NOTHING;
  readonly records = recordsOf(() => this.now);

  constructor(
    private readonly random: Random,
    readonly ledger: string,
  ) {
    this.world = new World(random);
  }

  get version(): number {
    return this.changes.length;
  }

  /** A write of the ledger. */
  write(most?: number): void {
    this.world.change(most);
    const after = this.world.visible();
    const { version: from } = this;
    this.changes.push(changeBetween(this.now, after, { from, version: from + 1 }));
    this.now = after;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  /** One step of a replica: a resync where there is none, its next range, or some changes. True while there is more to do. */
  async step(
    follower: Neo4jFollower,
    options: { readonly rangeSize?: number; readonly onlySync?: boolean } = {},
  ): Promise<boolean> {
    const from = await follower.cursor();
    const { ledger } = this;
    if (from === null || from.ledger !== ledger) {
      await follower.move({ from, to: { ledger, version: this.version, sync: { kind: 'domain', after: 0 } } });
      return true;
    }
    const isBehind = from.version < this.version;
    if (isBehind && options.onlySync !== true && (from.sync === null || this.below(2) === 0)) {
      const version = from.version + 1 + this.below(this.version - from.version);
      const change = joinChanges(this.changes.slice(from.version, version));
      await follower.apply({ from, to: { ...from, version }, change, records: this.records });
      return true;
    }
    if (from.sync === null) return isBehind;
    const { kind, after } = from.sync;
    const range = rangeAfter(this.now, kind, { after, size: options.rangeSize ?? 1 + this.below(12) });
    const next = follower.kinds[follower.kinds.indexOf(kind) + 1];
    const isLast = range.upTo === Number.MAX_SAFE_INTEGER;
    const sync = !isLast ? { kind, after: range.upTo } : next === undefined ? null : { kind: next, after: 0 };
    await follower.sync({ from, to: { ...from, sync } satisfies EngineCursor, range, records: this.records });
    return true;
  }

  /** Steps until the engine is where the ledger is. */
  async catchUp(follower: Neo4jFollower): Promise<void> {
    while (await this.step(follower)) {
      // One more.
    }
  }
}

/** Removes all there is, the cursor too. */
export async function emptyDatabase(connection: Neo4jConnection): Promise<void> {
  await connection.schema('MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS');
}

export function followerOf(connection: Neo4jConnection, limits?: TransactionLimits): Neo4jFollower {
  return new Neo4jFollower(connection, undefined, limits);
}
