import type { GraphDelta } from '../../backends/graph/port.js';
import { addOutbox, deleteOutbox, listOutbox, updateOutbox } from '../../backends/store/outbox.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { isoTime } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import { conceptId, qualifiedId, sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { nameKey } from '../../core/text/keys.js';
import { Embedded } from '../index/embed.js';
import { link } from '../link/link.js';
import { inDomainTurn } from './domain-turn.js';
import { finishLate } from './late.js';
import type { LoadPorts, TurnWrite } from './load.js';

/** Nodes that a write may change, and the keys they are about: what a repetition must look at again. */
export interface Nodes {
  readonly ids: readonly string[];
  readonly keys: readonly string[];
}

export interface PendingLoad {
  readonly row: number;
  readonly manifest: Manifest;
  /** Nodes of the source before the load, and those of writes of this source that it takes the place of. */
  readonly before: Nodes;
  /** True where an unfinished write of the same source was dropped for this one. */
  readonly superseded?: boolean;
}

const NONE: Nodes = { ids: [], keys: [] };
const BATCH = 2000;

/** The graph lives elsewhere: note the whole manifest first, then write it, then follow. Every step can be repeated. */
export async function loadThroughOutbox(
  ports: LoadPorts,
  given: Manifest,
  { known, turn }: { readonly known: Embedded; readonly turn: TurnWrite | undefined },
): Promise<GraphDelta> {
  return inDomainTurn(ports, given.domain, async () => {
    const id = sourceId(given.source);
    const manifest = turn === undefined ? given : { ...given, without: await turn.stale() };
    // A message adds to its session: nothing of the others goes, and what waits still has to be done.
    const own = manifest.append === true ? await stateOf(ports, manifest.without ?? []) : await sourceNodes(ports, id);
    const pending = await ports.store.write(async (scope) => {
      await turn?.hold(scope);
      const older = manifest.append === true ? NONE : await supersede(scope, id);
      const before = joined(own, older);
      const payload = { manifest, before, superseded: older.ids.length > 0 };
      const row = await addOutbox(scope.db, 'load', JSON.stringify(payload), isoTime(ports.clock()));
      return { ...payload, row };
    });
    try {
      return await applyNow(ports, pending, known);
    } catch (error) {
      // Bad input would fail for ever: it leaves the outbox. A dead engine is tried again by the job.
      if (error instanceof SvcError && error.code !== 'unavailable') {
        await ports.store.write((scope) => deleteOutbox(scope.db, pending.row));
      }
      throw error;
    }
  });
}

/** Finishes a load that was noted; safe to repeat after a crash at any point. */
export function applyManifest(ports: LoadPorts, pending: PendingLoad): Promise<GraphDelta> {
  return inDomainTurn(ports, pending.manifest.domain, () => applyNow(ports, pending, new Embedded()));
}

async function applyNow(ports: LoadPorts, pending: PendingLoad, known: Embedded): Promise<GraphDelta> {
  const { manifest, before } = pending;
  const delta = await ports.graph.ingestManifest(manifest);
  // Where the graph holds it already, nobody knows how far an earlier attempt came: all that it may touch is done again.
  const again = delta.unchanged || pending.superseded === true;
  const after = again ? await stateOf(ports, [...before.ids, ...nodesOf(manifest)]) : NONE;
  const { keys } = again ? joined(joined(before, after), { ids: [], keys: delta.keys }) : delta;
  const changed = new Set(again ? after.ids : delta.changed);
  const passages = manifest.passages.map((passage) => passage.id).filter((id) => changed.has(id));
  await link(ports, manifest.domain, { delta: { keys }, passages });
  const ids = [...new Set([...delta.changed, ...delta.removed, ...(again ? [...before.ids, ...after.ids] : [])])];
  await ports.store.write((scope) => updateOutbox(scope.db, pending.row, 'follow', JSON.stringify(ids)));
  await finishLate(ports, { row: pending.row, ids }, known);
  return delta;
}

/** Nodes that a source asserts now. */
export async function sourceNodes(ports: LoadPorts, id: string): Promise<Nodes> {
  const passages = await ports.graph.sourcePassages(id);
  return stateOf(ports, [...passages.map((passage) => passage.id), ...(await ports.graph.sourceConcepts(id))]);
}

/** Of a source's unfinished writes none is to be done any more; answers what they may have touched. */
export async function supersede(scope: WriteScope, id: string): Promise<Nodes> {
  let touched = NONE;
  for (const row of await listOutbox(scope.db, 1000)) {
    if (row.kind !== 'load' && row.kind !== 'forget') continue;
    const payload = JSON.parse(row.payload) as { manifest?: Manifest; id?: string; before: Nodes };
    const source = payload.manifest === undefined ? payload.id : sourceId(payload.manifest.source);
    if (source !== id) continue;
    touched = joined(touched, payload.before);
    if (payload.manifest !== undefined) {
      const keys = payload.manifest.passages.flatMap((passage) => passage.about.map((about) => about.key));
      const names = payload.manifest.concepts.map((concept) => nameKey(concept.name));
      touched = joined(touched, { ids: nodesOf(payload.manifest), keys: [...keys, ...names] });
    }
    await deleteOutbox(scope.db, row.id);
  }
  return touched;
}

/** Of these nodes those that are there, and the keys they are about. */
export async function stateOf(ports: LoadPorts, ids: readonly string[]): Promise<Nodes> {
  const all = [...new Set(ids)];
  const found: string[] = [];
  const keys = new Set<string>();
  for (let start = 0; start < all.length; start += BATCH) {
    for (const node of await ports.graph.getNodes(all.slice(start, start + BATCH))) {
      found.push(node.id);
      if (node.kind === 'concept') keys.add(nameKey(node.name));
      for (const about of node.passage?.about ?? []) keys.add(about.key);
    }
  }
  return { ids: found, keys: [...keys] };
}

function nodesOf({ domain, concepts, passages }: Manifest): string[] {
  const ids = concepts.map(({ id, name }) => (id === undefined ? conceptId(domain, name) : qualifiedId(domain, id)));
  return [...ids, ...passages.map((passage) => passage.id)];
}

function joined(a: Nodes, b: Nodes): Nodes {
  return { ids: [...new Set([...a.ids, ...b.ids])], keys: [...new Set([...a.keys, ...b.keys])] };
}
