import type { GraphDelta } from '../backends/graph/port.js';
import { lockDomain } from '../backends/store/locks.js';
import { addOutbox, deleteOutbox, updateOutbox } from '../backends/store/outbox.js';
import type { WriteScope } from '../backends/store/scope.js';
import { type Clock, isoTime } from '../core/clock.js';
import { SvcError } from '../core/errors.js';
import { sourceId } from '../core/ids.js';
import type { Manifest } from '../core/model.js';
import { Embedded, embedManifest } from './embed.js';
import { type FollowPorts, follow, followWithin, servingOf } from './follow.js';
import { link } from './link.js';

export interface LoadPorts extends FollowPorts {
  readonly clock: Clock;
}

export interface LoadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number, total: number | undefined, message: string) => void) | undefined;
}

/** What an ingest answers: counts of what now exists because of this source. */
export interface LoadResult {
  readonly domain: string;
  readonly source: string;
  readonly source_id: string;
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
  readonly passages: number;
  readonly warnings: string[];
  readonly unchanged?: true;
}

/**
 * The one write path. Embeds outside any transaction, then writes graph, links, text and vectors: in one transaction
 * where they share the store, through the outbox where they don't. It answers when everything is written.
 */
export async function load(ports: LoadPorts, manifest: Manifest, options: LoadOptions = {}): Promise<LoadResult> {
  if (manifest.append !== true) {
    const same = await unchangedSource(ports, manifest);
    if (same !== null) return same;
  }
  const { embedding } = await servingOf(ports);
  const known = await embedManifest(embedding, manifest, {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    progress: (done, total) => options.progress?.(done, total, 'embedded'),
  });
  options.signal?.throwIfAborted();
  options.progress?.(0, undefined, 'writing');
  const delta = ports.graph.joinsStore
    ? await loadWithin(ports, manifest, known)
    : await loadThroughOutbox(ports, manifest, known);
  const result = resultOf(manifest, delta);
  if (manifest.append === true || delta.unchanged) return result;
  // The graph counted before the names of the text were linked: those that became entities count as concepts too.
  const [source] = await ports.graph.listSources({ source_id: delta.source_id });
  return source === undefined ? result : { ...result, concepts: source.concepts };
}

/** The same content again: nothing to embed, nothing to write. */
export async function unchangedSource(
  ports: LoadPorts,
  manifest: Pick<Manifest, 'domain' | 'source' | 'content_hash' | 'warnings'>,
): Promise<LoadResult | null> {
  const id = sourceId(manifest.source);
  const [source] = await ports.graph.listSources({ source_id: id });
  if (source === undefined || source.content_hash !== manifest.content_hash) return null;
  return {
    domain: manifest.domain,
    source: manifest.source.label,
    source_id: id,
    concepts: source.concepts,
    edges: source.edges,
    rules: source.rules,
    passages: source.passages,
    warnings: [...manifest.warnings],
    unchanged: true,
  };
}

function resultOf(manifest: Manifest, delta: GraphDelta): LoadResult {
  return {
    domain: manifest.domain,
    source: manifest.source.label,
    source_id: delta.source_id,
    concepts: delta.concepts,
    edges: delta.edges,
    rules: delta.rules,
    passages: delta.passages,
    warnings: [...manifest.warnings, ...delta.warnings],
    ...(delta.unchanged ? { unchanged: true as const } : {}),
  };
}

/** Graph, links and text in one transaction of the store; vectors too where they live there. */
async function loadWithin(ports: LoadPorts, manifest: Manifest, known: Embedded): Promise<GraphDelta> {
  const { delta, late } = await ports.store.write(async (scope) => {
    await lockDomain(scope.db, manifest.domain);
    const written = await ports.graph.ingestManifest(manifest, scope);
    if (written.unchanged) return { delta: written, late: null };
    const passages = changedPassages(manifest, written);
    await link(ports, manifest.domain, { delta: written, passages, scope });
    return { delta: written, late: await settleWithin(ports, written, { known, scope }) };
  });
  await finishLate(ports, late, known);
  return delta;
}

