import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EdgeFactors } from '../../src/backends/graph/edge-factors.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { edgeId } from '../../src/core/model.js';
import { changesAfter } from '../../src/ledger/changes.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { D, id, source } from '../contracts/graph/fixture.js';

const edges = [{ source: 'A', target: 'B', relation: 'uses' }];
const factorOf = (factor: number) => new Map([[edgeId(id('A'), 'USES', id('B')), factor]]);

/** A graph of one edge, and factors whose next read calls `meanwhile` when it has its rows and has not used them yet. */
async function world() {
  // On disk, where writing has a connection of its own: the read that waits holds the other one.
  const directory = mkdtempSync(join(tmpdir(), 'edge-factors-'));
  const store = await openSqlite(join(directory, 'svc.sqlite'));
  const close = async (): Promise<void> => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  };
  const ledger = new Ledger(store);
  await ledger.ingestManifest(source('nodes', { concepts: [{ name: 'A' }, { name: 'B' }] }));
  await ledger.ingestManifest(source('edge', { edges }));
  const reads = { meanwhile: async (): Promise<void> => undefined };
  const slow = store.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const { meanwhile } = reads;
      reads.meanwhile = async () => undefined;
      await meanwhile();
      return result;
    },
  });
  const factors = new EdgeFactors(slow);
  let seen = await ledger.version();
  const noteChanges = async (): Promise<void> => {
    for (const change of (await store.write(({ db }) => changesAfter(db, seen))) ?? []) {
      factors.note(change);
      seen = change.version;
    }
  };
  const visible = async (): Promise<number[]> => {
    const rows = await store.db.selectFrom('edge').select('ref').where('shown', '=', 1).execute();
    return rows.map(({ ref }) => ref);
  };
  return { close, ledger, reads, factors, noteChanges, visible };
}

describe('factors that are read', () => {
  it('are there for every caller that asks meanwhile', async () => {
    const { close, factors, visible } = await world();
    factors.set(factorOf(3));
    const answers = await Promise.all([factors.resolved(), factors.resolved(), factors.resolved()]);
    const [ref] = await visible();
    expect(answers).toEqual(answers.map(() => new Map([[ref, 3]])));
    await close();
  });

  it('are never those of an edge that goes meanwhile, and follow it when it comes back', async () => {
    const { close, ledger, reads, factors, noteChanges, visible } = await world();
    factors.set(factorOf(3));
    const [sourceId] = (await ledger.listSources({ domain: D })).filter((found) => found.key === 'edge');
    reads.meanwhile = async () => {
      await ledger.forgetSource(sourceId!.source_id);
      await noteChanges();
    };
    expect(await factors.resolved()).toEqual(new Map());
    await ledger.ingestManifest(source('edge again', { edges }));
    await noteChanges();
    expect([...(await factors.resolved()).keys()]).toEqual(await visible());
    await close();
  });

  it('are read again where their domain goes meanwhile', async () => {
    const { close, ledger, reads, factors, noteChanges } = await world();
    factors.set(factorOf(3));
    reads.meanwhile = async () => {
      await ledger.deleteDomain(D);
      await noteChanges();
    };
    expect(await factors.resolved()).toEqual(new Map());
    await close();
  });

  it('are those that were set last, also for a caller that asked before', async () => {
    const { close, reads, factors, visible } = await world();
    factors.set(factorOf(3));
    reads.meanwhile = async () => factors.set(factorOf(5));
    const asked = factors.resolved();
    expect([...(await asked).values()]).toEqual([5]);
    expect([...(await factors.resolved())]).toEqual([[(await visible())[0], 5]]);
    await close();
  });
});
