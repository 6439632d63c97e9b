/** One row of an answer: column → value (numbers are JavaScript numbers, nodes and paths the driver's objects). */
export type Neo4jRow = Readonly<Record<string, unknown>>;
export type Params = Readonly<Record<string, unknown>>;

/** Runs statements inside one transaction. */
export interface Neo4jTransaction {
  run<T extends Neo4jRow = Neo4jRow>(cypher: string, params?: Params): Promise<T[]>;
  /**
   * Sends a statement whose rows nobody reads: the next one is made while the server works on it. What it throws is thrown
   * by a later `run` or before the commit.
   */
  send(cypher: string, params?: Params): void;
}

/** What the driver's transaction does here. */
interface DriverTransaction {
  run(cypher: string, params: Params): PromiseLike<DriverResult>;
}

interface DriverResult {
  readonly records: ReadonlyArray<{ toObject(): object }>;
}

/** A transaction that is open on the server. Statements go out one after the other on one connection, also those that nobody waits for. */
export class OpenTransaction implements Neo4jTransaction {
  private readonly sent: Array<Promise<unknown>> = [];

  constructor(
    private readonly transaction: DriverTransaction,
    private readonly count: () => void,
  ) {}

  async run<T extends Neo4jRow = Neo4jRow>(cypher: string, params: Params = {}): Promise<T[]> {
    this.count();
    try {
      return rowsOf<T>(await this.transaction.run(cypher, params));
    } catch (error) {
      // The server passes over all that comes after a statement that failed: what failed first says why.
      await this.settled();
      throw error;
    }
  }

  send(cypher: string, params: Params = {}): void {
    this.count();
    const answer = Promise.resolve(this.transaction.run(cypher, params));
    answer.catch(() => undefined);
    this.sent.push(answer);
  }

  /** Resolves when the statements that were sent are done; throws what the first of them that failed says. */
  async settled(): Promise<void> {
    for (const answer of this.sent) await answer;
  }
}

export function rowsOf<T extends Neo4jRow>(result: DriverResult): T[] {
  return result.records.map((record) => record.toObject() as T);
}
