import type { Kysely } from 'kysely';
import {
  deleteFadedFactors,
  putEdgeFactors,
  putItemPriors,
  readEdgeFactors,
  readItemPriors,
} from '../../backends/store/learning/interoception-factors.js';
import { addToCounters, deleteQueries, expiredQueries, lastQuery } from '../../backends/store/learning/querylog.js';
import { deleteFeedback, type FeedbackRow, feedbackIn } from '../../backends/store/learning/querylog-feedback.js';
import type { Database } from '../../backends/store/schema.js';
import type { Store } from '../../backends/store/scope.js';
import { anyOf } from '../../backends/store/sql.js';
import { DAY_MS, type Retention } from '../learner/retention.js';
import { fold } from './factor.js';
import { factorRule, type InteroceptionSettings, VERSION } from './interoception-settings.js';
import { targetsOf } from './refold.js';
import { sameText } from './same-text.js';

const SLICE = 200;
/** Half-lives after which a thousandth of a factor's distance from 1 is left. */
const FADED = 10;

export interface QueryRetention {
  readonly now: number;
  readonly retention: Retention;
  readonly settings: InteroceptionSettings;
}

/** Deletes queries beyond the bounds with their feedback; its effect is folded into the factors' base and stays. */
export async function pruneQueryLog(store: Store, { now, retention, settings }: QueryRetention): Promise<number> {
  const before = now - retention.maxAgeDays * DAY_MS;
  const upTo = (await lastQuery(store.db)) - retention.maxRows;
  let pruned = 0;
  for (;;) {
    const removed = await store.write(async ({ db }) => {
      const expired = await expiredQueries(db, { before, upTo, limit: SLICE });
      if (expired.length === 0) return 0;
      const { [VERSION]: version = 0 } = await addToCounters(db, { [VERSION]: 1 });
      const queryIds = expired.map((row) => row.query_id);
      await foldIntoBase(db, queryIds, { settings, version });
      await deleteQueries(db, queryIds);
      return expired.length;
    });
    pruned += removed;
    if (removed < SLICE) break;
  }
  await store.write(({ db }) => deleteFadedFactors(db, now - FADED * settings.half_life_days * DAY_MS));
  return pruned;
}

/** Moves the effect of these queries' feedback into the bases of the factors, and deletes the feedback. */
async function foldIntoBase(
  db: Kysely<Database>,
  queryIds: readonly string[],
  { settings, version }: { readonly settings: InteroceptionSettings; readonly version: number },
): Promise<void> {
  const feedback = await feedbackIn(db, { query_ids: queryIds }, 1_000_000);
  const byPrior = new Map<string, FeedbackRow[]>();
  for (const row of feedback) {
    const name = `${row.item_id}\0${row.question}`;
    byPrior.set(name, [...(byPrior.get(name) ?? []), row]);
  }
  const rule = factorRule(settings);
  const priors = await readItemPriors(db, [...new Set(feedback.map((row) => row.item_id))]);
  await putItemPriors(
    db,
    priors.flatMap((prior) => {
      const events = byPrior.get(`${prior.item_id}\0${prior.question}`);
      if (events === undefined) return [];
      const own = events.filter((row) => sameText(row.text_hash, prior.text_hash));
      const base = fold({ factor: prior.base, at: prior.base_at }, targetsOf(own, settings), rule);
      return [
        { ...prior, base: base.factor, base_at: base.at, events: Math.max(0, prior.events - own.length), version },
      ];
    }),
  );
  await foldEdgesIntoBase(db, queryIds, { settings, version });
  await deleteFeedback(db, feedback);
  await db
    .deleteFrom('feedback_credit')
    .where(anyOf(db, 'query_id', queryIds))
    .execute();
}

async function foldEdgesIntoBase(
  db: Kysely<Database>,
  queryIds: readonly string[],
  { settings, version }: { readonly settings: InteroceptionSettings; readonly version: number },
): Promise<void> {
  const events = await db
    .deleteFrom('feedback_edge')
    .where(anyOf(db, 'query_id', queryIds))
    .returning(['edge_id', 'target', 'at'])
    .execute();
  const byEdge = new Map<string, Array<{ target: number; at: number }>>();
  for (const event of events.sort((a, b) => a.at - b.at)) {
    byEdge.set(event.edge_id, [...(byEdge.get(event.edge_id) ?? []), event]);
  }
  const rule = factorRule(settings);
  const rows = await readEdgeFactors(db, [...byEdge.keys()]);
  await putEdgeFactors(
    db,
    rows.map((row) => {
      const mine = byEdge.get(row.edge_id) ?? [];
      const base = fold({ factor: row.base, at: row.base_at }, mine, rule);
      return { ...row, base: base.factor, base_at: base.at, events: Math.max(0, row.events - mine.length), version };
    }),
  );
}
