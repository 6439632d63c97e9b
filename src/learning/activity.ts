import type { Kysely } from 'kysely';
import { readCounters } from '../backends/store/learning/querylog.js';
import type { FeedbackRow } from '../backends/store/learning/querylog-feedback.js';
import type { Database } from '../backends/store/schema.js';
import type { Outcome } from './feedback/interoception-settings.js';

export interface Activity {
  readonly queries_served: number;
  /** Feedbacks: one a query and source. */
  readonly feedback_given: number;
  /** Share of the queries that ever got any, 0..1. */
  readonly feedback_rate: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

const ALL = 'activity:';

/** Begins the names of the totals that count one caller's queries; none is a beginning of another's. */
function ofOwner(owner: string): string {
  return `activity of ${JSON.stringify(owner)}:`;
}

/** Returns changes of the totals with those of the owner's own beside them, where the queries have one. */
export function withOwn(amounts: Readonly<Record<string, number>>, owner: string | null): Record<string, number> {
  if (owner === null) return { ...amounts };
  const own = Object.entries(amounts).map(([name, by]) => [`${ofOwner(owner)}${name.slice(ALL.length)}`, by] as const);
  return { ...amounts, ...Object.fromEntries(own) };
}

/** Returns the changes of the totals by queries of these owners. */
export function servedChanges(owners: ReadonlyArray<string | null>): Record<string, number> {
  const changes: Record<string, number> = {};
  for (const owner of owners)
    for (const name of Object.keys(withOwn({ 'activity:queries_served': 1 }, owner)))
      changes[name] = (changes[name] ?? 0) + 1;
  return changes;
}

/** Returns the activity block of `svc_stats`: of everybody, or of one caller's queries alone. */
export async function readActivity(db: Kysely<Database>, owner?: string): Promise<Activity> {
  const prefix = owner === undefined ? ALL : ofOwner(owner);
  const counters = await readCounters(db, prefix);
  const of = (name: string): number => counters.get(`${prefix}${name}`) ?? 0;
  const served = of('queries_served');
  return {
    queries_served: served,
    feedback_given: of('feedback_given'),
    // Earlier releases counted a query again that was rated again after a reset.
    feedback_rate: served === 0 ? 0 : Math.min(1, of('queries_rated') / served),
    outcomes: {
      accepted: of('outcome:accepted'),
      partial: of('outcome:partial'),
      rejected: of('outcome:rejected'),
    },
  };
}

/**
 * Returns the changes of the totals: a replaced outcome moves from one total to the other. `before`: the feedback that
 * the query has; `isFirst`: it never had any, not even one that was reset since.
 */
export function activityChanges(
  rows: readonly FeedbackRow[],
  before: readonly FeedbackRow[],
  isFirst: boolean,
): Record<string, number> {
  const source = rows[0]?.source;
  const amounts: Record<string, number> = {
    'activity:feedback_given': before.some((row) => row.source === source) ? 0 : 1,
    'activity:queries_rated': isFirst ? 1 : 0,
  };
  const add = (outcome: string, by: number): void => {
    amounts[`activity:outcome:${outcome}`] = (amounts[`activity:outcome:${outcome}`] ?? 0) + by;
  };
  for (const row of rows) {
    const replaced = before.find((other) => other.item_id === row.item_id && other.source === source);
    if (replaced !== undefined) add(replaced.outcome, -1);
    add(row.outcome, 1);
  }
  return amounts;
}
