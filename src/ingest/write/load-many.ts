import { deletePendingLoads, lockForWriting } from '../../backends/store/unfinished/pending-loads.js';
import { sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { Embedded, embedManifest } from '../index/embed.js';
import { link } from '../link/link.js';
import { flushDeferred, indexInTransaction } from './deferred.js';
import type { LoadOptions, LoadPorts } from './load.js';
import { servingOf } from './sync-indexes.js';
import { lending, withFollowers } from './with-followers.js';

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
  const { value, warnings } = await lending(ports, Promise.resolve(known), () =>
    withFollowers(ports, () => writeTogether(ports, { manifests, known }, options.durable ?? true)),
  );
  return { ...value, warnings: [...value.warnings, ...warnings] };
}

async function writeTogether(
  ports: LoadPorts,
  { manifests, known }: { readonly manifests: readonly Manifest[]; readonly known: Embedded },
  durable: boolean,
): Promise<LoadedMany> {
  const { deferred, ...result } = await ports.store.write(
    async (scope) => {
      const domains = [...new Set(manifests.map((manifest) => manifest.domain))].sort();
      for (const domain of domains) {
        const added = manifests.filter((manifest) => manifest.domain === domain && manifest.append === true);
        const ids = added.map(({ source }) => sourceId(source));
        await lockForWriting(scope.db, domain, [...new Set(ids)]);
      }
      const whole = manifests.filter((manifest) => manifest.append !== true);
      await deletePendingLoads(
        scope.db,
        whole.map(({ source }) => sourceId(source)),
      );
      const deltas = await ports.graph.ingestManifests(manifests, scope, { counted: false });
      for (const domain of domains) {
        const keys = deltas.filter((_, i) => manifests[i]?.domain === domain).flatMap((delta) => delta.keys);
        await link(ports, domain, { delta: { keys: [...new Set(keys)] }, passages: [], scope });
      }
      const all = {
        changed: deltas.flatMap((delta) => delta.changed),
        removed: deltas.flatMap((delta) => delta.removed),
      };
      return {
        deferred: await indexInTransaction(ports, all, { known, scope }),
        loaded: deltas.filter((delta) => !delta.unchanged).length,
        changed: all.changed.length,
        warnings: deltas.flatMap((delta) => delta.warnings),
      };
    },
    { durable },
  );
  await flushDeferred(ports, deferred);
  return result;
}
