import { int, type Neo4jTransaction } from '../../../neo4j-connection.js';
import { beingRestored } from '../checkpoint/checkpoints.js';

/** Milliseconds after which a stage that nobody went on with is cleared away. */
export const PATIENCE = 60_000;
/** The server's time now, not that of the statement's start: a statement may have waited for the lock. */
export const NOW = 'datetime.realtime().epochMillis';

/** Keeps others out from now on. */
export function hold(
  tx: Neo4jTransaction,
  {
    staging,
    staged = 0,
    patience = PATIENCE,
  }: { readonly staging: string; readonly staged?: number; readonly patience?: number },
): Promise<unknown> {
  return tx.run(
    `MATCH (g:Graph {name: 'graph'})
     SET g.staging = $staging, g.staged = $staged, g.staging_until = ${NOW} + $patience`,
    { staging, staged: int(staged), patience: int(patience) },
  );
}

/** Who stages. */
export interface StageState {
  readonly staging: string | null;
  readonly staged: number;
  /** True where whoever staged did not say lately that it lives. */
  readonly expired: boolean;
}

/** Takes the lock, and says who stages. `unavailable` while a checkpoint is being put back in steps. */
export async function stateOf(tx: Neo4jTransaction): Promise<StageState> {
  const [row] = await tx.run<{
    staging: string | null;
    staged: number | null;
    expired: boolean;
    restoring: string | null;
  }>(
    `MATCH (g:Graph {name: 'graph'}) SET g.lock = true REMOVE g.lock
     RETURN g.staging AS staging, g.staged AS staged, g.restoring AS restoring,
       coalesce(g.staging_until, 0) < ${NOW} AS expired`,
  );
  if (typeof row?.restoring === 'string') throw beingRestored();
  return { staging: row?.staging ?? null, staged: row?.staged ?? 0, expired: row?.expired ?? true };
}
