import { SvcError } from '../../../../core/errors.js';
import type { Neo4jConnection, Params } from '../../../neo4j-connection.js';
import { chunks } from '../../../store/sql.js';
import { beingRestored } from '../checkpoint/checkpoints.js';

/**
 * A reading statement that ends in `RETURN … AS row`; its parameters are the members of `$p`. Statements asked for in the
 * same turn of the event loop go to the server as one.
 */
export type Statement = string;

interface Asked {
  readonly statement: Statement;
  readonly params: Params;
  readonly answer: (rows: never[]) => void;
  readonly fail: (error: unknown) => void;
}

const BATCH = 5000;

/** A row where a checkpoint is being put back in steps. */
const MARK = "MATCH (g:Graph {name: 'graph'}) WHERE g.restoring IS NOT NULL RETURN {restoring: g.restoring} AS row";

/**
 * Reads from the graph, in as few round trips as the callers' order of asking allows. All reading goes through here: each
 * statement also looks, before and after, whether a checkpoint is being put back in steps, and throws `unavailable` then.
 */
export class Reader {
  /** Version that the latest answer was as of. */
  version = -1;
  private asked: Asked[] = [];

  constructor(private readonly connection: Neo4jConnection) {}

  /** Rows of a statement. */
  ask<T>(statement: Statement, params: Params = {}): Promise<T[]> {
    return new Promise((answer, fail) => {
      this.asked.push({ statement, params, answer, fail });
      if (this.asked.length === 1) setImmediate(() => this.flush());
    });
  }

  /**
   * Rows of a plain statement that ends in `RETURN … AS row`, in its order: one round trip of its own, for answers that
   * may be too long to be collected on the server.
   */
  async rows<T>(cypher: string, params: Params = {}): Promise<T[]> {
    const found = await this.connection.read<{ row: T }>(`${MARK} UNION ALL ${cypher} UNION ALL ${MARK}`, params);
    return found.map(({ row }) => {
      if (typeof row === 'object' && row !== null && 'restoring' in row) throw beingRestored();
      return row;
    });
  }

  /** Runs such a statement over `$rows`, a batch at a time; answers the rows of all. */
  async each<T>(cypher: string, rows: Iterable<unknown>, params: Params = {}): Promise<T[]> {
    const answers: T[] = [];
    for (const part of chunks([...rows], BATCH)) {
      for (const row of await this.rows<T>(cypher, { ...params, rows: part })) answers.push(row);
    }
    return answers;
  }

  private flush(): void {
    const asked = this.asked;
    this.asked = [];
    for (const batch of batchesOf(asked)) {
      this.together(batch).catch(async (error: unknown) => {
        const lost = error instanceof SvcError && error.code === 'unavailable';
        // One of them is to blame: each gets its own answer.
        for (const one of batch) {
          if (lost || batch.length === 1) one.fail(error);
          else await this.together([one]).catch(one.fail);
        }
      });
    }
  }

  private async together(asked: readonly Asked[]): Promise<void> {
    const parts = asked.map(({ statement }, i) => {
      return `CALL () { CALL () { ${statement.replace(/\$p\b/g, `$p${i}`)} } RETURN collect(row) AS r${i} }`;
    });
    const columns = asked.map((_, i) => `r${i}`).join(', ');
    const params = Object.fromEntries(asked.map((one, i) => [`p${i}`, one.params]));
    const [answer] = await this.connection.read(
      `MATCH (g:Graph {name: 'graph'}) WITH g, g.restoring AS before ${parts.join(' ')}
       MATCH (after:Graph {name: 'graph'})
       RETURN g.version AS version, coalesce(before, after.restoring) AS restoring, ${columns}`,
      params,
    );
    if (typeof answer?.restoring === 'string') throw beingRestored();
    if (answer?.version !== undefined) this.version = answer.version as number;
    for (const [i, { answer: done }] of asked.entries()) done((answer?.[`r${i}`] ?? []) as never[]);
  }
}

/** No statement twice in one, and always in the same order: the server plans few different texts, once each. */
function batchesOf(asked: readonly Asked[]): Asked[][] {
  const batches: Array<Map<Statement, Asked>> = [];
  for (const one of asked) {
    const batch = batches.find((candidate) => !candidate.has(one.statement));
    if (batch === undefined) batches.push(new Map([[one.statement, one]]));
    else batch.set(one.statement, one);
  }
  return batches.map((batch) => [...batch.values()].sort((a, b) => (a.statement < b.statement ? -1 : 1)));
}
