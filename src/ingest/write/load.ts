import type { GraphDelta } from '../../backends/graph/port.js';
import { checkWritable, deletePendingLoads, lockForWriting } from '../../backends/store/unfinished/pending-loads.js';
import { sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { type Embedded, embedManifest } from '../index/embed.js';
import { link } from '../link/link.js';
import { flushDeferred, indexInTransaction } from './deferred.js';
import { canTakeSteps, isBeingWritten, loadInSteps, superseded } from './load-in-steps.js';
import { LoadProgress } from './load-progress.js';
import { isLarge, isLargeSource } from './pieces.js';
import type { LoadOptions, LoadPorts, LoadResult, TurnWrite } from './ports.js';
import { servingOf } from './sync-indexes.js';
import { lending, withFollowers } from './with-followers.js';

export type { LoadOptions, LoadPorts, LoadResult, TurnWrite } from './ports.js';

/**
 * Writes a manifest: the one write path. Embeds first (what takes long outside of any transaction), then writes graph,
 * links, text and vectors in one transaction of the store; engines outside of it follow. Returns when everything is
 * written.
 */
export async function load(ports: LoadPorts, manifest: Manifest, options: LoadOptions = {}): Promise<LoadResult> {
  if (manifest.append !== true) {
    const same = await unchangedSource(ports, manifest);
    if (same !== null) return same;
  }
  const { embedding } = await servingOf(ports);
  const progress = new LoadProgress(manifest, options);
  const known = embedManifest(embedding, manifest, {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    progress: progress.embedded.bind(progress),
  });
  // A failure fails the call below, before anything is kept.
  known.catch(() => {});
  // A fast model embeds while graph and links are written; a slow one would hold the transaction open.
  const large = manifest.append !== true && (await needsSteps(ports, manifest));
  if (large) progress.expectSteps();
  if (large || embedding?.runsInProcess !== true) await known;
  options.signal?.throwIfAborted();
  if (large) return loadLarge(ports, manifest, { known: await known, progress });
  const { value: delta, warnings } = await lending(ports, known, () =>
    withFollowers(ports, () => loadWithin(ports, manifest, { embedded: known, turn: options.turn })),
  );
  const written = resultOf(manifest, delta);
  const result = { ...written, warnings: [...written.warnings, ...warnings] };
  // The graph counted before the names of the text were linked: those that became entities count as concepts too.
  if (delta.unchanged || delta.passages === 0) return result;
  const [source] = await ports.graph.listSources({ source_id: delta.source_id });
  return source === undefined ? result : { ...result, concepts: source.concepts };
}

/** Returns whether a source is written in steps: it is large, or takes the place of a large one. */
async function needsSteps(ports: LoadPorts, manifest: Manifest): Promise<boolean> {
  const source_id = sourceId(manifest.source);
  const [former] = isLarge(manifest) ? [] : await ports.graph.listSources({ source_id });
  const large = former === undefined ? isLarge(manifest) : isLargeSource(former);
  return large && canTakeSteps(ports, source_id);
}

/** Writes a large source in steps; returns the result with what it comes to in the end. */
async function loadLarge(
  ports: LoadPorts,
  manifest: Manifest,
  made: { readonly known: Embedded; readonly progress: LoadProgress },
): Promise<LoadResult> {
  const { warnings } = await lending(ports, Promise.resolve(made.known), () =>
    withFollowers(ports, () => loadInSteps(ports, manifest, made)),
  );
  const written = await unchangedSource(ports, manifest);
  if (written === null) throw superseded();
  const { unchanged: _, ...result } = written;
  return { ...result, warnings: [...result.warnings, ...warnings] };
}

/**
 * Returns the result for content that is stored already, with the warnings of its pending edges; else null, also while
 * a call writes or forgets the source. `unavailable` while the domain is being removed.
 */
export async function unchangedSource(
  ports: LoadPorts,
  manifest: Pick<Manifest, 'domain' | 'source' | 'content_hash' | 'warnings'>,
): Promise<LoadResult | null> {
  const id = sourceId(manifest.source);
  await checkWritable(ports.store.db, manifest.domain);
  const [source] = await ports.graph.listSources({ source_id: id });
  if (source === undefined || source.content_hash !== manifest.content_hash) return null;
  if (await isBeingWritten(ports, id)) return null;
  return {
    domain: manifest.domain,
    source: manifest.source.label,
    source_id: id,
    concepts: source.concepts,
    edges: source.edges,
    rules: source.rules,
    passages: source.passages,
    warnings: [...manifest.warnings, ...(await ports.graph.pendingEdgeWarnings(id))],
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

/** Writes graph, links and text in one transaction of the store; vectors too where they live there. */
async function loadWithin(
  ports: LoadPorts,
  given: Manifest,
  { embedded, turn }: { readonly embedded: Promise<Embedded>; readonly turn: TurnWrite | undefined },
): Promise<GraphDelta> {
  const { delta, deferred } = await ports.store.write(async (scope) => {
    const id = sourceId(given.source);
    await lockForWriting(scope.db, given.domain, given.append === true ? [id] : []);
    await turn?.verify(scope);
    if (given.append !== true) await deletePendingLoads(scope.db, [id]);
    const manifest = turn === undefined ? given : { ...given, without: await turn.stale(scope) };
    const written = await ports.graph.ingestManifest(manifest, scope);
    if (written.unchanged) return { delta: written, deferred: [] };
    const passages = changedPassages(manifest, written);
    await link(ports, manifest.domain, { delta: written, passages, scope });
    const known = await embedded;
    return { delta: written, deferred: await indexInTransaction(ports, written, { known, scope }) };
  });
  await flushDeferred(ports, deferred);
  return delta;
}

function changedPassages(manifest: Manifest, delta: GraphDelta): string[] {
  const changed = new Set(delta.changed);
  return manifest.passages.filter((passage) => changed.has(passage.id)).map((passage) => passage.id);
}
