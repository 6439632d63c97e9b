import { lockDomain } from '../../backends/store/locks.js';
import type { Manifest } from '../../core/model.js';
import { type Embedded, embedManifest } from '../index/embed.js';
import { link } from '../link/link.js';
import { servingOf } from './follow.js';
import { finishLate, settleWithin } from './late.js';
import { type LoadOptions, type LoadPorts, load } from './load.js';
import { withFollowers } from './with-followers.js';

/** What a batch of sources did. */
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
  /** Null where each source is loaded by itself. */
  readonly known: Embedded | null;
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

/** What needs no transaction: embeds what the sources assert. */
export async function prepareMany(
  ports: LoadPorts,
  manifests: readonly Manifest[],
  { signal }: LoadOptions = {},
): Promise<PreparedMany> {
  if (manifests.length === 0 || !ports.graph.joinsStore) return { manifests, known: null };
  const whole: Manifest = { ...manifests[0]!, concepts: manifests.flatMap((manifest) => manifest.concepts) };
  const { embedding } = await servingOf(ports);
  return { manifests, known: await embedManifest(embedding, whole, signal === undefined ? {} : { signal }) };
}

/** Writes them. Prepared twice or late, they end in the same graph. */
export async function writeMany(
  ports: LoadPorts,
  { manifests, known }: PreparedMany,
  options: LoadOptions = {},
): Promise<LoadedMany> {
  if (known === null) return oneByOne(ports, manifests, options);
  const { value, warnings } = await withFollowers(ports, () =>
    writeTogether(ports, { manifests, known }, options.durable ?? true),
  );
  return { ...value, warnings: [...value.warnings, ...warnings] };
}

async function writeTogether(
  ports: LoadPorts,
  { manifests, known }: { readonly manifests: readonly Manifest[]; readonly known: Embedded },
  durable: boolean,
): Promise<LoadedMany> {
  const { late, ...result } = await ports.store.write(
    async (scope) => {
      const domains = [...new Set(manifests.map((manifest) => manifest.domain))].sort();
      for (const domain of domains) await lockDomain(scope.db, domain);
      const deltas = await ports.graph.ingestManifests(manifests, scope);
      for (const domain of domains) {
        const keys = deltas.filter((_, i) => manifests[i]?.domain === domain).flatMap((delta) => delta.keys);
        await link(ports, domain, { delta: { keys: [...new Set(keys)] }, passages: [], scope });
      }
      const all = {
        changed: deltas.flatMap((delta) => delta.changed),
        removed: deltas.flatMap((delta) => delta.removed),
      };
      return {
        late: await settleWithin(ports, all, { known, scope }),
        loaded: deltas.filter((delta) => !delta.unchanged).length,
        changed: all.changed.length,
        warnings: deltas.flatMap((delta) => delta.warnings),
      };
    },
    { durable },
  );
  await finishLate(ports, late, known);
  return result;
}

async function oneByOne(ports: LoadPorts, manifests: readonly Manifest[], options: LoadOptions): Promise<LoadedMany> {
  let loaded = 0;
  let changed = 0;
  const warnings: string[] = [];
  for (const manifest of manifests) {
    const result = await load(ports, manifest, options);
    if (result.unchanged === undefined) {
      loaded += 1;
      changed += manifest.concepts.length;
    }
    warnings.push(...result.warnings);
  }
  return { loaded, changed, warnings };
}
