import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Kysely, KyselyPlugin } from 'kysely';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { TopologyEngine } from '../../src/backends/graph/topology/topology-engine.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Database } from '../../src/backends/store/schema.js';
import type { Store } from '../../src/backends/store/scope.js';
import { conceptId } from '../../src/core/ids.js';
import { edgeId } from '../../src/core/model.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { D, source } from '../contracts/graph/fixture.js';

/** The same store, with a plugin on every statement that is sent through it. */
function pluggedIn(store: Store, plugin: KyselyPlugin): Store {
  const db = store.db.withPlugin(plugin) as Kysely<Database>;
  const write: Store['write'] = (work, options) =>
    store.write((scope) => work({ ...scope, db: scope.db.withPlugin(plugin) }), options);
  return new Proxy(store, {
    get: (target, name) => (name === 'db' ? db : name === 'write' ? write : target[name as keyof Store]),
  });
}

/** Counts how often members of rows that statements returned are read. */
function countingReads() {
  const reads = { count: 0 };
  const counted = (row: object) =>
    new Proxy(row, {
      get: (target, name) => {
        reads.count += 1;
        return target[name as keyof typeof target];
      },
    });
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(counted) }) as typeof result,
  };
  return { reads, plugin };
}

const rulesOf = (count: number, word: string) =>
  source('rules', {
    rules: Array.from({ length: count }, (_, i) => ({ text: `Always ${word} part ${i} of the net.` })),
  });

describe('rules of a large source', () => {
  it('cost in proportion to their number when all of them are replaced or added again', async () => {
    const readsPerRule = async (count: number) => {
      const store = await openSqlite(':memory:');
      const { reads, plugin } = countingReads();
      const ledger = new Ledger(pluggedIn(store, plugin));
      await ledger.ingestManifest(rulesOf(count, 'oil'));
      reads.count = 0;
      await ledger.ingestManifest(rulesOf(count, 'paint'));
      await ledger.ingestManifest({ ...rulesOf(count, 'paint'), content_hash: 'again', append: true });
      expect(await ledger.getRules({ domains: [D], limit: 10_000 })).toHaveLength(count);
      await store.close();
      return reads.count / count;
    };
    const [few, many] = [await readsPerRule(100), await readsPerRule(1600)];
    expect(many).toBeLessThan(few * 1.5);
  });
});

describe('learned factors', () => {
  it('are there after a read that failed, whichever it was', async () => {
    const store = await openSqlite(':memory:');
    let untilFailure = Number.POSITIVE_INFINITY;
    const failing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        untilFailure -= 1;
        if (untilFailure === -1) throw new Error('the disk hiccuped');
        return result;
      },
    };
    const graph = new EmbeddedBackend(pluggedIn(store, failing));
    await graph.connect();
    await graph.ingestManifest(
      source('a', {
        concepts: ['A', 'B', 'C'].map((name) => ({ name })),
        edges: ['B', 'C'].map((target) => ({ source: 'A', target, relation: 'uses' })),
      }),
    );
    const [a, b, c] = ['A', 'B', 'C'].map((name) => conceptId(D, name)) as [string, string, string];
    const scores = async () => (await graph.personalizedPagerank([a])).scores;
    expect((await scores()).get(b)).toBeCloseTo((await scores()).get(c)!);
    let failures = 0;
    for (let read = 0; failures === read; read += 1) {
      const [strong, weak] = read % 2 === 0 ? [b, c] : [c, b];
      graph.setEdgeFactors(new Map([[edgeId(a, 'USES', strong), 4]]));
      untilFailure = read;
      await scores().catch(() => {
        failures += 1;
      });
      untilFailure = Number.POSITIVE_INFINITY;
      const after = await scores();
      expect(after.get(strong)! / after.get(weak)!).toBeGreaterThan(2);
    }
    expect(failures).toBeGreaterThan(1);
    await store.close();
  });
});

describe('a reader that reloads more slowly than writes arrive', () => {
  it('gets there from the changes that are kept, with one load', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'slow-reader-'));
    const store = await openSqlite(join(directory, 'svc.sqlite'));
    const ledger = new Ledger(store);
    await ledger.ingestManifest(source('hub', { concepts: [{ name: 'Hub' }] }));
    let written = 0;
    let loads = 0;
    const loading = new WeakSet<object>();
    // Whenever the topology is loaded, more than 256 writes arrive before the load ends.
    const slow: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        if (node.kind === 'RawNode' && node.sqlFragments.join('').includes('from passage')) loading.add(queryId);
        return node;
      },
      transformResult: async ({ result, queryId }) => {
        if (!loading.has(queryId)) return result;
        loads += 1;
        if (loads > 3) throw new Error('The topology is loaded again and again.');
        for (let i = 0; i < 300; i += 1, written += 1) {
          const edges = [{ source: 'Hub', target: `Spoke ${written}`, relation: 'has' }];
          await ledger.ingestManifest(source(`s${written}`, { concepts: [{ name: `Spoke ${written}` }], edges }));
        }
        return result;
      },
    };
    const engine = new TopologyEngine(pluggedIn(store, slow));
    await engine.connect();
    const hub = await store.db.selectFrom('node').select('ref').where('name', '=', 'Hub').executeTakeFirstOrThrow();
    const found = await engine.neighbourhood(hub.ref, { depth: 1, limit: 10_000 });
    expect([found?.edges.length, loads]).toEqual([written, 1]);
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }, 60_000);
});
