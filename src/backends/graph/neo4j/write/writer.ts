import { randomUUID } from 'node:crypto';
import { slicer } from '../../../../core/slices.js';
import { type Counts, countsAt } from '../../../../ledger/read/counts.js';
import { int, type Neo4jConnection, type Neo4jTransaction, type Row } from '../../../neo4j-connection.js';
import { chunks } from '../../../store/sql.js';
import { beingRestored } from '../checkpoint/checkpoints.js';
import { afterStages, Staging } from '../stage/stage.js';
import type { Staged } from '../stage/stage-load.js';
import { hold } from '../stage/stage-state.js';

/** How many rows go into one `UNWIND`: packing them takes the event loop some milliseconds. */
const BATCH = 2000;
/** Statements under way at once in a transaction: the server runs one while the next ones are packed. */
const AHEAD = 4;

/** One writing transaction: nobody else writes until it ends. */
export class WriteState {
  /** True once something was written. */
  touched = false;
  /** Keeps other writers out after this write, for the clearing of this token. */
  clearing: string | null = null;
  private readonly counted = new Map<string, Counts>();

  constructor(
    readonly tx: Neo4jTransaction,
    /** Version that this write will make. */
    readonly version: number,
    /** What was staged for this write, to be made seen by it. */
    readonly staged: Staged | null = null,
  ) {}

  /** Steps of a domain's counts, to be added to. */
  count(domain: string): Counts {
    return countsAt(this.counted, domain);
  }

  /** Runs a statement over `$rows`, batch after batch; answers the rows of all. Nothing runs without rows. */
  async each<T extends Row = Row>(cypher: string, rows: Iterable<unknown>, params: Row = {}): Promise<T[]> {
    const answers: T[] = [];
    const running: Array<Promise<T[]>> = [];
    const pause = slicer();
    for (const part of chunks([...rows], BATCH)) {
      if (running.length === AHEAD) append(answers, await running.shift()!);
      const run = this.tx.run<T>(cypher, { ...params, rows: part });
      // The first that fails is thrown; those behind it fail with it.
      run.catch(() => undefined);
      running.push(run);
      await pause();
    }
    for (const run of running) append(answers, await run);
    return answers;
  }

  /** Writes counts and version: the last statements of the transaction. */
  async finish(token: string): Promise<void> {
    if (!this.touched) return;
    const rows = [...this.counted].map(([name, steps]) => ({ name, ...steps }));
    await this.each(
      `UNWIND $rows AS row MATCH (d:Domain {name: row.name})
       SET d.concepts = d.concepts + toInteger(row.concepts), d.edges = d.edges + toInteger(row.edges),
           d.rules = d.rules + toInteger(row.rules), d.passages = d.passages + toInteger(row.passages)`,
      rows,
    );
    await this.tx.run(
      `MATCH (g:Graph {name: 'graph'}) SET g.version = $version, g.writes = ([$token] + g.writes)[..200]
       REMOVE g.staging, g.staged, g.staging_until`,
      { version: int(this.version), token },
    );
    if (this.clearing !== null) await hold(this.tx, { staging: this.clearing });
  }
}

function append<T>(answers: T[], rows: readonly T[]): void {
  for (const row of rows) answers.push(row);
}

/** What the writing functions of one domain work with. */
export interface Writer {
  readonly state: WriteState;
  readonly domain: string;
}

/**
 * Runs `work` in one managed transaction that holds the graph's lock. The driver repeats it after a lost connection, also
 * one lost during the commit: the token that each write leaves behind tells whether it was done already.
 */
export async function inWrite<T>(
  connection: Neo4jConnection,
  work: (state: WriteState) => Promise<T>,
  staged: Staged | null = null,
): Promise<T> {
  const token = randomUUID();
  let done: { readonly value: T } | undefined;
  const write = async (tx: Neo4jTransaction): Promise<T> => {
    const [graph] = await tx.run<GraphRow>(
      `MATCH (g:Graph {name: 'graph'}) SET g.lock = $token REMOVE g.lock
       RETURN g.version AS version, $token IN g.writes AS written, g.restoring AS restoring,
         g.staging AS staging, g.staging_until < timestamp() AS expired`,
      { token },
    );
    if (typeof graph?.restoring === 'string') throw beingRestored();
    if (graph?.written === true && done !== undefined) return done.value;
    if ((graph?.staging ?? null) !== (staged?.token ?? null)) throw new Staging(graph?.expired === true);
    const state = new WriteState(tx, (graph?.version ?? 0) + 1, staged);
    const value = await work(state);
    await state.finish(token);
    done = { value };
    return value;
  };
  return staged === null ? afterStages(connection, () => connection.write(write)) : connection.write(write);
}

interface GraphRow {
  readonly version: number;
  readonly written: boolean;
  readonly restoring: string | null;
  readonly staging: string | null;
  readonly expired: boolean | null;
  readonly [column: string]: unknown;
}
