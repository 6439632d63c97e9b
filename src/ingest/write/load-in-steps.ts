import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLease } from '../../backends/store/leases.js';
import { lockDomain } from '../../backends/store/locks.js';
import {
  addPendingLoad,
  addPieces,
  checkWritable,
  completePendingLoad,
  deletePendingLoads,
  deleteTokens,
  INCOMPLETE,
  isPending,
  listPendingLoads,
  type PendingLoad,
  readPiece,
  renewPendingLoad,
} from '../../backends/store/unfinished/pending-loads.js';
import { mapInSlices, slicer } from '../../core/async/slices.js';
import { isoTime } from '../../core/clock.js';
import { isUnavailable, SvcError } from '../../core/errors.js';
import { sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import type { Asserted } from '../../ledger/manifest/asserted.js';
import { assertedInSlices } from '../../ledger/manifest/asserted.js';
import { obsoleteParts } from '../../ledger/read/obsolete.js';
import { type Embedded, embedManifest } from '../index/embed.js';
import { link } from '../link/link.js';
import { flushDeferred, indexInTransaction } from './deferred.js';
import type { LoadProgress } from './load-progress.js';
import { emptyPiece, piecesOf } from './pieces.js';
import type { LoadPorts } from './ports.js';
import { servingOf } from './sync-indexes.js';

/** How long a process that died keeps others from finishing what it wrote, ms. */
const TTL = 30_000;
const WAIT = 100;
/** Pieces noted in one transaction. */
const NOTED = 4;

/**
 * Writes a large source in many small transactions, so that other writes need not wait for it. All pieces are noted in
 * the store first: before that nothing has changed, and from then on the source becomes as they say, if need be by the
 * next process (`finishPendingLoads`). Readers may see it arrive piece by piece.
 */
export async function loadInSteps(
  ports: LoadPorts,
  manifest: Manifest,
  { known, progress }: { readonly known: Embedded; readonly progress?: LoadProgress | undefined },
): Promise<void> {
  const { store } = ports;
  const load = { source_id: sourceId(manifest.source), domain: manifest.domain, token: randomUUID() };
  await checkIds(ports, manifest);
  const pieces = [...(await piecesOf(manifest)), { ...emptyPiece(manifest), content_hash: manifest.content_hash }];
  const created_at = isoTime(ports.clock());
  await store.write(async ({ db }) => {
    await addPendingLoad(db, { ...load, created_at });
    await checkWritable(db, load.domain);
  });
  const work = async (): Promise<void> => {
    for (let from = 0; from < pieces.length; from += NOTED) {
      const bodies = await mapInSlices(pieces.slice(from, from + NOTED), (piece) => JSON.stringify(piece));
      await store.write(async ({ db }) => {
        if (!(await isPending(db, load.token))) throw superseded();
        await addPieces(db, load.token, { from, bodies });
        if (from + NOTED >= pieces.length) await completePendingLoad(db, load.token);
      });
    }
    await writePieces(ports, load, { pieces, known, progress });
  };
  await untilDone(ports, load, work);
}

/**
 * Runs what was noted as soon as no other call is at the source: whoever still is ends at its next step. Where another
 * call takes over, maybe with the same content, waits for its end: what counts is what it ends with.
 */
export async function untilDone(
  ports: LoadPorts,
  load: Pick<PendingLoad, 'source_id' | 'token'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    let renewed = ports.clock();
    while ((await leased(ports, load, () => work().then(() => true))) === null) {
      await sleep(WAIT);
      const now = ports.clock();
      if (now - renewed < TTL / 3) continue;
      renewed = now;
      await ports.store.write(({ db }) => renewPendingLoad(db, { token: load.token, created_at: isoTime(now) }));
    }
  } catch (error) {
    if (!(error instanceof SvcError && error.code === 'conflict')) throw error;
    while (await isBeingWritten(ports, load.source_id)) await sleep(WAIT);
  }
}

/** Does the steps of a removal that is noted: whoever is told that it failed is told that it goes on by itself. */
export async function untilRemoved(
  ports: LoadPorts,
  load: Pick<PendingLoad, 'source_id' | 'token'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await untilDone(ports, load, work);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const { details, retriable, retryAfter } = error;
    const sentence = `${error.message} The removal has begun and goes on by itself once that is possible, also after a restart.`;
    throw new SvcError(
      error.code,
      sentence,
      { ...details, pending: true },
      { cause: error, retriable, ...(retryAfter === undefined ? {} : { retryAfter }) },
    );
  }
}

/**
 * Returns whether a source may be written in steps: one with concepts that are merged into others may not, whose
 * assertions only a whole write finds.
 */
export async function canTakeSteps({ store }: LoadPorts, source_id: string): Promise<boolean> {
  const merged = await store.db
    .selectFrom('merged_concept')
    .innerJoin('source', 'source.ref', 'merged_concept.source')
    .select('merged_concept.id')
    .where('source.id', '=', source_id)
    .limit(1)
    .execute();
  return merged.length === 0;
}

