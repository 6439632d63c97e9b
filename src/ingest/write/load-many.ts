import type { Manifest } from '../../core/model.js';
import { Embedded, embedManifest } from '../index/embed.js';
import type { LoadOptions, LoadPorts } from './load.js';
import { servingOf } from './sync-indexes.js';
import { lending, withFollowers } from './with-followers.js';
import { writeSources } from './write-sources.js';

/** The effect of a batch of sources. */
export interface LoadedMany {
  /** Sources whose content was new. */
  readonly loaded: number;
  /** Concepts that are new or read differently now. */
  readonly changed: number;
  readonly warnings: string[];
}

/** Many small sources with their vectors, ready to be written. */
export interface PreparedMany {
  readonly manifests: readonly Manifest[];
  readonly known: Embedded;
}

/**
 * Loads many small sources (rows, messages of a file) in one write: all of them or none. Their manifests carry no
 * passages; each keeps its own provenance.
 */
export async function loadMany(
  ports: LoadPorts,
  manifests: readonly Manifest[],
  options: LoadOptions = {},
): Promise<LoadedMany> {
  return writeMany(ports, await prepareMany(ports, manifests, options), options);
}

/** Embeds what the sources assert, outside of any transaction. */
export async function prepareMany(
  ports: LoadPorts,
  manifests: readonly Manifest[],
  { signal }: LoadOptions = {},
): Promise<PreparedMany> {
  if (manifests.length === 0) return { manifests, known: new Embedded() };
  const whole: Manifest = { ...manifests[0]!, concepts: manifests.flatMap((manifest) => manifest.concepts) };
  const { embedding } = await servingOf(ports);
  return { manifests, known: await embedManifest(embedding, whole, signal === undefined ? {} : { signal }) };
}

/** Writes prepared sources. Preparing them twice, or earlier, ends in the same graph. */
export async function writeMany(
  ports: LoadPorts,
  { manifests, known }: PreparedMany,
  options: LoadOptions = {},
): Promise<LoadedMany> {
  if (manifests.length === 0) return { loaded: 0, changed: 0, warnings: [] };
  const embedded = Promise.resolve(known);
  const sources = manifests.map((manifest) => ({ manifest, embedded }));
  const { value: deltas, warnings } = await lending(ports, embedded, () =>
    withFollowers(ports, () => writeSources(ports, sources, { durable: options.durable ?? true, counted: false })),
  );
  return {
    loaded: deltas.filter(({ unchanged }) => !unchanged).length,
    changed: deltas.reduce((sum, { changed }) => sum + changed.length, 0),
    warnings: [...deltas.flatMap((delta) => delta.warnings), ...warnings],
  };
}
