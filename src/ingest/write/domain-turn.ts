import { randomUUID } from 'node:crypto';
import { withLease } from '../../backends/store/leases.js';
import type { Store } from '../../backends/store/scope.js';
import { SvcError } from '../../core/errors.js';

/** Time after which another replica takes over from one that died. */
const TTL = 15_000;
/** Longest wait for another replica that is at work in the domain. */
const PATIENCE = 120_000;

const holder = randomUUID();
const turns = new Map<string, Promise<unknown>>();

/**
 * One at a time in a domain, for a graph outside the store: what a load writes, links and hands on belongs together, and
 * no transaction holds others off. Within a process they queue up; on PostgreSQL, which replicas share, a lease too.
 */
export async function inDomainTurn<T>(
  ports: { readonly store: Store; readonly clock: () => number },
  domain: string,
  work: () => Promise<T>,
): Promise<T> {
  const before = turns.get(domain) ?? Promise.resolve();
  const mine = before.catch(() => undefined).then(() => leased(ports, domain, work));
  turns.set(domain, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(domain) === mine) turns.delete(domain);
  }
}

async function leased<T>(
  { store, clock }: { readonly store: Store; readonly clock: () => number },
  domain: string,
  work: () => Promise<T>,
): Promise<T> {
  // A SQLite store belongs to this process alone.
  if (store.dialect === 'sqlite') return work();
  const lease = { name: `domain:${domain}`, holder, ttl: TTL, clock };
  const end = Date.now() + PATIENCE;
  for (let attempt = 1; ; attempt += 1) {
    const done = await withLease(store, lease, async () => ({ value: await work() }));
    if (done !== null) return done.value;
    if (Date.now() > end) {
      throw new SvcError('unavailable', `Another replica writes to the domain "${domain}"; try again.`, undefined, {
        retriable: true,
        retryAfter: 5,
      });
    }
    await new Promise((resume) =>
      setTimeout(resume, Math.min(1000, 25 * 2 ** Math.min(attempt, 6) * (0.5 + Math.random()))),
    );
  }
}