/** Returns whether a call writes or forgets the source in steps. */
export async function isBeingWritten({ store }: LoadPorts, source_id: string): Promise<boolean> {
  return (await listPendingLoads(store.db)).some((load) => load.source_id === source_id);
}

/** Finishes a load; false where nothing of it had been written, so that it is as if it had never been asked for. */
export async function finishLoad(ports: LoadPorts, load: PendingLoad): Promise<boolean> {
  if (load.complete === INCOMPLETE) {
    await ports.store.write(({ db }) => deleteTokens(db, [load.token]));
    return false;
  }
  const pieces: Manifest[] = [];
  for (;;) {
    const body = await readPiece(ports.store.db, load.token, pieces.length);
    if (body === undefined) break;
    pieces.push(JSON.parse(body) as Manifest);
  }
  await writePieces(ports, load, { pieces, known: null });
  return true;
}

/** Writes all pieces, and removes what the source asserts beyond them; the last piece marks the source as finished. */
async function writePieces(
  ports: LoadPorts,
  { source_id, token }: Pick<PendingLoad, 'source_id' | 'token'>,
  {
    pieces,
    known,
    progress,
  }: {
    readonly pieces: readonly Manifest[];
    readonly known: Embedded | null;
    readonly progress?: LoadProgress | undefined;
  },
): Promise<void> {
  const write = (piece: Manifest, isLast = false): Promise<number> =>
    writePiece(ports, piece, { source_id, token, known, isLast });
  const last = pieces.at(-1)!;
  for (const piece of pieces.slice(0, -1)) {
    await write(piece);
    progress?.wrote(piece);
  }
  for await (const part of obsoleteParts(ports.store.db, source_id, await unionOf(pieces))) {
    await write({ ...emptyPiece(last), piece: { retracted: part.retracted }, without: part.without });
  }
  await write(last, true);
}

/** Writes one step of a source; returns how many nodes it removed. `conflict` where another call took the source over. */
export async function writePiece(
  ports: LoadPorts,
  piece: Manifest,
  {
    source_id,
    token,
    known: made,
    isLast = false,
  }: { readonly source_id: string; readonly token: string; readonly known: Embedded | null; readonly isLast?: boolean },
): Promise<number> {
  const known = made ?? (await embedManifest((await servingOf(ports)).embedding, piece));
  const { deferred, removed } = await ports.store.write(async (scope) => {
    await lockDomain(scope.db, piece.domain);
    if (!(await isPending(scope.db, token))) throw superseded();
    // What is answered with this step must last.
    if (isLast) await checkWritable(scope.db, piece.domain);
    const delta = await ports.graph.ingestManifest(piece, scope);
    const changed = new Set(delta.changed);
    const passages = piece.passages.filter((passage) => changed.has(passage.id)).map((passage) => passage.id);
    await link(ports, piece.domain, { delta, passages, scope });
    if (isLast) await deletePendingLoads(scope.db, [source_id]);
    const deferred = await indexInTransaction(ports, delta, { known, scope });
    return { deferred, removed: ports.graph.removedBy?.(scope) ?? delta.removed.length };
  });
  await flushDeferred(ports, deferred);
  return removed;
}

/** Returns everything that the pieces assert together. */
async function unionOf(pieces: readonly Manifest[]): Promise<Asserted> {
  const pause = slicer();
  const all: Asserted = { concepts: new Map(), edges: new Map(), rules: new Map(), passages: new Map(), without: [] };
  for (const piece of pieces) {
    const { concepts, edges, rules, passages } = await assertedInSlices(piece);
    for (const [id, concept] of concepts) all.concepts.set(id, concept);
    for (const [key, edge] of edges) all.edges.set(key, edge);
    for (const [id, rule] of rules) all.rules.set(id, rule);
    for (const [id, passage] of passages) all.passages.set(id, passage);
    await pause();
  }
  return all;
}

/** Throws `conflict` where a concept has the id of a passage: later it could not be undone any more. */
async function checkIds({ graph }: LoadPorts, { concepts, domain }: Manifest): Promise<void> {
  const ids = concepts.flatMap(({ id }) =>
    id === undefined ? [] : [id.startsWith(`${domain}:`) ? id : `${domain}:${id}`],
  );
  const taken = (await graph.getNodes(ids)).find((node) => node.kind === 'passage');
  if (taken !== undefined) {
    throw new SvcError('conflict', `Node ${taken.id} is a passage of a document; choose another id.`, { id: taken.id });
  }
}

/** Runs work on a source unless another call, of this process or another, is at it: then null. */
export function leased<T>(
  { store, clock }: LoadPorts,
  { source_id }: Pick<PendingLoad, 'source_id'>,
  work: () => Promise<T>,
) {
  return withLease(store, { name: `load:${source_id}`, holder: randomUUID(), ttl: TTL, clock }, work);
}

/** Returns the error of a call whose source another one took over. */
export function superseded(): SvcError {
  return new SvcError('conflict', 'The source was replaced or forgotten by another call while it was being written.');
}
