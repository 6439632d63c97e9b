import { AsyncLocalStorage } from 'node:async_hooks';

/** What has no domain: a key that is bound to domains needs a grant for each. */
export const AREAS = ['vectors', 'learning', 'sources', 'jobs', 'files', 'gateway', 'admin'] as const;
export type Area = (typeof AREAS)[number];

/** What a key may do. */
export interface Scope {
  /** The key's name. */
  readonly name: string;
  /** Globs of domain names; null for a key that is bound to none. */
  readonly domains: readonly string[] | null;
  readonly access: 'read' | 'write';
  /** Areas granted beside the domains. A key that is bound to none has them all. */
  readonly areas: readonly Area[];
}

/** Who a request comes from: a stable name, and what its key may do; none for full access. */
export interface ScopedCaller {
  readonly id: string;
  readonly scope?: Scope | undefined;
}

const current = new AsyncLocalStorage<ScopedCaller>();

/** Runs work for a caller: whatever operation it calls, however deep, is held to the caller's scope. */
export function runFor<T>(caller: ScopedCaller, work: () => T): T {
  return current.run(caller, work);
}

/** Returns the caller that runs now; undefined for the service itself and local commands, which have full access. */
export function currentCaller(): ScopedCaller | undefined {
  return current.getStore();
}

/** Returns whether a scope covers a domain: `*` in a pattern stands for any characters, case counts. */
export function coversDomain({ domains }: Scope, domain: string): boolean {
  return domains === null || domains.some((pattern) => matchesGlob(pattern, domain));
}

function matchesGlob(pattern: string, text: string): boolean {
  const [first, ...rest] = pattern.split('*') as [string, ...string[]];
  if (rest.length === 0) return pattern === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop()!;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
