import type { Kysely } from 'kysely';
import { dropWeights } from '../../backends/store/learning/domain-rankers.js';
import {
  anyLearnt,
  deleteLearnt,
  deleteLearntEdges,
  learntEdges,
} from '../../backends/store/learning/interoception-nodes.js';
import { knownArms } from '../../backends/store/learning/learning-arms.js';
import { addToCounters } from '../../backends/store/learning/querylog.js';
import { feedbackIn } from '../../backends/store/learning/querylog-feedback.js';
import type { Database } from '../../backends/store/schema.js';
import { CREDIT, deleteCredit, withdrawCredit } from '../credit/credit-account.js';
import { EPOCH, type InteroceptionSettings, VERSION } from './interoception-settings.js';
import { refoldTaughtEdges } from './refold.js';

const EVERY_ROW = Number.MAX_SAFE_INTEGER;

/**
 * Forgets the effects of feedback on nodes that no longer exist: feedback on them, their priors, pairs and credit, the
 * factors of their edges, and what that feedback taught of other edges and gave to other nodes. Inside the caller's
 * transaction, best as its last statements: feedback waits for it.
 */
export async function forgetNodes(
  db: Kysely<Database>,
  ids: readonly string[],
  { settings, now }: { readonly settings: InteroceptionSettings; readonly now: number },
): Promise<void> {
  const removed = new Set(ids);
  const domains = new Set(ids.map((id) => id.slice(0, Math.max(0, id.indexOf(':')))));
  const edges = await learntEdges(db, [...domains].sort(), (edge) => touches(edge, removed));
  if (edges.length > 0 || (await anyLearnt(db, ids))) {
    // First of the writes, as with feedback: two that forget and rate at once wait instead of blocking each other.
    const { [VERSION]: version = 0 } = await addToCounters(db, { [VERSION]: 1, [EPOCH]: 1 });
    await dropWeights(db, [...domains], version);
    const ratings = await feedbackIn(db, { item_ids: ids }, EVERY_ROW);
    await deleteLearnt(db, ids);
    await refoldTaughtEdges(db, ratings, { settings, version });
    await deleteLearntEdges(db, edges);
    await withdrawCredit(db, ratings, now);
  }
  await deleteCredit(db, [...(await knownArms(db, 'learner_arm', { ...CREDIT, ids }))]);
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
