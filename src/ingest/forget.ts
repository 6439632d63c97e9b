import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { deleteQueriesOf } from '../backends/store/learning/querylog.js';
import { lockDomain } from '../backends/store/locks.js';
import { dropRemoved, dropRemovedOfDomain } from '../backends/store/removed-messages.js';
import type { Database } from '../backends/store/schema.js';
import { forgetTurns } from '../backends/store/session-messages.js';
import {
  addPendingLoad,
  deleteAllPendingLoads,
  deletePendingLoads,
  isPending,
  type PendingLoad,
  REMOVING,
  removalOf,
} from '../backends/store/unfinished/pending-loads.js';
import { isoTime } from '../core/clock.js';
import { domainNotFound, SvcError } from '../core/errors.js';
import type { SourceInfo } from '../core/model.js';
import { Embedded } from './index/embed.js';
import { link } from './link/link.js';
import { flushDeferred, indexInTransaction } from './write/deferred.js';
import { forgetInSteps, retractInSteps } from './write/forget-in-steps.js';
import { canTakeSteps, superseded, untilRemoved } from './write/load-in-steps.js';
import { takesSteps } from './write/pieces.js';
import type { LoadPorts } from './write/ports.js';
import { withFollowers } from './write/with-followers.js';

export interface ForgetResult {
  readonly sources: number;
  /** Nodes that no longer exist. */
  readonly removed: number;
}

/** Undoes exactly what one source alone asserted, in graph, text, vectors. `source_not_found` if there is none. */
export async function forgetSource(ports: LoadPorts, id: string): Promise<ForgetResult> {
  const source = await forgettable(ports, id);
  if (source === undefined) {
    // A session all of which an edit hides is kept apart.
    const hidden = await ports.store.write(({ db }) => forgetHidden(db, id));
    if (hidden) return { sources: 1, removed: 0 };
    throw sourceNotFound(id);
  }
  const { value } = await withFollowers(ports, () => forgetNow(ports, source));
  return { sources: 1, removed: value };
}

/** Returns a source that may be forgotten; undefined where there is none. `conflict` for the edits of a domain. */
export async function forgettable({ graph }: LoadPorts, id: string): Promise<SourceInfo | undefined> {
  const [source] = await graph.listSources({ source_id: id });
  if (source?.kind !== 'edits') return source;
  throw new SvcError('conflict', `Source ${id} holds the edits of domain ${source.domain}; undo the edits instead.`);
}

export function sourceNotFound(id: string): SvcError {
  return new SvcError('source_not_found', `Source ${id} does not exist; list the documents to see their sources.`);
}

/** Forgets a source; with the token of a removal of its domain, only while no other call took that over. */
async function forgetNow(ports: LoadPorts, source: SourceInfo, removal?: string): Promise<number> {
  const { source_id, domain } = source;
  const within = (token?: string) => forgetWithin(ports, source_id, { domain, token });
  if (!takesSteps(source) || !(await canTakeSteps(ports, source_id))) return within(removal);
  return forgetInSteps(ports, source, { removal, last: within });
}

/** Finishes forgetting a source for a process that died. */
export async function finishForgetting(ports: LoadPorts, load: PendingLoad): Promise<boolean> {
  const { source_id, domain, token } = load;
  const [source] = await ports.graph.listSources({ source_id });
  if (source !== undefined) await retractInSteps(ports, source, token);
  await forgetWithin(ports, source_id, { domain, token });
  return true;
}

