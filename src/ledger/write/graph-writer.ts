import { sql } from 'kysely';
import type { Db } from '../../backends/store/schema.js';
import type { Store, WriteScope } from '../../backends/store/scope.js';
import { checkWritable } from '../../backends/store/unfinished/pending-loads.js';
import { type Clock, isoTime } from '../../core/clock.js';
import { domainNotFound } from '../../core/errors.js';
import type { Manifest } from '../../core/model.js';
import type { ChangeLimits } from '../changes.js';
import {
  batchesOf,
  deltasOf,
  forgottenDelta,
  type Load,
  loadsOf,
  NOTHING,
  type SourceStatus,
} from '../manifest/loads.js';
import type { SourceChange } from '../manifest/source-change.js';
import { noCounts } from '../read/counts.js';
import { pendingWarningsOf } from '../read/sources/read-sources.js';
import { countsOf, edgesOf, talliesOf } from '../read/sources/source-counts.js';
import type { Writer } from '../tables.js';
import type { ForgetOptions, GraphDelta, IngestOptions, Mentions } from '../types.js';
import { deleteDomain } from './delete-domain.js';
import { addsNothing, applyMentions, applySources } from './ingest.js';
import { deleteSource, domainOfSource, findSource, findSources, type SourceRow, saveSources } from './source-rows.js';
import { type DomainRef, WriteState } from './write-state.js';

interface InScope {
  /** The caller's transaction; without one the write has its own. */
  readonly scope?: WriteScope | undefined;
}

/** The writing methods: each inside the caller's transaction, or one of its own. */
export class GraphWriter {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly limits: ChangeLimits,
  ) {}

  /** Writes sources, those of one domain together; a source that occurs twice is written twice, in order. */
  async ingest(manifests: readonly Manifest[], options: IngestOptions & InScope): Promise<GraphDelta[]> {
    const loads = await loadsOf(manifests);
    return this.within(options.scope, async (state) => {
      const deltas: GraphDelta[] = [];
      for (const batch of batchesOf(loads)) deltas.push(...(await this.ingestTogether(state, batch, options)));
      return deltas;
    });
  }

  async forget(id: string, options: ForgetOptions): Promise<GraphDelta | null> {
    return this.within(options.scope, async (state) => {
      const name = await domainOfSource(state.db, id);
      if (name === undefined) return null;
      await state.lock(name);
      // Another write may have forgotten or replaced the source before this one got the lock.
      const source = await findSource(state.db, id);
      const w = await writerOf(state, name);
      if (source === undefined || w === undefined) return null;
      const change: SourceChange = { ref: source.ref, id, existed: true, append: false, next: null };
      const effects = await applySources(w, [change], { rematched: options.rematched });
      await deleteSource(state.db, source.ref);
      await dropUnused(w);
      return forgottenDelta(id, effects);
    });
  }

  async setMentions(domain: string, passages: Mentions, scope?: WriteScope): Promise<void> {
    await this.within(scope, async (state) => {
      await state.lock(domain);
      const w = await writerOf(state, domain);
      if (w !== undefined) await applyMentions(w, passages);
    });
  }

  async createDomain(name: string, description?: string): Promise<void> {
    await this.within(undefined, async (state) => {
      await lockedForWriting(state, name, {});
      const { ref } = await state.makeDomain(name);
      await state.db.updateTable('domain').set({ created: 1 }).where('ref', '=', ref).execute();
      if (description === undefined) return;
      const update = state.db.updateTable('domain').set({ description }).where('ref', '=', ref);
      const result = await update.where('description', '<>', description).executeTakeFirst();
      if (result.numUpdatedRows > 0n) state.touched = true;
    });
  }

  async deleteDomain(name: string, scope?: WriteScope): Promise<string[]> {
    return this.within(scope, async (state) => {
      await state.lock(name);
      const w = await writerOf(state, name);
      if (w === undefined) throw domainNotFound(name);
      return deleteDomain(w);
    });
  }

  private async ingestTogether(
    state: WriteState,
    loads: readonly Load[],
    { scope, linked, counted = true }: IngestOptions & InScope,
  ): Promise<GraphDelta[]> {
    const { domain: name } = loads[0]!.manifest;
    await lockedForWriting(state, name, { scope, sources: loads.map(({ id }) => id) });
    const domain = await state.makeDomain(name);
    const w: Writer = { state, db: state.db, domain };
    const { changes, refs } = await this.changesOf(w, loads);
    const written = new Set(changes.map(({ id }) => id));
    const rematched = loads.flatMap(({ id, manifest }) => (written.has(id) ? (manifest.rematched ?? []) : []));
    const effects = changes.length === 0 ? NOTHING : await applySources(w, changes, { rematched });
    if (changes.length > 0) await linked?.(name, effects);
    // What a source comes to is read once, after its last piece.
    const whole = loads.filter(({ manifest }) => manifest.piece === undefined).map(({ id }) => id);
    const statuses = await statusOf(state.db, new Map(whole.map((id) => [id, refs.get(id)!])), counted);
    const none = { ...noCounts(), warnings: [] };
    return deltasOf(loads, { written, effects, status: (load) => statuses.get(load.id) ?? none });
  }

  /** Returns what sources are to assert that do not already, and the numbers of all sources by id. */
  private async changesOf(
    w: Writer,
    loads: readonly Load[],
  ): Promise<{ readonly changes: SourceChange[]; readonly refs: ReadonlyMap<string, number> }> {
    const ids = loads.map((load) => load.id);
    const known = await findSources(w.db, ids);
    const writing: Load[] = [];
    for (const load of loads) {
      if (!(await holdsAlready(w, known.get(load.id), load))) writing.push(load);
    }
    const saved = await saveSources(w, writing, isoTime(this.clock()));
    const changes = writing.map(({ id, manifest: { append, piece }, asserted: next }) => {
      const ref = saved.get(id)!;
      return { ref, id, existed: known.has(id), append: append === true, retracted: piece?.retracted, next };
    });
    return { changes, refs: new Map([...[...known].map(([id, { ref }]) => [id, ref] as const), ...saved]) };
  }

  /** Works on a domain that must exist (`domain_not_found`); `now` is ISO 8601. */
  inDomain<T>(name: string, scope: WriteScope | undefined, work: (w: Writer, now: string) => Promise<T>): Promise<T> {
    return this.within(scope, async (state) => {
      await lockedForWriting(state, name, { scope });
      const w = await writerOf(state, name);
      if (w === undefined) throw domainNotFound(name);
      return work(w, isoTime(this.clock()));
    });
  }

  /** Undoes what has this id in a log; null where there is none, or it was undone before. */
  undo<R extends { readonly domain: string; readonly undone_at: string | null }, T>(
    id: string,
    scope: WriteScope | undefined,
    log: {
      readonly find: (db: Db, id: string) => Promise<R | undefined>;
      readonly undo: (w: Writer, record: R, now: string) => Promise<T>;
    },
  ): Promise<T | null> {
    return this.within(scope, async (state) => {
      const found = await log.find(state.db, id);
      if (found === undefined) return null;
      await lockedForWriting(state, found.domain, { scope });
      const record = await log.find(state.db, id);
      const w = await writerOf(state, found.domain);
      if (record === undefined || w === undefined || record.undone_at !== null) return null;
      return log.undo(w, record, isoTime(this.clock()));
    });
  }

  /** Returns how many nodes, names in texts too, a write has removed so far. */
  removedBy(scope: WriteScope): number {
    return WriteState.of(scope, this.limits).change.removedNodes.size;
  }

  /** Returns a domain as a write sees it; undefined where there is none of that name. */
  domain(name: string, scope: WriteScope): Promise<DomainRef | undefined> {
    return WriteState.of(scope, this.limits).domain(name);
  }

  private async within<T>(scope: WriteScope | undefined, work: (state: WriteState) => Promise<T>): Promise<T> {
    if (scope !== undefined) return work(WriteState.of(scope, this.limits));
    return this.store.write(async (own) => work(WriteState.of(own, this.limits)));
  }
}

