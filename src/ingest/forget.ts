import type { SourceFilter } from '../backends/graph/port.js';
import { lockDomain } from '../backends/store/locks.js';
import { addOutbox, updateOutbox } from '../backends/store/outbox.js';
import { forgetTurns } from '../backends/store/session-messages.js';
import { isoTime } from '../core/clock.js';
import { SvcError } from '../core/errors.js';
import { Embedded } from './index/embed.js';
import { link } from './link/link.js';
import { inDomainTurn } from './write/domain-turn.js';
import { finishLate, settleWithin } from './write/late.js';
import type { LoadPorts } from './write/load.js';
import { type Nodes, sourceNodes, stateOf, supersede } from './write/load-outside.js';
import { withFollowers } from './write/with-followers.js';

export interface ForgetResult {
  readonly sources: number;
  /** Nodes that no longer exist. */
  readonly removed: number;
}

/** Undoes exactly what one source alone asserted, in graph, text, vectors. `source_not_found` if there is none. */
export async function forgetSource(ports: LoadPorts, id: string): Promise<ForgetResult> {
  const [source] = await ports.graph.listSources({ source_id: id });
  if (source === undefined) {
    throw new SvcError('source_not_found', `Source ${id} does not exist; list the sources with GET /v1/documents.`);
  }
  if (ports.graph.joinsStore) {
    const { value } = await withFollowers(ports, () => forgetWithin(ports, id, source.domain));
    return { sources: 1, removed: value };
  }
  return inDomainTurn(ports, source.domain, async () => {
    const own = await sourceNodes(ports, id);
    const pending = await ports.store.write(async (scope) => {
      const older = await supersede(scope, id);
      const before = { ids: [...own.ids, ...older.ids], keys: [...own.keys, ...older.keys] };
      const payload = { id, domain: source.domain, before };
      return { ...payload, row: await addOutbox(scope.db, 'forget', JSON.stringify(payload), isoTime(ports.clock())) };
    });
    return { sources: 1, removed: await forgetNow(ports, pending) };
  });
}

/** Every source that fits, for example a whole database (`key_prefix`). */
async function forgetSources(ports: LoadPorts, filter: SourceFilter): Promise<ForgetResult> {
  let sources = 0;
  let removed = 0;
  for (;;) {
    const batch = await ports.graph.listSources({ ...filter, limit: 200 });
    if (batch.length === 0) return { sources, removed };
    for (const source of batch) {
      const result = await forgetSource(ports, source.source_id);
      sources += result.sources;
      removed += result.removed;
    }
  }
}

async function forgetWithin(ports: LoadPorts, id: string, domain: string): Promise<number> {
  const { late, removed } = await ports.store.write(async (scope) => {
    await lockDomain(scope.db, domain);
    const delta = await ports.graph.forgetSource(id, { scope });
    await forgetTurns(scope.db, id);
    if (delta === null) return { late: null, removed: 0 };
    await link(ports, domain, { delta, passages: [], scope });
    return { late: await settleWithin(ports, delta, { known: new Embedded(), scope }), removed: delta.removed.length };
  });
  await finishLate(ports, late);
  return removed;
}

export interface PendingForget {
  readonly row: number;
  readonly id: string;
  readonly domain: string;
  readonly before: Nodes;
}

/** Forgets a source of a graph outside the store; safe to repeat after a crash at any point. */
export function applyForget(ports: LoadPorts, pending: PendingForget): Promise<number> {
  return inDomainTurn(ports, pending.domain, () => forgetNow(ports, pending));
}

async function forgetNow(ports: LoadPorts, pending: PendingForget): Promise<number> {
  const delta = await ports.graph.forgetSource(pending.id);
  const after = await stateOf(ports, pending.before.ids);
  const keys = [...new Set([...pending.before.keys, ...after.keys, ...(delta?.keys ?? [])])];
  await link(ports, pending.domain, { delta: { keys }, passages: [] });
  const ids = [...new Set([...(delta?.changed ?? []), ...(delta?.removed ?? []), ...pending.before.ids])];
  await ports.store.write(async (scope) => {
    await forgetTurns(scope.db, pending.id);
    await updateOutbox(scope.db, pending.row, 'follow', JSON.stringify(ids));
  });
  await finishLate(ports, { row: pending.row, ids });
  return delta?.removed.length ?? 0;
}

/** Removes a domain with all it holds. `domain_not_found` if there is none. */
export async function forgetDomain(ports: LoadPorts, domain: string): Promise<ForgetResult> {
  if ((await ports.graph.getDomain(domain)) === null) {
    throw new SvcError('domain_not_found', `Domain ${domain} does not exist; list the domains with GET /v1/domains.`);
  }
  if (!ports.graph.joinsStore) return forgetDomainOutside(ports, domain);
  return (await withFollowers(ports, () => forgetDomainWithin(ports, domain))).value;
}

async function forgetDomainWithin(ports: LoadPorts, domain: string): Promise<ForgetResult> {
  const { late, ...result } = await ports.store.write(async (scope) => {
    await lockDomain(scope.db, domain);
    const sources = await ports.graph.listSources({ domain }, scope);
    const ids = await ports.graph.deleteDomain(domain, scope);
    for (const source of sources) if (source.kind === 'session') await forgetTurns(scope.db, source.source_id);
    return {
      sources: sources.length,
      removed: ids.length,
      late: await settleWithin(ports, { changed: [], removed: ids }, { known: new Embedded(), scope }),
    };
  });
  await finishLate(ports, late);
  return result;
}

/** What is written between forgetting the sources and removing the domain is forgotten as well. */
async function forgetDomainOutside(ports: LoadPorts, domain: string): Promise<ForgetResult> {
  let sources = 0;
  let removed = 0;
  for (;;) {
    const result = await forgetSources(ports, { domain });
    sources += result.sources;
    removed += result.removed;
    const empty = await inDomainTurn(ports, domain, async () => {
      if ((await ports.graph.listSources({ domain, limit: 1 })).length > 0) return false;
      if ((await ports.graph.getDomain(domain)) !== null) await ports.graph.deleteDomain(domain);
      return true;
    });
    if (empty) return { sources, removed };
  }
}
