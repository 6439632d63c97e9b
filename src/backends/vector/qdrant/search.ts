import { compareText, matches } from '../filter.js';
import type { VectorHit, VectorQuery } from '../port.js';
import { prepared, rankingOf, scoreOfRank } from '../score.js';
import type { Collections, Selection, Shape } from './collections.js';
import { wire } from './collections.js';
import { conditionOf, numberPaths, type QdrantCondition } from './filter-conditions.js';
import { entryOf, numberKey, type Payload } from './payload.js';

/** Fewer candidates than this are compared one by one. */
const EXACT_BELOW = 20_000;
const EF = 128;
const PAGE = 1000;
/** Scores of the server are sums of 32-bit floats: nearer than this they may be equal. */
const CLOSE = 1e-5;

type RankedPoint = { readonly payload: Payload; readonly vector: Float32Array; readonly rank: number };

/** Returns hits, best first. The server finds the candidates; ranks are computed here, as everywhere. */
export async function search(
  collections: Collections,
  name: string,
  spec: { shape: Shape; query: VectorQuery; vector: Float32Array; indexed: Set<string>; index: string },
): Promise<VectorHit[]> {
  const { query } = spec;
  const { filter, exact } = selectionOf(query);
  await indexNumbers(collections, spec);
  const ranked = exact
    ? await nearest(collections, name, { ...spec, filter })
    : await all(collections, name, { ...spec, filter });
  ranked.sort((a, b) => b.rank - a.rank || compareText(a.payload.id, b.payload.id));
  return ranked.slice(0, query.topK).map((one) => hitOf(one, spec.shape, query));
}

/** Returns filter and partitions as conditions; not `exact` where the server passes more than the filter does. */
function selectionOf(query: VectorQuery): { filter: Selection | undefined; exact: boolean } {
  const must: QdrantCondition[] = [];
  let exact = true;
  if (query.partitions !== undefined) {
    must.push(query.partitions.length === 0 ? { has_id: [] } : { key: 'partition', match: { any: query.partitions } });
  }
  if (query.filter !== undefined) {
    const translated = conditionOf(query.filter);
    must.push(translated.condition);
    exact = translated.exact;
  }
  return { filter: must.length === 0 ? undefined : { must }, exact };
}

/** Creates a payload index for members when they are first compared as numbers. */
async function indexNumbers(
  collections: Collections,
  spec: { query: VectorQuery; indexed: Set<string>; index: string },
): Promise<void> {
  if (spec.query.filter === undefined) return;
  for (const path of numberPaths(spec.query.filter)) {
    const field = `numbers.${numberKey(path)}`;
    if (spec.indexed.has(field)) continue;
    await collections.indexField(spec.index, field, 'float');
    spec.indexed.add(field);
  }
}

async function nearest(
  collections: Collections,
  name: string,
  spec: { shape: Shape; query: VectorQuery; vector: Float32Array; filter: Selection | undefined },
): Promise<RankedPoint[]> {
  const candidates = await collections.count(name, spec.filter);
  const exact = candidates < EXACT_BELOW;
  // One more than requested shows whether the cut goes through equal scores; then all of those are needed.
  for (let limit = spec.query.topK + 1; ; limit *= 4) {
    const { points } = await collections.client.query(name, {
      query: Array.from(spec.vector),
      limit,
      with_payload: true,
      params: { exact, hnsw_ef: Math.max(EF, limit) },
      ...(spec.filter === undefined ? {} : wire({ filter: spec.filter })),
    });
    const cut = points[spec.query.topK - 1];
    const last = points.at(-1);
    const through = cut !== undefined && last !== undefined && isClose(cut.score, last.score);
    if (points.length < limit || !exact || !through) {
      return points.map((point) => rankedOf(point.payload as unknown as Payload, spec));
    }
  }
}

/** Searches with a filter that the server cannot decide alone: everything it lets pass is decided here. */
async function all(
  collections: Collections,
  name: string,
  spec: { shape: Shape; query: VectorQuery; vector: Float32Array; filter: Selection | undefined },
): Promise<RankedPoint[]> {
  const passing: RankedPoint[] = [];
  const options = { limit: PAGE, ...(spec.filter === undefined ? {} : { filter: spec.filter }) };
  for await (const page of collections.scroll(name, options)) {
    for (const payload of page) {
      if (matches(spec.query.filter!, entryOf(payload).metadata)) passing.push(rankedOf(payload, spec));
    }
  }
  return passing;
}

function rankedOf(payload: Payload, spec: { shape: Shape; vector: Float32Array }): RankedPoint {
  const { metric, dimension } = spec.shape;
  const { vector } = entryOf(payload);
  const rank = rankingOf(metric)(prepared(metric, spec.vector), prepared(metric, vector), 0, dimension);
  return { payload, vector, rank };
}

function hitOf({ payload, vector, rank }: RankedPoint, shape: Shape, query: VectorQuery): VectorHit {
  const { id, metadata, document } = entryOf(payload);
  return {
    id,
    score: scoreOfRank(shape.metric, rank),
    metadata,
    ...(document === undefined ? {} : { document }),
    ...(query.includeVector === true ? { vector: [...vector] } : {}),
  };
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= CLOSE * Math.max(1, Math.abs(a));
}
