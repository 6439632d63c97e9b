import type { GraphDelta } from '../../backends/graph/port.js';
import { lockDomain } from '../../backends/store/locks.js';
import type { WriteScope } from '../../backends/store/scope.js';
import type { Clock } from '../../core/clock.js';
import { sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { type Embedded, embedManifest } from '../index/embed.js';
import { link } from '../link/link.js';
import { type FollowPorts, servingOf } from './follow.js';
import { finishLate, settleWithin } from './late.js';
import { loadThroughOutbox } from './load-outside.js';
import { withFollowers } from './with-followers.js';

export interface LoadPorts extends FollowPorts {
  readonly clock: Clock;
}

export interface LoadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number, total: number | undefined, message: string) => void) | undefined;
  /** False where the caller makes a later write that waits for the disk, and repeats this one if that never came. */
  readonly durable?: boolean | undefined;
  /** For one message of a session. */
  readonly turn?: TurnWrite | undefined;
}

/** What the write of a message asks while nobody else writes to its domain. */
export interface TurnWrite {
  /** First inside the write: makes sure that the turn is the message's. What it throws ends the load. */
  hold(scope: WriteScope): Promise<void>;
  /** Passages that an earlier text of the message left, and that go with this one. */
  stale(scope?: WriteScope): Promise<string[]>;
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
 * The one write path. Embeds (what takes long outside any transaction), and writes graph, links, text and vectors: in
 * one transaction where they share the store, through the outbox where they don't. It answers when everything is
 * written.
 */
export async function load(ports: LoadPorts, manifest: Manifest, options: LoadOptions = {}): Promise<LoadResult> {
  if (manifest.append !== true) {
    const same = await unchangedSource(ports, manifest);
    if (same !== null) return same;
  }
  const { embedding } = await servingOf(ports);
  const known = embedManifest(embedding, manifest, {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    progress: (done, total) => options.progress?.(done, total, 'embedded'),
  });
  // A failure fails the call below, before anything is kept.
  known.catch(() => {});
  // A fast model embeds while graph and links are written; a slow one would hold the transaction open.
  if (embedding?.runsInProcess !== true || !ports.graph.joinsStore) await known;
  options.signal?.throwIfAborted();
  options.progress?.(0, undefined, 'writing');
  const { value: delta, warnings } = await withFollowers(ports, async () =>
    ports.graph.joinsStore
      ? loadWithin(ports, manifest, { embedded: known, turn: options.turn })
      : loadThroughOutbox(ports, manifest, { known: await known, turn: options.turn }),
  );
  const written = resultOf(manifest, delta);
  const result = { ...written, warnings: [...written.warnings, ...warnings] };
  // The graph counted before the names of the text were linked: those that became entities count as concepts too.
  if (delta.unchanged || delta.passages === 0) return result;
  const [source] = await ports.graph.listSources({ source_id: delta.source_id });
  return source === undefined ? result : { ...result, concepts: source.concepts };
}

/** The same content again: nothing to embed, nothing to write. What its edges wait for is told again. */
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

/** Graph, links and text in one transaction of the store; vectors too where they live there. */
async function loadWithin(
  ports: LoadPorts,
  given: Manifest,
  { embedded, turn }: { readonly embedded: Promise<Embedded>; readonly turn: TurnWrite | undefined },
): Promise<GraphDelta> {
  const { delta, late } = await ports.store.write(async (scope) => {
    await lockDomain(scope.db, given.domain);
    await turn?.hold(scope);
    const manifest = turn === undefined ? given : { ...given, without: await turn.stale(scope) };
    const written = await ports.graph.ingestManifest(manifest, scope);
    if (written.unchanged) return { delta: written, late: null };
    const passages = changedPassages(manifest, written);
    await link(ports, manifest.domain, { delta: written, passages, scope });
    const known = await embedded;
    return { delta: written, late: await settleWithin(ports, written, { known, scope }) };
  });
  await finishLate(ports, late, await embedded);
  return delta;
}

function changedPassages(manifest: Manifest, delta: GraphDelta): string[] {
  const changed = new Set(delta.changed);
  return manifest.passages.filter((passage) => changed.has(passage.id)).map((passage) => passage.id);
}