/**
 * Removes sources of the service's own whose edges have all lost an endpoint, and the domain with its last source
 * unless a caller created it by name: a service that never saw the forgotten source has neither.
 */
export async function dropUnused(w: Writer): Promise<void> {
  const { db, domain } = w;
  const own = await sql<{ ref: number }>`select s.ref from source s where s.domain = ${domain.ref} and s.kind = 'system'
    and not exists (select 1 from edge e where e.source = s.ref and e.src <> 0 and e.dst <> 0)`.execute(db);
  for (const { ref } of own.rows) {
    await sql`delete from edge where source = ${ref}`.execute(db);
    await deleteSource(db, ref);
  }
  const left = await sql`select 1 from source where domain = ${domain.ref} limit 1`.execute(db);
  if (left.rows.length > 0) return;
  const named = await sql`select 1 from domain where ref = ${domain.ref} and created = 1`.execute(db);
  if (named.rows.length === 0) await deleteDomain(w);
}

/** Returns what writes to a domain; undefined where there is none of that name. */
async function writerOf(state: WriteState, name: string): Promise<Writer | undefined> {
  const domain = await state.domain(name);
  return domain === undefined ? undefined : { state, db: state.db, domain };
}

/** Locks a domain for a write that adds; without a caller's transaction, which checks that itself, throws as `checkWritable` does. */
async function lockedForWriting(
  state: WriteState,
  name: string,
  { scope, sources }: { readonly scope?: WriteScope | undefined; readonly sources?: readonly string[] },
): Promise<void> {
  await state.lock(name);
  if (scope === undefined) await checkWritable(state.db, name, sources);
}

async function holdsAlready(w: Writer, known: SourceRow | undefined, load: Load): Promise<boolean> {
  if (known === undefined || load.manifest.piece !== undefined) return false;
  if (load.manifest.append !== true) return known.content_hash === load.manifest.content_hash;
  return addsNothing(w, { ref: known.ref, id: load.id, existed: true, append: true, next: load.asserted });
}

/** Returns what now exists because of each source, if it is to be counted, and what its edges wait for. */
async function statusOf(
  db: Db,
  sources: ReadonlyMap<string, number>,
  counted: boolean,
): Promise<Map<string, SourceStatus>> {
  const refs = [...sources.values()];
  const tallies = counted ? await talliesOf(db, refs) : undefined;
  const counts = tallies && (await countsOf(db, tallies));
  const pending = await pendingWarningsOf(db, refs, tallies && edgesOf(tallies));
  return new Map(
    [...sources].map(([id, ref]) => [id, { ...(counts?.get(ref) ?? noCounts()), warnings: pending.get(ref) ?? [] }]),
  );
}
