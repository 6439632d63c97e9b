import type {
  ApplyStep,
  EngineCursor,
  Follower,
  RangeDifference,
  SyncOutcome,
  SyncRange,
  SyncStep,
} from '../../../../ledger/follower.js';
import { RECORD_KINDS } from '../../../../ledger/records.js';
import { holdCursor, moveCursor, readCursor } from '../../../neo4j-connection/cursor.js';
import type { Neo4jConnection } from '../../../neo4j-connection.js';
import { applyToNeo4j } from './apply.js';
import { compareNeo4j, syncNeo4j } from './sync.js';
import { NEO4J, type TransactionLimits } from './write-sliced.js';

/** Keeps the visible graph in Neo4j up to date with the ledger; nothing else writes to it. */
export class Neo4jFollower implements Follower {
  readonly name = NEO4J;
  readonly onQueryPath = true;
  readonly kinds = RECORD_KINDS;

  /**
   * `ready` resolves when the server is there with its constraints and indexes; it is called before each look at the cursor.
   * `limits`: of the transactions that apply a change.
   */
  constructor(
    private readonly connection: Neo4jConnection,
    private readonly ready: () => Promise<void> = () => Promise.resolve(),
    private readonly limits?: TransactionLimits,
  ) {}

  async cursor(): Promise<EngineCursor | null> {
    await this.ready();
    return readCursor(this.connection, NEO4J);
  }

  move({ from, to }: { readonly from: EngineCursor | null; readonly to: EngineCursor }): Promise<boolean> {
    return this.connection.transact(async (tx) => {
      if ((await holdCursor(tx, NEO4J, from)) === null) return false;
      moveCursor(tx, NEO4J, { to });
      return true;
    });
  }

  apply(step: ApplyStep): Promise<boolean> {
    return applyToNeo4j(this.connection, step, this.limits);
  }

  sync(step: SyncStep): Promise<SyncOutcome | null> {
    return syncNeo4j(this.connection, step);
  }

  compare(range: SyncRange, before: number): Promise<RangeDifference> {
    return compareNeo4j(this.connection, range, before);
  }
}
