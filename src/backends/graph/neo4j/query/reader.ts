import { isUnavailable } from '../../../../core/errors.js';
import { TakenOver } from '../../../../ledger/followers/taken-over.js';
import type { Neo4jConnection, Neo4jRow, Params } from '../../../neo4j-connection.js';

/** A query rather answers without the graph than wait longer for a server that is lost, ms. */
const RETRY_MS = 3000;

interface PendingRead {
  readonly statement: string;
  readonly params: Params;
  readonly resolve: (rows: never[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads from the graph, in as few round trips as the callers' order of asking allows. */
export class Reader {
  /** Ledger version that the latest answer was as of. */
  version = 0;
  private pending: PendingRead[] = [];
  /** The latest read found the server lost: the next ones look once whether it is back, and wait no longer. */
  private isLost = false;

  /** `ledger` returns the id of the ledger whose graph is asked for; without it, any is taken. */
  constructor(
    private readonly connection: Neo4jConnection,
    private readonly engine: string,
    private readonly ledger?: () => Promise<string>,
  ) {}

  /** `statement` ends in `RETURN … AS row` and reads `$p`. Those asked for in one tick go to the server as one. */
  ask<T>(statement: string, params: Params = {}): Promise<T[]> {
    const rows = new Promise<T[]>((resolve, reject) => {
      this.pending.push({ statement, params, resolve, reject });
      if (this.pending.length === 1) setImmediate(() => this.flush());
    });
    // A caller may ask for two things and give up on the second when the first fails: that must not end the process.
    rows.catch(() => undefined);
    return rows;
  }

  private flush(): void {
    const pending = this.pending;
    this.pending = [];
    for (const batch of batchesOf(pending)) {
      this.together(batch).catch(async (error: unknown) => {
        const isLost = isUnavailable(error);
        // One of the statements failed: each gets an answer of its own.
        for (const one of batch) {
          if (isLost || batch.length === 1) one.reject(error);
          else await this.together([one]).catch(one.reject);
        }
      });
    }
  }

  private async together(batch: readonly PendingRead[]): Promise<void> {
    const parts = batch.map(({ statement }, i) => {
      return `CALL () { CALL () { ${statement.replace(/\$p\b/g, `$p${i}`)} } RETURN collect(row) AS r${i} }`;
    });
    const columns = batch.map((_, i) => `r${i}`).join(', ');
    const params = Object.fromEntries(batch.map((one, i) => [`p${i}`, one.params]));
    const [own, [answer]] = await Promise.all([
      this.ledger?.(),
      this.read(
        `CALL () { OPTIONAL MATCH (c:Cursor {engine: $engine}) RETURN c.version AS version, c.ledger AS ledger }
         ${parts.join(' ')} RETURN version, ledger, ${columns}`,
        { ...params, engine: this.engine },
      ),
    ]);
    const found = answer?.ledger ?? own;
    if (own !== undefined && found !== own) throw new TakenOver(this.engine);
    this.version = (answer?.version as number | null | undefined) ?? 0;
    for (const [i, { resolve }] of batch.entries()) resolve((answer?.[`r${i}`] ?? []) as never[]);
  }

  private async read(cypher: string, params: Params): Promise<Neo4jRow[]> {
    try {
      const rows = await this.connection.read(cypher, params, { retryTime: this.isLost ? 0 : RETRY_MS });
      this.isLost = false;
      return rows;
    } catch (error) {
      this.isLost = isUnavailable(error);
      throw error;
    }
  }
}

/** Divides statements into batches, none twice in one, in a fixed order: the server plans few texts, once each. */
function batchesOf(questions: readonly PendingRead[]): PendingRead[][] {
  const batches: Array<Map<string, PendingRead>> = [];
  for (const one of questions) {
    const batch = batches.find((candidate) => !candidate.has(one.statement));
    if (batch === undefined) batches.push(new Map([[one.statement, one]]));
    else batch.set(one.statement, one);
  }
  return batches.map((batch) => [...batch.values()].sort((a, b) => (a.statement < b.statement ? -1 : 1)));
}
