import { SvcError } from '../../../core/errors.js';
import type { Neo4jConnection, Params, Row } from '../../neo4j-connection.js';
import { chunks } from '../../store/sql.js';
import { beingRestored } from './checkpoints.js';

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

/** Reads from the graph, in as few round trips as the callers' order of asking allows. */
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

  /** Runs a plain statement over `$rows`, a batch at a time; answers the rows of all. */
  async each<T extends Row = Row>(cypher: string, rows: Iterable<unknown>, params: Params = {}): Promise<T[]> {
    const answers: T[] = [];
    for (const part of chunks([...rows], BATCH)) {
      for (const row of await this.connection.read<T>(cypher, { ...params, rows: part })) answers.push(row);
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
      `MATCH (g:Graph {name: 'graph'}) ${parts.join(' ')} RETURN g.version AS version, g.restoring AS restoring, ${columns}`,
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
