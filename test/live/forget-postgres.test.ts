import { afterAll, describe, expect, it } from '@jest/globals';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { lockDomain } from '../../src/backends/store/locks.js';
import type { WriteScope } from '../../src/backends/store/scope.js';
import { Ledger } from '../../src/ledger/ledger.js';
import type { GraphDelta } from '../../src/ledger/types.js';
import { D, source } from '../contracts/graph/fixture.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';
import { untilLockIsAwaited } from './lock-waits.js';

describeLive('forgetting', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  afterAll(() => databases.dropAll());

  const says = (description: string) => source('a', { concepts: [{ name: 'Gate', description }] });

  /** Forgets the one source while another write, which holds its domain, changes it; returns what the forgetting did. */
  async function forgetBeside(
    change: (ledger: Ledger, id: string, scope: WriteScope) => Promise<unknown>,
  ): Promise<{ readonly delta: GraphDelta | null | undefined; readonly left: number; readonly domains: number }> {
    const url = await databases.make();
    const stores = [await openPostgres(url), await openPostgres(url)] as const;
    const [one, two] = stores.map((store) => new Ledger(store)) as [Ledger, Ledger];
    await one.ingestManifest(says('old'));
    const [{ source_id: id } = { source_id: '' }] = await one.listSources({ domain: D });
    let later: Promise<GraphDelta | null> | undefined;
    await stores[0].write(async (scope) => {
      await lockDomain(scope.db, D);
      later = two.forgetSource(id);
      await untilLockIsAwaited(stores[0].db);
      await change(one, id, scope);
    });
    const delta = await later;
    const [left, domains] = [await one.listSources(), await one.listDomains()];
    for (const store of stores) await store.close();
    return { delta, left: left.length, domains: domains.length };
  }

  describe('a source on PostgreSQL while another write changes it', () => {
    it('takes away what that write put in its place', async () => {
      const found = await forgetBeside(async (ledger, id, scope) => {
        await ledger.forgetSource(id, { scope });
        await ledger.ingestManifest(says('new'), scope);
      });
      expect(found).toEqual({ delta: expect.objectContaining({ removed: [expect.any(String)] }), left: 0, domains: 0 });
    });

    it('finds nothing where that write took it away', async () => {
      const found = await forgetBeside((ledger, id, scope) => ledger.forgetSource(id, { scope }));
      expect(found).toEqual({ delta: null, left: 0, domains: 0 });
    });
  });
});