/** Forgets what is left of a source in one transaction; with a token, only while no other call took the source over. */
async function forgetWithin(
  ports: LoadPorts,
  id: string,
  { domain, token }: { readonly domain: string; readonly token: string | undefined },
): Promise<number> {
  const { deferred, removed } = await ports.store.write(async (scope) => {
    await lockDomain(scope.db, domain);
    if (token !== undefined && !(await isPending(scope.db, token))) throw superseded();
    await deletePendingLoads(scope.db, [id]);
    const delta = await ports.graph.forgetSource(id, { scope });
    await forgetHidden(scope.db, id);
    if (delta === null) return { deferred: [], removed: 0 };
    await link(ports, domain, { delta, passages: [], scope });
    return {
      deferred: await indexInTransaction(ports, delta, { known: new Embedded(), scope }),
      removed: ports.graph.removedBy?.(scope) ?? delta.removed.length,
    };
  });
  await flushDeferred(ports, deferred);
  return removed;
}

/** Drops the turns of a session and the messages of it that edits hide; false where there were none of these. */
async function forgetHidden(db: Kysely<Database>, sourceId: string): Promise<boolean> {
  await forgetTurns(db, sourceId);
  return (await dropRemoved(db, sourceId)) > 0;
}

/** Removes a domain with all it holds and the questions that asked it alone. `domain_not_found` if there is none. */
export async function forgetDomain(ports: LoadPorts, domain: string): Promise<ForgetResult> {
  if ((await ports.graph.getDomain(domain)) === null) throw domainNotFound(domain);
  return (await withFollowers(ports, () => forgetDomainNow(ports, domain))).value;
}

/**
 * Removes a domain. Large sources go in steps before the one transaction that removes the rest; the removal is noted
 * first then, so that the next process finishes it. Writes into the domain are refused (`unavailable`) until it is gone:
 * whatever is answered after the note, the removal does not take away.
 */
export async function forgetDomainNow(ports: LoadPorts, domain: string): Promise<ForgetResult> {
  const large = (await ports.graph.listSources({ domain })).filter(takesSteps);
  if (large.length === 0) return forgetDomainWithin(ports, domain);
  const load = { source_id: removalOf(domain), domain, token: randomUUID() };
  const created_at = isoTime(ports.clock());
  await ports.store.write(({ db }) => addPendingLoad(db, { ...load, created_at }, REMOVING));
  let result: ForgetResult = { sources: 0, removed: 0 };
  await untilRemoved(ports, load, async () => {
    result = await removeDomain(ports, load);
  });
  return result;
}

/** Removes a domain whose removal is noted. `conflict` where another call took it over, or restored the graph. */
export async function removeDomain(
  ports: LoadPorts,
  { domain, token }: Pick<PendingLoad, 'domain' | 'token'>,
): Promise<ForgetResult> {
  const large = (await ports.graph.listSources({ domain })).filter(takesSteps);
  let removed = 0;
  for (const source of large) removed += await forgetNow(ports, source, token);
  const rest = await forgetDomainWithin(ports, domain, token);
  return { sources: large.length + rest.sources, removed: removed + rest.removed };
}

/** Removes what is left of a domain in one transaction; with a token, only while no other call took the removal over. */
async function forgetDomainWithin(ports: LoadPorts, domain: string, token?: string): Promise<ForgetResult> {
  const { deferred, ...result } = await ports.store.write(async (scope) => {
    await lockDomain(scope.db, domain);
    if (token !== undefined && !(await isPending(scope.db, token))) throw superseded();
    const sources = await ports.graph.listSources({ domain }, scope);
    await deleteAllPendingLoads(scope.db, domain);
    // A domain that nobody created by name goes with its last source.
    const isThere = (await ports.graph.getDomain(domain)) !== null;
    const ids = isThere ? await ports.graph.deleteDomain(domain, scope) : [];
    await dropRemovedOfDomain(scope.db, domain);
    await deleteQueriesOf(scope.db, domain);
    for (const source of sources) if (source.kind === 'session') await forgetTurns(scope.db, source.source_id);
    return {
      sources: sources.length,
      removed: ids.length,
      deferred: await indexInTransaction(ports, { changed: [], removed: ids }, { known: new Embedded(), scope }),
    };
  });
  await flushDeferred(ports, deferred);
  return result;
}
