import type { Kysely } from 'kysely';
import { deleteDomainRankers, dropWeights } from '../../backends/store/learning/domain-rankers.js';
import { deleteAllFactors } from '../../backends/store/learning/interoception-factors.js';
import { anyLearntIn } from '../../backends/store/learning/interoception-nodes.js';
import { deletePairs } from '../../backends/store/learning/interoception-pairs.js';
import { armsUnder } from '../../backends/store/learning/learning-arms.js';
import { addToCounters, readQuery } from '../../backends/store/learning/querylog.js';
import {
  countFeedback,
  deleteFeedback,
  type FeedbackRow,
  feedbackIn,
  ofSource,
} from '../../backends/store/learning/querylog-feedback.js';
import type { Database } from '../../backends/store/schema.js';
import type { Store } from '../../backends/store/scope.js';
import { domainNotFound, SvcError } from '../../core/errors.js';
import { CREDIT, deleteCredit, withdrawCredit } from '../credit/credit-account.js';
import { EPOCH, type InteroceptionSettings, VERSION } from './interoception-settings.js';
import { type Refold, refoldItems, refoldTaughtEdges } from './refold.js';

/** Neither: everything. */
export interface ResetScope {
  readonly domain?: string | undefined;
  /** Public id of an ingest source. */
  readonly source_id?: string | undefined;
  /** With `source_id`: ids of the concepts that it asserts. */
  readonly concepts?: readonly string[] | undefined;
}

export interface InteroceptionReset {
  readonly status: 'reset' | 'dry_run';
  /** Feedback rows that were deleted, or would be. */
  readonly feedback: number;
  /** Both absent in a dry run, which does not work them out. */
  readonly edges?: number;
  readonly items?: number;
}

const SLICE = 500;

export interface ResetOptions {
  readonly settings: InteroceptionSettings;
  readonly now: number;
  /** Whether feedback is only counted. */
  readonly dryRun?: boolean;
  /** Whether the domain or source of a scope exists; without it no scope is refused. */
  readonly exists?: ((scope: ResetScope) => Promise<boolean>) | undefined;
}

/**
 * Undoes the effects of feedback in the scope: the factors are then what the other feedback makes of them. The credit of
 * nodes in the scope is deleted, and what ratings there gave to other nodes is taken back. Throws `domain_not_found` and
 * `source_not_found` for a scope that does not exist and left nothing behind.
 */
export async function resetInteroception(
  store: Store,
  scope: ResetScope,
  { settings, now, exists, dryRun = false }: ResetOptions,
): Promise<InteroceptionReset> {
  const { domain, source_id, concepts = [] } = scope;
  if (domain !== undefined && source_id !== undefined) {
    throw new SvcError('invalid_input', 'Send domain or source_id, not both.', { member: 'source_id' });
  }
  if (exists !== undefined) await checkScope(store.db, scope, exists);
  const where = domain !== undefined ? { domain } : source_id !== undefined ? { source_id, concepts } : undefined;
  if (dryRun) return { status: 'dry_run', feedback: await countFeedback(store.db, where) };
  const before = await counts(store.db);
  let feedback = 0;
  if (where === undefined) {
    await store.write(async ({ db }) => {
      await addToCounters(db, { [VERSION]: 1, [EPOCH]: 1 });
      await deleteAllFactors(db);
      await deleteDomainRankers(db);
      feedback = Number((await db.deleteFrom('feedback').executeTakeFirst()).numDeletedRows);
      await db.deleteFrom('feedback_credit').execute();
      await deleteCredit(db);
      await deletePairs(db);
    });
  } else {
    for (;;) {
      const removed = await store.write(async ({ db }) => {
        const { [VERSION]: version = 0 } = await addToCounters(db, { [VERSION]: 1 });
        const rows = await feedbackIn(db, where, SLICE);
        await takeBack(db, rows, { settings, version });
        await withdrawCredit(db, rows, now);
        if (domain !== undefined) await deletePairs(db, domain);
        return rows.length;
      });
      feedback += removed;
      if (removed < SLICE) break;
    }
    await store.write(async ({ db }) => {
      await addToCounters(db, { [VERSION]: 1, [EPOCH]: 1 });
      await dropBases(db, scope);
    });
  }
  const after = await counts(store.db);
  return { status: 'reset', feedback, edges: before.edges - after.edges, items: before.items - after.items };
}

/** Feedback on what was forgotten since is in reach as long as it is there. */
async function checkScope(
  db: Kysely<Database>,
  { domain, source_id }: ResetScope,
  exists: (scope: ResetScope) => Promise<boolean>,
): Promise<void> {
  if (domain !== undefined && !(await exists({ domain })) && !(await anyLearntIn(db, { domain }))) {
    throw domainNotFound(domain, { member: 'domain' });
  }
  if (source_id !== undefined && !(await exists({ source_id })) && !(await anyLearntIn(db, { source_id }))) {
    const sentence = `Source ${source_id} does not exist; list the documents to see their sources.`;
    throw new SvcError('source_not_found', sentence, { member: 'source_id' });
  }
}

async function takeBack(db: Kysely<Database>, rows: readonly FeedbackRow[], refold: Refold): Promise<void> {
  await deleteFeedback(db, rows);
  await dropWeights(db, [...new Set(rows.map((row) => row.domain))], refold.version);
  for (const query_id of new Set(rows.map((row) => row.query_id))) {
    const query = await readQuery(db, query_id);
    if (query === undefined) continue;
    const ids = rows.filter((row) => row.query_id === query_id).map((row) => row.item_id);
    await refoldItems(db, query, { ids: [...new Set(ids)], ...refold });
  }
  await refoldTaughtEdges(db, rows, refold);
}

/** Deletes what events that are no longer kept had left behind in the scope. */
async function dropBases(db: Kysely<Database>, { domain, source_id, concepts = [] }: ResetScope): Promise<void> {
  if (domain !== undefined) {
    await deleteCredit(db, await armsUnder(db, CREDIT, `${domain}:`));
    await db.deleteFrom('edge_factor').where('domain', '=', domain).execute();
    await db.deleteFrom('feedback_edge').where('domain', '=', domain).execute();
    await db.deleteFrom('item_prior').where('domain', '=', domain).execute();
    await deleteDomainRankers(db, domain);
  }
  if (source_id !== undefined) {
    const rated = await db
      .deleteFrom('item_prior')
      .where(ofSource(db, { source_id, concepts }))
      .returning('item_id')
      .execute();
    await deleteCredit(db, [...new Set([...concepts, ...rated.map((row) => row.item_id)])]);
  }
}

async function counts(db: Kysely<Database>): Promise<{ edges: number; items: number }> {
  const edges = await db
    .selectFrom('edge_factor')
    .select((eb) => eb.fn.countAll().as('rows'))
    .executeTakeFirstOrThrow();
  const items = await db
    .selectFrom('item_prior')
    .select((eb) => eb.fn.countAll().as('rows'))
    .executeTakeFirstOrThrow();
  return { edges: Number(edges.rows), items: Number(items.rows) };
}
