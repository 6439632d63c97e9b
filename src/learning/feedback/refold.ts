import type { Kysely } from 'kysely';
import {
  deleteEdgeFactors,
  deleteItemPrior,
  type EdgeEvent,
  edgeEvents,
  feedbackWithEdges,
  putEdgeFactors,
  putItemPriors,
  readEdgeFactors,
  readItemPriors,
  replaceEdgeEvents,
} from '../../backends/store/learning/interoception-factors.js';
import { addToCounters, type QueryRow, readQuery } from '../../backends/store/learning/querylog.js';
import { type FeedbackRow, feedbackOf, readFeedback } from '../../backends/store/learning/querylog-feedback.js';
import type { Database } from '../../backends/store/schema.js';
import type { RecordedItem } from './adjustments.js';
import { type Factor, type FactorEvent, fold } from './factor.js';
import { EPOCH, factorRule, type InteroceptionSettings, isOutcome } from './interoception-settings.js';
import { sameText } from './same-text.js';

export interface Refold {
  readonly settings: InteroceptionSettings;
  readonly version: number;
}

const NEUTRAL: Factor = { factor: 1, at: 0 };

/**
 * Recomputes the priors of these items for the query's question from their feedback. Only feedback on the
 * text that an item has counts: that in `texts`, else the one that its prior is of.
 */
export async function refoldItems(
  db: Kysely<Database>,
  query: Pick<QueryRow, 'question' | 'text' | 'model' | 'vector'>,
  {
    ids,
    texts,
    settings,
    version,
  }: Refold & { readonly ids: readonly string[]; readonly texts?: ReadonlyMap<string, string> },
): Promise<void> {
  const feedback = grouped(await feedbackOf(db, query.question, ids), (row) => row.item_id);
  const known = new Map(
    (await readItemPriors(db, ids)).filter((row) => row.question === query.question).map((row) => [row.item_id, row]),
  );
  const rows = [];
  for (const id of [...ids].sort()) {
    const before = known.get(id);
    const text = texts?.get(id) ?? before?.text_hash ?? null;
    const kept = before !== undefined && sameText(before.text_hash, text);
    const base: Factor = kept ? { factor: before.base, at: before.base_at } : NEUTRAL;
    const events = (feedback.get(id) ?? []).filter((row) => sameText(row.text_hash, text));
    const [first] = events;
    if (first === undefined && base.factor === 1) {
      if (before !== undefined) await forget(db, () => deleteItemPrior(db, id, query.question));
      continue;
    }
    rows.push({
      item_id: id,
      question: query.question,
      domain: first?.domain ?? before?.domain ?? '',
      source_id: first?.source_id ?? before?.source_id ?? '',
      text: query.text,
      model: query.model,
      vector: query.vector,
      text_hash: text,
      ...folded(base, targetsOf(events, settings), { settings, version }),
    });
  }
  await putItemPriors(db, rows);
}

/** Recomputes one feedback's edge events, and the factors of every edge that it names or named. */
export async function refoldFeedbackEdges(
  db: Kysely<Database>,
  query: { readonly query_id: string; readonly items: readonly RecordedItem[] },
  { source, ...refold }: Refold & { readonly source: string },
): Promise<void> {
  const feedback = await readFeedback(db, query.query_id, source);
  const events = edgeEventsOf(query, feedback, refold.settings);
  const before = await replaceEdgeEvents(db, { query_id: query.query_id, source }, events);
  await refoldEdges(db, [...new Set([...before, ...events.map((event) => event.edge_id)])], refold);
}

/** Recomputes the edges that these ratings' feedback taught, from the ratings that are left of it. */
export async function refoldTaughtEdges(
  db: Kysely<Database>,
  ratings: readonly FeedbackRow[],
  refold: Refold,
): Promise<void> {
  const named = new Set(ratings.map(({ query_id, source }) => `${query_id}\0${source}`));
  for (const { query_id, source } of await feedbackWithEdges(db, [...new Set(ratings.map((row) => row.query_id))])) {
    const query = named.has(`${query_id}\0${source}`) ? await readQuery(db, query_id) : undefined;
    if (query === undefined) continue;
    const items = JSON.parse(query.items) as RecordedItem[];
    await refoldFeedbackEdges(db, { query_id, items }, { source, ...refold });
  }
}

/** Returns the mean target of the rated items that an edge brought up, weighted by its share in each. */
function edgeEventsOf(
  query: { readonly query_id: string; readonly items: readonly RecordedItem[] },
  feedback: readonly FeedbackRow[],
  settings: InteroceptionSettings,
): EdgeEvent[] {
  const outcomes = new Map(feedback.map((row) => [row.item_id, row]));
  const edges = new Map<string, { sum: number; shares: number; at: number; domain: string; source: string }>();
  for (const item of query.items) {
    const row = outcomes.get(item.id);
    if (row === undefined || !isOutcome(row.outcome)) continue;
    for (const { id, share } of item.edges ?? []) {
      const edge = edges.get(id) ?? { sum: 0, shares: 0, at: 0, domain: item.domain, source: row.source };
      edge.sum += share * settings.targets[row.outcome];
      edge.shares += share;
      edge.at = Math.max(edge.at, row.at);
      edges.set(id, edge);
    }
  }
  return [...edges]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([, edge]) => edge.shares > 0)
    .map(([edge_id, { sum, shares, at, domain, source }]) => ({
      query_id: query.query_id,
      source,
      edge_id,
      target: sum / shares,
      at,
      domain,
    }));
}

/** Recomputes the factors of these edges from the events kept. */
async function refoldEdges(db: Kysely<Database>, ids: readonly string[], refold: Refold): Promise<void> {
  if (ids.length === 0) return;
  const events = grouped(await edgeEvents(db, ids), (event) => event.edge_id);
  const known = new Map((await readEdgeFactors(db, ids)).map((row) => [row.edge_id, row]));
  const rows = [];
  for (const edge_id of [...ids].sort()) {
    const before = known.get(edge_id);
    const base: Factor = before === undefined ? NEUTRAL : { factor: before.base, at: before.base_at };
    const mine = events.get(edge_id) ?? [];
    if (mine.length === 0 && base.factor === 1) {
      if (before !== undefined) await forget(db, () => deleteEdgeFactors(db, [edge_id]));
      continue;
    }
    rows.push({ edge_id, domain: mine[0]?.domain ?? before?.domain ?? '', ...folded(base, mine, refold) });
  }
  await putEdgeFactors(db, rows);
}

/** Returns the targets of these feedback rows, in the order given. */
export function targetsOf(feedback: readonly FeedbackRow[], settings: InteroceptionSettings): FactorEvent[] {
  return feedback.flatMap(({ outcome, at }) => (isOutcome(outcome) ? [{ target: settings.targets[outcome], at }] : []));
}

/** Deletes a factor and makes caches read everything again. */
async function forget(db: Kysely<Database>, remove: () => Promise<void>): Promise<void> {
  await remove();
  await addToCounters(db, { [EPOCH]: 1 });
}

function folded(base: Factor, events: readonly FactorEvent[], { settings, version }: Refold) {
  const { factor, at } = fold(base, events, factorRule(settings));
  return { factor, at, base: base.factor, base_at: base.at, events: events.length, version };
}

function grouped<T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
}
