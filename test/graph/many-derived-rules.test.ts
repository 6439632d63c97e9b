import { describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { CurrentVersion } from '../../src/ledger/read/current-version.js';
import type { DerivedRuleEntry } from '../../src/ledger/read/derived/derived-rules.js';
import { changesBetween, followChanges } from '../../src/ledger/read/derived/follow-changes.js';
import { domainRows } from '../../src/ledger/read/read-nodes.js';
import { RecentRows } from '../../src/ledger/read/recent-rows.js';
import { pageOfRules } from '../../src/ledger/read/rule-page.js';
import { D, source } from '../contracts/graph/fixture.js';

const MANY = 1_000_000;

/** Entries of edges that no store has. */
function entriesOf(domain: number, count: number): DerivedRuleEntry[] {
  return Array.from({ length: count }, (_, i) => ({ edge: 1000 + i, domain, category: 'uses', confidence: 1 }));
}

/** Returns what work returns, and how often the event loop ran meanwhile. */
async function ticksOf<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ticks: number }> {
  let ticks = 0;
  let ended = false;
  const tick = (): void => {
    ticks += 1;
    if (!ended) setImmediate(tick);
  };
  setImmediate(tick);
  const value = await work();
  ended = true;
  return { value, ticks };
}

async function world() {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  await ledger.ingestManifest(source('a', { concepts: [{ name: 'A' }, { name: 'B' }] }));
  const domains = await domainRows(store.db);
  const recent = new RecentRows(store, new CurrentVersion(store));
  const reader = (entries: readonly DerivedRuleEntry[]) => {
    return { db: store.db, domains, templates: new Map(), recent, derived: async () => entries };
  };
  return { store, ledger, domain: domains[0]!.ref, reader };
}

describe('very many derived rules', () => {
  it('are all listed where no limit is given', async () => {
    const { store, domain, reader } = await world();
    const found = await pageOfRules(
      reader(entriesOf(domain, 200_000)),
      { domains: [D] },
      { offset: 0, limit: Number.MAX_SAFE_INTEGER },
    );
    expect(found).toEqual({ rules: [], total: 200_000, domain_count: 1 });
    await store.close();
  });

  it('are counted and follow a change while other work goes on', async () => {
    const { store, ledger, domain, reader } = await world();
    const entries = entriesOf(domain, MANY);
    const page = await ticksOf(() => pageOfRules(reader(entries), { domains: [D] }, { offset: 0, limit: 1 }));
    expect(page.value.total).toBe(MANY);
    expect(page.ticks).toBeGreaterThan(1);
    const version = await ledger.version();
    await ledger.ingestManifest(source('b', { concepts: [{ name: 'C' }] }));
    const changes = await changesBetween(store.db, version, version + 1);
    const followed = await ticksOf(() => followChanges(store.db, changes!, { entries, templates: new Map() }));
    expect(followed.value?.every((entry, i) => entry === entries[i])).toBe(true);
    expect(followed.value).toHaveLength(MANY);
    expect(followed.ticks).toBeGreaterThan(3);
    await store.close();
  });
});
