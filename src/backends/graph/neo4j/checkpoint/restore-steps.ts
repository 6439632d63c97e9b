import { randomUUID } from 'node:crypto';
import { SvcError } from '../../../../core/errors.js';
import { int, type Neo4jConnection, type Neo4jTransaction, type Params, type Row } from '../../../neo4j-connection.js';
import { LABELS, type Run } from './checkpoint-rows.js';

const PAGE = 10_000;
const FRESH = "MATCH (g:Graph {name: 'graph'}) SET g.lock = 1 REMOVE g.lock";

/**
 * The transactions that put a large checkpoint back, each done exactly once. The driver repeats one whose commit got no
 * answer; a count on the `Graph` node, written with each, tells that it had been done. So is a process told off that was
 * held up for so long that another one has taken its place: that one's mark stands there.
 */
export class RestoreSteps {
  private readonly token = randomUUID();
  private taken = 0;

  private constructor(
    private readonly connection: Neo4jConnection,
    private readonly id: string,
  ) {}

  /** Takes over the restore of checkpoint `id`, which is marked on the graph. */
  static async begin(connection: Neo4jConnection, id: string): Promise<RestoreSteps> {
    const steps = new RestoreSteps(connection, id);
    const rows = await connection.write((tx) => {
      return tx.run(`${FRESH} WITH g WHERE g.restoring = $id SET g.restorer = $token, g.restored = 0 RETURN 1`, {
        id,
        token: steps.token,
      });
    });
    if (rows.length === 0) throw takenOver();
    return steps;
  }

  /** Runs a statement as one step. */
  readonly run: Run = <T extends Row>(cypher: string, params?: Params): Promise<T[]> => {
    return this.step((tx) => tx.run<T>(cypher, params));
  };

  /** Removes what is there, staged loads and domains that go too. */
  async empty(): Promise<void> {
    for (const label of [...LABELS, 'Staged', 'StagedSource', 'Going']) {
      for (let gone = PAGE; gone === PAGE; ) {
        const [row] = await this.run<{ gone: number }>(
          `MATCH (n:${label}) WITH n LIMIT $page DETACH DELETE n RETURN count(*) AS gone`,
          { page: int(PAGE) },
        );
        gone = row?.gone ?? 0;
      }
    }
  }

  /** The last step: the graph is whole again, with a version of at least `least` that is higher than any before. */
  async end(least: number): Promise<void> {
    await this.run(
      `MATCH (g:Graph {name: 'graph'})
       SET g.version = CASE WHEN g.version > $least THEN g.version ELSE $least END + 1, g.tables = $id
       REMOVE g.restoring`,
      { least: int(least), id: this.id },
    );
  }

  private async step<T>(work: (tx: Neo4jTransaction) => Promise<T>): Promise<T> {
    this.taken += 1;
    let done: { readonly value: T } | undefined;
    return this.connection.write(async (tx) => {
      const [now] = await tx.run<{ restorer: string | null; restored: number }>(
        `${FRESH} RETURN g.restorer AS restorer, g.restored AS restored`,
      );
      if (now?.restorer !== this.token) throw takenOver();
      // Ids that the server gave are those of the run that was committed.
      if (done !== undefined && now.restored >= this.taken) return done.value;
      const value = await work(tx);
      await tx.run("MATCH (g:Graph {name: 'graph'}) SET g.restored = $taken", { taken: int(this.taken) });
      done = { value };
      return value;
    });
  }
}

function takenOver(): SvcError {
  return new SvcError(
    'unavailable',
    'Another process has gone on with this restore; wait until that has ended.',
    undefined,
    { retriable: true, retryAfter: 5 },
  );
}
