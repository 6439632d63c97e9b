import type { GraphBackend } from '../../backends/graph/port.js';
import {
  deleteExcessPairs,
  deleteStalePairs,
  markPromoted,
  type PairRow,
  putSightings,
  ripePairs,
  type Sighting,
} from '../../backends/store/learning/interoception-pairs.js';
import { addToCounters, markPaired, unpairedQueries } from '../../backends/store/learning/querylog.js';
import { readFeedback } from '../../backends/store/learning/querylog-feedback.js';
import type { Store } from '../../backends/store/scope.js';
import { slicer } from '../../core/async/slices.js';
import type { Clock } from '../../core/clock.js';
import { contentHash } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { DAY_MS } from '../learner/retention.js';
import type { RecordedItem } from './adjustments.js';
import { type InteroceptionSettings, PROMOTED } from './interoception-settings.js';

export interface PairPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: InteroceptionSettings;
  readonly graph: Pick<GraphBackend, 'getEdges'>;
  /** Returns the unit vectors of nodes; absent ones are left out. */
  readonly vectorsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, Float32Array>>;
}

const QUERIES = 50;
/** Number of the best items of an answer that are compared. */
const ITEMS = 20;
const STALE_DAYS = 90;
/** Pairs deleted in one transaction. */
const SLICE = 1000;

/**
 * Records pairs of items that feedback on one query called useful, that are close and have no edge yet. Reads the
 * queries whose feedback changed since they were read, so it can run at any time, twice at once, and again after a
 * crash. Returns how many queries it read.
 */
export async function collectPairs(ports: PairPorts): Promise<number> {
  const { settings, store } = ports;
  if (!settings.enabled) return 0;
  let read = 0;
  for (;;) {
    const queries = await unpairedQueries(store.db, QUERIES);
    for (const query of queries) {
      const rated = new Set((await readFeedback(store.db, query.query_id)).map((row) => row.item_id));
      const items = (JSON.parse(query.items) as RecordedItem[]).filter((item) => rated.has(item.id)).slice(0, ITEMS);
      const pairs = await unjoinedPairs(ports, items);
      await store.write(async ({ db }) => {
        await putSightings(db, pairs, ports.clock());
        await markPaired(db, [query.id]);
      });
    }
    read += queries.length;
    if (queries.length < QUERIES) break;
  }
  await store.write(({ db }) => deleteStalePairs(db, ports.clock() - STALE_DAYS * DAY_MS));
  const bound = { most: settings.buffer_pairs, limit: SLICE };
  while ((await store.write(({ db }) => deleteExcessPairs(db, bound))) === SLICE);
  return read;
}

/**
 * Returns pairs of one domain that are close and have no edge in either direction, with one read of the vectors and one
 * of the graph.
 */
async function unjoinedPairs(ports: PairPorts, items: readonly RecordedItem[]): Promise<Sighting[]> {
  if (items.length < 2) return [];
  const close = await closePairs(items, {
    vectors: await ports.vectorsOf(items.map((item) => item.id)),
    cosine: ports.settings.promote_cosine,
  });
  if (close.length === 0) return [];
  const ids = new Set(close.flatMap((pair) => [pair.first_id, pair.second_id]));
  const joined = new Set<string>();
  for (const { source_id, target_id } of await ports.graph.getEdges({ among: [...ids] })) {
    joined.add(pairKey(source_id, target_id)).add(pairKey(target_id, source_id));
  }
  return close.filter((pair) => !joined.has(pairKey(pair.first_id, pair.second_id)));
}

function pairKey(a: string, b: string): string {
  return `${a}\0${b}`;
}

/** Returns pairs of one domain with a cosine of at least `cosine`, the lower id first. */
async function closePairs(
  items: readonly RecordedItem[],
  { vectors, cosine }: { readonly vectors: ReadonlyMap<string, Float32Array>; readonly cosine: number },
): Promise<Sighting[]> {
  const pause = slicer();
  const found: Sighting[] = [];
  for (const [index, one] of items.entries()) {
    const a = vectors.get(one.id);
    if (a === undefined) continue;
    for (const two of items.slice(index + 1)) {
      const b = vectors.get(two.id);
      if (b === undefined || one.domain !== two.domain || one.id === two.id) continue;
      const similarity = Math.min(1, dot(a, b));
      if (similarity < cosine) continue;
      const [first_id, second_id] = one.id < two.id ? [one.id, two.id] : [two.id, one.id];
      found.push({ first_id, second_id, domain: one.domain, similarity });
    }
    await pause();
  }
  return found;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}

export interface PromotionPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: InteroceptionSettings;
  /** Writes a manifest: the one write path (`ingest/write/load.ts`). */
  readonly load: (manifest: Manifest) => Promise<unknown>;
}

/**
 * Turns ripe pairs into SIMILAR_TO edges, asserted by a source `system/interoception` of their domain that can be
 * forgotten like any other. Writing an edge twice is writing it once, so a crash in between does no harm. Returns how
 * many.
 */
export async function promotePairs(ports: PromotionPorts): Promise<number> {
  const { settings, store } = ports;
  if (!settings.enabled) return 0;
  let promoted = 0;
  for (;;) {
    const pairs = await ripePairs(store.db, {
      sightings: settings.promote_sightings,
      mean: settings.promote_mean,
      limit: 100,
    });
    for (const pair of pairs) {
      await ports.load(promotionOf(pair));
      const first = await store.write(async ({ db }) => {
        const mine = await markPromoted(db, pair, ports.clock());
        if (mine) await addToCounters(db, { [PROMOTED]: 1 });
        return mine;
      });
      if (first) promoted += 1;
    }
    if (pairs.length < 100) return promoted;
  }
}

/** Returns the edge of a pair, its confidence the mean similarity. */
function promotionOf(pair: PairRow): Manifest {
  const mean = Math.min(1, Math.max(0, pair.similarity / pair.sightings));
  return {
    domain: pair.domain,
    source: { domain: pair.domain, kind: 'system', key: 'interoception', label: 'interoception' },
    content_hash: contentHash(`${pair.first_id}\0${pair.second_id}\0${mean}`),
    concepts: [],
    edges: [
      {
        source: pair.first_id,
        target: pair.second_id,
        relation: 'SIMILAR_TO',
        confidence: mean,
        properties: { provenance: 'interoception', sightings: pair.sightings },
      },
    ],
    rules: [],
    passages: [],
    warnings: [],
    append: true,
  };
}
