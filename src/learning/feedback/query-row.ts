import { packFeatures } from '../ranker/query-features.js';
import type { QueryRecord, RecordedItem } from './adjustments.js';
import { packVector, questionKey } from './question.js';

/** Edges kept for an item: enough to explain why it was returned. */
const EDGES = 5;
const LEAST_SHARE = 0.1;
const MAX_TEXT = 8192;

/** Returns a query as the query log keeps it. */
export function queryRow(record: QueryRecord, at: number) {
  const items: RecordedItem[] = record.items.map(({ id, score, domain, source_id, text_hash, edges }) => ({
    id,
    score,
    domain,
    ...(source_id === undefined ? {} : { source_id }),
    ...(text_hash === undefined ? {} : { text_hash }),
    ...(edges === undefined ? {} : { edges: strongest(edges) }),
  }));
  return {
    query_id: record.query_id,
    at,
    text: record.text.slice(0, MAX_TEXT),
    question: questionKey(record.text),
    domains: JSON.stringify(record.domains),
    mode: record.mode,
    model: record.model,
    vector: record.vector === null ? null : packVector(record.vector),
    items: JSON.stringify(items),
    // Only feedback makes pairs of a query's items known.
    paired: 1,
    owner: record.owner ?? null,
    features: packFeatures(record.items),
  };
}

function strongest(edges: NonNullable<RecordedItem['edges']>): NonNullable<RecordedItem['edges']> {
  return edges
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((a, b) => b.share - a.share || (a.id < b.id ? -1 : 1))
    .slice(0, EDGES);
}
