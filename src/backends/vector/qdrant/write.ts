import { randomUUID } from 'node:crypto';
import { SvcError } from '../../../core/errors.js';
import type { JsonObject } from '../../../core/model.js';
import { chunks } from '../../store/sql.js';
import { checkedTexts, checkedVector, checkId } from '../check-vector.js';
import { matches } from '../filter.js';
import type { VectorEntry, VectorSelector } from '../port.js';
import type { Collections, Selection } from './collections.js';
import { conditionOf } from './filter-conditions.js';
import { entryOf, type Payload, payloadOf, pointId } from './payload.js';

type CheckedEntry = VectorEntry & { readonly vector: Float32Array };

const BATCH = 200;
const PAGE = 500;
const ATTEMPTS = 10;

/** Returns the entries, of equal ids the last one, checked; throws `invalid_input` before anything is written. */
export function checkedEntries(entries: readonly VectorEntry[], dimension: number): CheckedEntry[] {
  const checked = new Map<string, CheckedEntry>();
  for (const entry of entries) {
    checkId(entry.id);
    const metadata = JSON.parse(checkedTexts(entry)) as JsonObject;
    const { vector } = checkedVector(entry.vector, dimension, 'vectors');
    checked.set(entry.id, { ...entry, metadata, vector });
  }
  return [...checked.values()];
}

/** Writes points over those of equal ids, or only where there is none (`absent`), or only over these revisions. */
export async function writePoints(
  collections: Collections,
  name: string,
  spec: {
    entries: readonly CheckedEntry[];
    revision: string;
    only?: 'absent' | { readonly revisions: readonly string[] };
  },
): Promise<void> {
  const { only } = spec;
  const condition =
    only === undefined
      ? {}
      : only === 'absent'
        ? { update_mode: 'insert_only' as const }
        : { update_filter: { must: [{ key: 'revision', match: { any: [...only.revisions] } }] } };
  for (const batch of chunks(spec.entries, BATCH)) {
    await collections.client.upsert(name, {
      wait: true,
      points: batch.map((entry) => ({
        id: pointId(entry.id),
        vector: Array.from(entry.vector),
        payload: { ...payloadOf(entry, spec.revision) },
      })),
      ...condition,
    });
  }
}

/** Adds what is absent; what bears this write's revision afterwards was added by it. */
export async function addPoints(
  collections: Collections,
  name: string,
  entries: readonly CheckedEntry[],
): Promise<number> {
  const revision = randomUUID();
  await writePoints(collections, name, { entries, revision, only: 'absent' });
  const found = await payloadsById(
    collections,
    name,
    entries.map((entry) => entry.id),
  );
  return found.filter((payload) => payload.revision === revision).length;
}

/**
 * Merges metadata and replaces vectors of the selected points. Each is written only over the revision that was read,
 * and read again when another writer was faster, so no update is lost.
 */
export async function changePoints(
  collections: Collections,
  name: string,
  spec: { selector: VectorSelector; vector: Float32Array | undefined; metadata: JsonObject | undefined },
): Promise<number> {
  let count = 0;
  for await (const page of selected(collections, name, spec.selector)) {
    let remaining = page;
    for (let attempt = 0; remaining.length > 0; attempt += 1) {
      if (attempt === ATTEMPTS) {
        throw new SvcError('unavailable', 'The entries keep changing; try again.', undefined, { retriable: true });
      }
      const revision = randomUUID();
      const entries = remaining.map(entryOf).map((entry) => ({
        ...entry,
        vector: spec.vector ?? entry.vector,
        metadata: { ...entry.metadata, ...spec.metadata },
      }));
      const revisions = [...new Set(remaining.map((payload) => payload.revision))];
      await writePoints(collections, name, { entries, revision, only: { revisions } });
      const now = await payloadsById(
        collections,
        name,
        remaining.map((payload) => payload.id),
      );
      count += now.filter((payload) => payload.revision === revision).length;
      remaining = now.filter((payload) => payload.revision !== revision && passes(spec.selector, payload));
    }
  }
  return count;
}

/** Returns how many points were deleted. */
export async function countPoints(collections: Collections, name: string, selector: VectorSelector): Promise<number> {
  let count = 0;
  for await (const page of selected(collections, name, selector)) count += page.length;
  return count;
}

export async function removePoints(collections: Collections, name: string, selector: VectorSelector): Promise<number> {
  let count = 0;
  for await (const page of selected(collections, name, selector)) {
    if (page.length === 0) continue;
    await collections.client.delete(name, { wait: true, points: page.map((payload) => pointId(payload.id)) });
    count += page.length;
  }
  return count;
}

export async function payloadsById(collections: Collections, name: string, ids: readonly string[]): Promise<Payload[]> {
  const found: Payload[] = [];
  for (const batch of chunks([...new Set(ids)], PAGE)) {
    const records = await collections.client.retrieve(name, { ids: batch.map(pointId), with_payload: true });
    for (const record of records) found.push(record.payload as unknown as Payload);
  }
  return found;
}

async function* selected(collections: Collections, name: string, selector: VectorSelector): AsyncGenerator<Payload[]> {
  if ('ids' in selector) {
    for (const batch of chunks([...new Set(selector.ids)], PAGE)) yield await payloadsById(collections, name, batch);
    return;
  }
  const filter: Selection = {
    must: [
      'partition' in selector
        ? { key: 'partition', match: { value: selector.partition } }
        : conditionOf(selector.filter).condition,
    ],
  };
  // All of them first: a point that is rewritten while later pages are read could otherwise pass twice.
  const found: Payload[] = [];
  for await (const page of collections.scroll(name, { filter, limit: PAGE })) {
    for (const payload of page) if (passes(selector, payload)) found.push(payload);
  }
  for (const batch of chunks(found, PAGE)) yield [...batch];
}

function passes(selector: VectorSelector, payload: Payload): boolean {
  if ('filter' in selector) return matches(selector.filter, JSON.parse(payload.metadata) as JsonObject);
  return 'ids' in selector || payload.partition === selector.partition;
}
