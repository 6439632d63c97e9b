import type { JsonObject } from '../../../core/model.js';
import type { Db } from '../../store/schema.js';
import { chunks } from '../../store/sql.js';
import { checkedVector } from '../check-vector.js';
import { compareText, matches } from '../filter.js';
import type { VectorHit, VectorQuery } from '../port.js';
import { prepared, rankingOf, scoreOfRank } from '../score.js';
import type { LoadedIndex } from './loaded-index.js';
import { Ranker } from './ranker.js';
import { idsByRef, refsById, rowsByRef, type StoredRow } from './rows.js';
import type { RankedRef } from './search.js';
import { readVectors } from './write.js';

const BATCH = 1000;
const ATTEMPTS = 5;

/** Searches in memory and reads the rows of the best; once more when a commit came between the two. */
export async function answer(db: Db, index: LoadedIndex, query: VectorQuery): Promise<VectorHit[]> {
  const { vector } = checkedVector(query.vector, index.row.dimension, 'query_vector');
  const ready = prepared(index.row.metric, vector);
  let hits: VectorHit[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { found, ties } = await index.search({
      vector: ready,
      k: query.topK,
      filter: query.filter,
      partitions: query.partitions,
    });
    const refs = ties.length === 0 ? found.map(({ ref }) => ref) : await withTiesById(db, found, ties);
    hits = await hitsOf(db, index, { refs, query, ranker: new Ranker(index.arena, ready) });
    if (hits.length === refs.length) return hits;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return hits;
}

/** Returns the scores of ids, exactly; a row that memory has not seen yet is read. */
export async function scoresOf(
  db: Db,
  index: LoadedIndex,
  spec: { vector: Float32Array; ids: readonly string[] },
): Promise<Map<string, number>> {
  await index.loaded();
  const { arena, row } = index;
  const query = prepared(row.metric, spec.vector);
  const ranker = new Ranker(arena, query);
  const scores = new Map<string, number>();
  const unseen: string[] = [];
  // A ref that is remembered may have died since: its slot no longer exists then.
  const refs = await index.ids.refsOf(spec.ids, (missing) => refsById(db, row.id, missing));
  for (const [id, ref] of refs) {
    const slot = arena.slotOf(ref);
    if (slot < 0) unseen.push(id);
    else scores.set(id, scoreOfRank(row.metric, ranker.exact(slot)));
  }
  const rank = rankingOf(row.metric);
  for (const [id, vector] of await readVectors(db, row.id, unseen)) {
    scores.set(id, scoreOfRank(row.metric, rank(query, prepared(row.metric, vector), 0, arena.dimension)));
  }
  return scores;
}

/** Returns the best rows; among those that rank exactly alike at the cut, the ones with the lowest ids stay. */
async function withTiesById(db: Db, found: readonly RankedRef[], ties: readonly number[]): Promise<number[]> {
  const cut = found[found.length - 1]!.rank;
  const above = found.filter((hit) => hit.rank > cut).map(({ ref }) => ref);
  const named: Array<{ ref: number; id: string }> = [];
  for (const batch of chunks(ties, BATCH)) named.push(...(await idsByRef(db, batch)));
  named.sort((a, b) => compareText(a.id, b.id));
  return [...above, ...named.slice(0, found.length - above.length).map(({ ref }) => ref)];
}

async function hitsOf(
  db: Db,
  index: LoadedIndex,
  spec: { refs: readonly number[]; query: VectorQuery; ranker: Ranker },
): Promise<VectorHit[]> {
  const { refs, query } = spec;
  if (refs.length === 0) return [];
  if (query.bare === true && query.filter === undefined) return bareHitsOf(db, index, spec);
  const stored = await rowsByRef(db, refs);
  const rows = new Map(stored.map((row) => [row.ref, row]));
  const vectors =
    query.includeVector === true
      ? await readVectors(
          db,
          index.row.id,
          stored.map((row) => row.id),
        )
      : undefined;
  const ranked: Array<{ rank: number; hit: VectorHit }> = [];
  for (const ref of refs) {
    const row = rows.get(ref);
    const slot = index.arena.slotOf(ref);
    if (row === undefined || slot < 0) continue;
    const metadata = JSON.parse(row.metadata) as JsonObject;
    if (query.filter !== undefined && !matches(query.filter, metadata)) continue;
    const rank = spec.ranker.exact(slot);
    const score = scoreOfRank(index.row.metric, rank);
    ranked.push({ rank, hit: hitOf(row, { score, metadata, vector: vectors?.get(row.id) }) });
  }
  ranked.sort((a, b) => b.rank - a.rank || compareText(a.hit.id, b.hit.id));
  return ranked.map(({ hit }) => hit);
}

/** Returns hits without what rows hold beside the id. */
async function bareHitsOf(
  db: Db,
  index: LoadedIndex,
  { refs, ranker }: { refs: readonly number[]; ranker: Ranker },
): Promise<VectorHit[]> {
  const ids = await index.ids.idsOf(refs, (missing) => idsByRef(db, missing));
  const ranked = refs.flatMap((ref) => {
    const id = ids.get(ref);
    const slot = index.arena.slotOf(ref);
    return id === undefined || slot < 0 ? [] : [{ rank: ranker.exact(slot), id }];
  });
  ranked.sort((a, b) => b.rank - a.rank || compareText(a.id, b.id));
  return ranked.map(({ rank, id }) => ({ id, score: scoreOfRank(index.row.metric, rank), metadata: {} }));
}

function hitOf(
  row: StoredRow,
  more: { score: number; metadata: JsonObject; vector: Float32Array | undefined },
): VectorHit {
  return {
    id: row.id,
    score: more.score,
    metadata: more.metadata,
    ...(row.document === null ? {} : { document: row.document }),
    ...(more.vector === undefined ? {} : { vector: [...more.vector] }),
  };
}