interface Late {
  readonly row: number;
  readonly ids: readonly string[];
}

/** Text and vectors inside the transaction; what cannot be done there is noted in the outbox with it. */
export async function settleWithin(
  ports: LoadPorts,
  delta: Pick<GraphDelta, 'changed' | 'removed'>,
  { known, scope }: { readonly known: Embedded; readonly scope: WriteScope },
): Promise<Late | null> {
  const ids = [...new Set([...delta.changed, ...delta.removed])];
  const late =
    ports.vectors.joinsStore && ports.text.joinsStore ? await followWithin(ports, ids, { known, scope }) : ids;
  if (late.length === 0) return null;
  return { row: await addOutbox(scope.db, 'follow', JSON.stringify(late), isoTime(ports.clock())), ids: late };
}

/** What the transaction left to do, done now; after a crash the outbox job does it. */
export async function finishLate(ports: LoadPorts, late: Late | null, known: Embedded = new Embedded()): Promise<void> {
  if (late === null) return;
  await follow(ports, late.ids, known);
  await ports.store.write((scope) => deleteOutbox(scope.db, late.row));
}

/** The graph lives elsewhere: note the whole manifest first, then write it, then follow. Every step can be repeated. */
async function loadThroughOutbox(ports: LoadPorts, manifest: Manifest, known: Embedded): Promise<GraphDelta> {
  const before = await sourceNodes(ports, sourceId(manifest.source));
  const row = await ports.store.write((scope) =>
    addOutbox(scope.db, 'load', JSON.stringify({ manifest, before }), isoTime(ports.clock())),
  );
  try {
    return await applyManifest(ports, { row, manifest, before }, known);
  } catch (error) {
    // Bad input would fail for ever: it leaves the outbox. A dead engine is tried again by the job.
    if (error instanceof SvcError && error.code !== 'unavailable') {
      await ports.store.write((scope) => deleteOutbox(scope.db, row));
    }
    throw error;
  }
}

export interface PendingLoad {
  readonly row: number;
  readonly manifest: Manifest;
  /** Passages and keys of the source before the load: what a repetition must look at again. */
  readonly before: { readonly ids: readonly string[]; readonly keys: readonly string[] };
}

/** Writes a manifest to a graph outside the store; safe to repeat after a crash at any point. */
export async function applyManifest(
  ports: LoadPorts,
  pending: PendingLoad,
  known = new Embedded(),
): Promise<GraphDelta> {
  const { manifest, before } = pending;
  const delta = await ports.graph.ingestManifest(manifest);
  const repeated = delta.unchanged;
  const after = repeated ? await sourceNodes(ports, delta.source_id) : { ids: [], keys: [] };
  const keys = repeated ? [...new Set([...before.keys, ...after.keys])] : delta.keys;
  const passages = repeated ? after.ids : changedPassages(manifest, delta);
  await link(ports, manifest.domain, { delta: { keys }, passages });
  const ids = [...new Set([...delta.changed, ...delta.removed, ...before.ids, ...after.ids])];
  await ports.store.write((scope) => updateOutbox(scope.db, pending.row, 'follow', JSON.stringify(ids)));
  await finishLate(ports, { row: pending.row, ids }, known);
  return delta;
}

/** Passages a source has now, and the keys they are about. */
export async function sourceNodes(ports: LoadPorts, id: string): Promise<PendingLoad['before']> {
  const records = await ports.graph.sourcePassages(id);
  return {
    ids: records.map((record) => record.id),
    keys: [...new Set(records.flatMap((record) => record.about.map((about) => about.key)))],
  };
}

function changedPassages(manifest: Manifest, delta: GraphDelta): string[] {
  const changed = new Set(delta.changed);
  return manifest.passages.filter((passage) => changed.has(passage.id)).map((passage) => passage.id);
}
