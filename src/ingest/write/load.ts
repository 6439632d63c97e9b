import type { EmbeddingModel } from '../../backends/embedding/port.js';
import type { GraphDelta } from '../../backends/graph/port.js';
import { checkWritable } from '../../backends/store/unfinished/pending-loads.js';
import { sourceId } from '../../core/ids.js';
import type { Manifest, SourceInfo } from '../../core/model.js';
import { type Embedded, embedManifest } from '../index/embed.js';
import { groupCommit } from './group-commit.js';
import { canTakeSteps, isBeingWritten, loadInSteps, superseded } from './load-in-steps.js';
import { LoadProgress } from './load-progress.js';
import { isLarge, isLargeSource, isShort } from './pieces.js';
import type { LoadOptions, LoadPorts, LoadResult, StoredSource } from './ports.js';
import { servingOf } from './sync-indexes.js';
import { lending, withFollowers } from './with-followers.js';

export type { LoadOptions, LoadPorts, LoadResult, StoredSource, TurnWrite } from './ports.js';

/**
 * Writes a manifest: the one write path. Embeds first (what takes long outside of any transaction), then writes graph,
 * links, text and vectors in one transaction of the store; engines outside of it follow. Returns when everything is
 * written.
 */
export async function load(ports: LoadPorts, manifest: Manifest, options: LoadOptions = {}): Promise<LoadResult> {
  const stored = options.stored ?? (manifest.append === true ? undefined : await storedSource(ports, manifest));
  if (stored?.unchanged != null) return stored.unchanged;
  const large = stored !== undefined && (await needsSteps(ports, manifest, stored.source));
  if (large) return loadLarge(ports, manifest, options);
  return resultOf(manifest, await loadSmall(ports, manifest, options));
}

/** Writes a manifest in one transaction, maybe together with others; returns what that changed, with all there is to warn of. */
export async function loadSmall(ports: LoadPorts, manifest: Manifest, options: LoadOptions = {}): Promise<GraphDelta> {
  const { embedding } = await servingOf(ports);
  const wasIdle = embedding?.idle?.() === true;
  const embedded = embedNoting(embedding, manifest, { options, progress: new LoadProgress(manifest, options) });
  // What is embedded soon is embedded while graph and links are written; else the transaction would be held open.
  const inside = embedding?.runsInProcess === true || (wasIdle && isShort(manifest) && !embedsInside.has(ports.store));
  if (!inside) await embedded;
  options.signal?.throwIfAborted();
  if (inside) embedsInside.add(ports.store);
  const { turn, signal } = options;
  const { value: delta, warnings } = await lending(ports, embedded, () =>
    withFollowers(ports, () => groupCommit(ports, manifest.domain).write({ manifest, embedded, turn }, signal)),
  ).finally(() => inside && embedsInside.delete(ports.store));
  return { ...delta, warnings: [...manifest.warnings, ...delta.warnings, ...warnings] };
}

function embedNoting(
  embedding: EmbeddingModel | null,
  manifest: Manifest,
  { options: { signal }, progress }: { readonly options: LoadOptions; readonly progress: LoadProgress },
): Promise<Embedded> {
  const known = embedManifest(embedding, manifest, {
    ...(signal === undefined ? {} : { signal }),
    progress: progress.embedded.bind(progress),
  });
  // A failure fails the call that waits for it, before anything is kept.
  known.catch(() => {});
  return known;
}

/** Stores with a write whose texts are embedded while its transaction is open: one at a time, since other writes wait. */
const embedsInside = new WeakSet<LoadPorts['store']>();

/** Returns whether a source is written in steps: it is large, or takes the place of a large one. */
async function needsSteps(ports: LoadPorts, manifest: Manifest, former: SourceInfo | undefined): Promise<boolean> {
  const large = isLarge(manifest) || (former !== undefined && isLargeSource(former));
  return large && canTakeSteps(ports, sourceId(manifest.source));
}

/** Writes a large source in steps; returns the result with what it comes to in the end. */
async function loadLarge(ports: LoadPorts, manifest: Manifest, options: LoadOptions): Promise<LoadResult> {
  const progress = new LoadProgress(manifest, options);
  progress.expectSteps();
  const { embedding } = await servingOf(ports);
  const known = await embedNoting(embedding, manifest, { options, progress });
  options.signal?.throwIfAborted();
  const { warnings } = await lending(ports, Promise.resolve(known), () =>
    withFollowers(ports, () => loadInSteps(ports, manifest, { known, progress })),
  );
  const { unchanged: written } = await storedSource(ports, manifest);
  if (written === null) throw superseded();
  const { unchanged: _, ...result } = written;
  return { ...result, warnings: [...result.warnings, ...warnings] };
}

/**
 * Reads what is stored of a source, and the result for content that is stored already, with the warnings of its pending
 * edges: null for other content, also while a call writes or forgets the source. `unavailable` while the domain is being
 * removed.
 */
export async function storedSource(
  ports: LoadPorts,
  manifest: Pick<Manifest, 'domain' | 'source' | 'content_hash' | 'warnings'>,
): Promise<StoredSource> {
  const id = sourceId(manifest.source);
  await checkWritable(ports.store.db, manifest.domain);
  const [source] = await ports.graph.listSources({ source_id: id });
  if (source === undefined || source.content_hash !== manifest.content_hash || (await isBeingWritten(ports, id))) {
    return { source, unchanged: null };
  }
  const unchanged = {
    domain: manifest.domain,
    source: manifest.source.label,
    source_id: id,
    concepts: source.concepts,
    edges: source.edges,
    rules: source.rules,
    passages: source.passages,
    warnings: [...manifest.warnings, ...(await ports.graph.pendingEdgeWarnings(id))],
    unchanged: true as const,
  };
  return { source, unchanged };
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
    warnings: [...delta.warnings],
    ...(delta.unchanged ? { unchanged: true as const } : {}),
  };
}
