import type { WriteScope } from '../../backends/store/scope.js';
import { lockForWriting } from '../../backends/store/unfinished/pending-loads.js';
import { Embedded } from '../index/embed.js';
import { link } from '../link/link.js';
import { flushDeferred, indexInTransaction } from '../write/deferred.js';
import type { LoadPorts } from '../write/ports.js';
import { withFollowers } from '../write/with-followers.js';
import type { MessageEffects } from './hidden-messages.js';

/** What a write did, and the passages to be matched anew. */
export interface Written<T> {
  readonly value: T;
  readonly effects: MessageEffects;
  readonly passages: readonly string[];
}

/** Writes graph, links, text and vectors in one transaction, as every write of ingest; `sources` are those that it works on. */
export function writeEffects<T>(
  ports: LoadPorts,
  { domain, sources }: { readonly domain: string; readonly sources: readonly string[] },
  work: (scope: WriteScope) => Promise<Written<T>>,
): Promise<{ readonly value: T; readonly warnings: readonly string[] }> {
  return withFollowers(ports, async () => {
    const { value, deferred } = await ports.store.write(async (scope) => {
      await lockForWriting(scope.db, domain, sources);
      const { value, effects, passages } = await work(scope);
      await link(ports, domain, { delta: effects, passages, scope });
      return { value, deferred: await indexInTransaction(ports, effects, { known: new Embedded(), scope }) };
    });
    await flushDeferred(ports, deferred);
    return value;
  });
}
