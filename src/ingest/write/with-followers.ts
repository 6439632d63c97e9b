import type { GraphBackend } from '../../backends/graph/port.js';
import type { Followers } from '../../ledger/followers/followers.js';
import type { LentVectors } from '../follow/lent-vectors.js';
import type { Embedded } from '../index/embed.js';

export interface FollowedPorts {
  readonly graph: Pick<GraphBackend, 'version'>;
  /** Engines outside the store that follow the ledger; without any, nothing is waited for. */
  readonly followers?: Pick<Followers, 'names' | 'ready' | 'applied' | 'unapplied'>;
  /** Vectors that engines outside the store take over; without such engines, none are lent. */
  readonly lent?: LentVectors;
}

/**
 * Runs a write. Throws `unavailable` before it where an engine that queries read is known to be down; afterwards waits
 * until such engines have applied it. Returns a warning for each that has not in time: the write is kept and will show.
 */
export async function withFollowers<T>(
  { graph, followers }: FollowedPorts,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly warnings: readonly string[] }> {
  if (followers === undefined || followers.names.length === 0) return { value: await work(), warnings: [] };
  followers.ready();
  const value = await work();
  return { value, warnings: await followers.applied(await graph.version()) };
}

/** Runs a write while engines that follow it may take its vectors. */
export async function lending<T>(
  { lent }: Pick<FollowedPorts, 'lent'>,
  known: Promise<Embedded>,
  work: () => Promise<T>,
): Promise<T> {
  if (lent === undefined) return work();
  // A fast model embeds while the graph is written; the lent vectors must be there before the engines follow.
  return lent.during(await known, work);
}
