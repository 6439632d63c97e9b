import type { GraphDelta } from '../../backends/graph/port.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { deletePendingLoads, lockForWriting } from '../../backends/store/unfinished/pending-loads.js';
import { sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { Embedded } from '../index/embed.js';
import { link } from '../link/link.js';
import { flushDeferred, indexInTransaction } from './deferred.js';
import type { LoadPorts, TurnWrite } from './ports.js';

/** What one source is to say. */
export interface SourceWrite {
  readonly manifest: Manifest;
  /** May still be made while the graph is written. */
  readonly embedded: Promise<Embedded>;
  /** For messages of a session. */
  readonly turn?: TurnWrite | undefined;
}

/**
 * Writes what sources say in one transaction of the store, all or none: graph, links and text; vectors too where they
 * live there. Returns one delta each, in order.
 */
export async function writeSources(
  ports: LoadPorts,
  sources: readonly SourceWrite[],
  { durable = true, counted = true }: { readonly durable?: boolean; readonly counted?: boolean } = {},
): Promise<GraphDelta[]> {
  const { deltas, deferred } = await ports.store.write(
    async (scope) => {
      const manifests = await lockedManifests(sources, scope);
      const passages = passagesByDomain(manifests);
      const deltas = await ports.graph.ingestManifests(manifests, scope, {
        counted,
        linked: (domain, delta) => {
          const own = passages.get(domain);
          return link(ports, domain, { delta, passages: delta.changed.filter((id) => own?.has(id) === true), scope });
        },
      });
      const changed = deltas.flatMap((delta) => delta.changed);
      const removed = deltas.flatMap((delta) => delta.removed);
      if (deltas.every(({ unchanged }) => unchanged)) return { deltas, deferred: [] };
      const known = Promise.all(sources.map(({ embedded }) => embedded)).then(Embedded.together);
      // Waited for once the text is written; a failure before that is the one that counts.
      known.catch(() => {});
      return { deltas, deferred: await indexInTransaction(ports, { changed, removed }, { known, scope }) };
    },
    { durable },
  );
  await flushDeferred(ports, deferred);
  return deltas;
}

/** Locks the domains, always in the same order, and returns what the sources are to say as it stands then. */
async function lockedManifests(sources: readonly SourceWrite[], scope: WriteScope): Promise<Manifest[]> {
  const manifests = sources.map(({ manifest }) => manifest);
  for (const domain of [...new Set(manifests.map((manifest) => manifest.domain))].sort()) {
    const added = manifests.filter((manifest) => manifest.domain === domain && manifest.append === true);
    await lockForWriting(scope.db, domain, [...new Set(added.map(({ source }) => sourceId(source)))]);
  }
  for (const { turn } of sources) await turn?.verify(scope);
  const whole = manifests.filter(({ append }) => append !== true).map(({ source }) => sourceId(source));
  if (whole.length > 0) await deletePendingLoads(scope.db, whole);
  const settled: Manifest[] = [];
  for (const { manifest, turn } of sources) {
    settled.push(turn === undefined ? manifest : { ...manifest, without: await turn.stale(scope) });
  }
  return settled;
}

function passagesByDomain(manifests: readonly Manifest[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byDomain = new Map<string, Set<string>>();
  for (const { domain, passages } of manifests) {
    const known = byDomain.get(domain) ?? new Set();
    for (const { id } of passages) known.add(id);
    byDomain.set(domain, known);
  }
  return byDomain;
}
