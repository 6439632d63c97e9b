import type { Kysely } from 'kysely';
import { dropWeights } from '../../backends/store/learning/domain-rankers.js';
import {
  anyLearnt,
  deleteLearnt,
  deleteLearntEdges,
  learntEdges,
} from '../../backends/store/learning/interoception-nodes.js';
import { deleteArms, knownArms } from '../../backends/store/learning/learning-arms.js';
import { finishDeletion, startDeletion } from '../../backends/store/learning/learning-partitions.js';
import { addToCounters } from '../../backends/store/learning/querylog.js';
import type { Database } from '../../backends/store/schema.js';
import { CREDIT } from '../credit/credit-account.js';
import { EPOCH, VERSION } from './interoception-settings.js';

/**
 * Forgets the effects of feedback on nodes that no longer exist: feedback on them, their priors, pairs and credit, the
 * factors of their edges. Inside the caller's transaction, best as its last statements: feedback waits for it.
 */
export async function forgetNodes(db: Kysely<Database>, ids: readonly string[]): Promise<void> {
  const removed = new Set(ids);
  const domains = new Set(ids.map((id) => id.slice(0, Math.max(0, id.indexOf(':')))));
  const edges = await learntEdges(db, [...domains].sort(), (edge) => touches(edge, removed));
  if (edges.length > 0 || (await anyLearnt(db, ids))) {
    // First of the writes, as with feedback: two that forget and rate at once wait instead of blocking each other.
    const { [VERSION]: version = 0 } = await addToCounters(db, { [VERSION]: 1, [EPOCH]: 1 });
    await dropWeights(db, [...domains], version);
    await deleteLearnt(db, ids);
    await deleteLearntEdges(db, edges);
  }
  if ((await knownArms(db, 'learner_arm', { ...CREDIT, ids })).size === 0) return;
  await startDeletion(db, CREDIT.learner, CREDIT.key);
  await deleteArms(db, { ...CREDIT, ids });
  await finishDeletion(db, CREDIT.learner, { key: CREDIT.key, everything: false });
}

/**
 * Returns whether an edge `<source>|<RELATION>|<target>` has such an endpoint; ids that hold a bar are found as well.
 */
function touches(edgeId: string, nodes: ReadonlySet<string>): boolean {
  for (let bar = edgeId.indexOf('|'); bar >= 0; bar = edgeId.indexOf('|', bar + 1)) {
    if (nodes.has(edgeId.slice(0, bar)) || nodes.has(edgeId.slice(bar + 1))) return true;
  }
  return false;
}
