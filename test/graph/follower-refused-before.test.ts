import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import type { LedgerChange } from '../../src/ledger/change.js';
import type { ApplyStep, SyncStep } from '../../src/ledger/follower.js';
import { Refusals } from '../../src/ledger/followers/refusals.js';
import { FollowerRunner } from '../../src/ledger/followers/runner.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { D, id, passage, source } from '../contracts/graph/fixture.js';
import { writeLetters } from './letters.js';
import { MemoryFollower } from './memory-follower.js';

/** An engine that refuses some records, and loses what points at a record that it has not, as one that matches them does. */
class Refusing extends MemoryFollower {
  refused: number | null = null;
  refusedKey: number | null = null;
  /** It takes nothing, and can be left as it is. */
  broken = false;
  /** Nodes of the steps that it takes. */
  readonly taken: Array<readonly number[]> = [];
  onTaken: () => Promise<void> = async () => undefined;
  /** Steps from here on of which the last finds that another process was there before it. */
  overtaken = 0;

  override async apply(step: ApplyStep): Promise<boolean> {
    if (this.overtaken > 0) {
      this.overtaken -= 1;
      if (this.overtaken === 0) return false;
    }
    if (this.broken || this.refuses(step.change)) throw new Error('too large');
    const done = await super.apply(step);
    this.lose();
    this.taken.push([...step.change.nodes.keys()]);
    await this.onTaken();
    return done;
  }

  override async sync(step: SyncStep) {
    const { kind, records } = step.range;
    if (kind === 'node' && records.some(({ ref }) => ref === this.refused)) throw new Error('too large');
    const outcome = await super.sync(step);
    this.lose();
    return outcome;
  }

  private lose(): void {
    for (const [ref, keys] of [...this.mentions]) {
      if (!this.nodes.has(ref)) this.mentions.delete(ref);
      else this.mentions.set(ref, new Map([...keys].filter(([key]) => this.keyNodes.has(key))));
    }
    for (const nodes of this.about.values())
      for (const ref of nodes.keys()) if (!this.nodes.has(ref)) nodes.delete(ref);
    for (const [ref, { src, dst }] of this.edges)
      if (!this.nodes.has(src) || !this.nodes.has(dst)) this.edges.delete(ref);
  }

  private refuses({ records, nodes, keyNodes, about }: LedgerChange): boolean {
    const { refused, refusedKey } = this;
    if (refusedKey !== null && (keyNodes.get(refusedKey) != null || about.has(refusedKey))) return true;
    return refused !== null && (records.has(refused) || nodes.get(refused) != null);
  }

  get contents() {
    const { nodes, keyNodes, about, mentions: mentioned, edges } = this;
    // A key can be there without the node that it stands for.
    const standing = new Map([...keyNodes].filter(([, node]) => nodes.has(node)));
    const arcs = new Map([...about].filter(([, of]) => of.size > 0));
    const passages = new Map([...mentioned].filter(([, of]) => of.size > 0));
    return {
      nodes: sorted(nodes),
      keyNodes: sorted(standing),
      arcs: sorted(arcs),
      passages: sorted(passages),
      edges: sorted(edges),
    };
  }
}

function sorted(map: ReadonlyMap<number, unknown>): unknown[] {
  return [...map].sort(([a], [b]) => a - b).map(([ref, value]) => [ref, value instanceof Map ? sorted(value) : value]);
}

let store: Store;
let ledger: Ledger;
let engine: Refusing;
let runner: FollowerRunner;
let now = 0;
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  store = await openSqlite(':memory:');
  ledger = new Ledger(store);
  engine = new Refusing();
  runner = new FollowerRunner(engine, store, () => now);
});
afterEach(() => store.close());

const refOf = async (id: string): Promise<number> =>
  (await store.db.selectFrom('node').select('ref').where('id', '=', id).executeTakeFirstOrThrow()).ref;

/** What an engine has that refused nothing. It takes back the notes: ask at the end. */
async function faultless() {
  const other = new Refusing();
  await new FollowerRunner(other, store, () => now).catchUp();
  return other.contents;
}

it('a node that was refused comes with the next change of its text', async () => {
  await ledger.ingestManifest(source('c', { passages: [passage('c-passage', {})] }));
  engine.refused = await refOf('d:c-passage');
  await runner.catchUp();
  expect(engine.nodes.size).toBe(0);
  expect((await runner.status()).refused).toMatchObject({ count: 1 });
  engine.refused = null;
  await ledger.ingestManifest(source('c', { passages: [passage('c-passage', { titles: ['Alpha'] })] }));
  await runner.catchUp();
  expect(engine.nodes.size).toBe(1);
  expect((await runner.status()).refused).toBeUndefined();
});

it('a node that was refused comes with the edges to a concept that was merged into it', async () => {
  await ledger.ingestManifest(
    source('c', {
      concepts: [{ name: 'Beta' }, { name: 'Bet' }, { name: 'Gamma' }],
      edges: [{ source: 'Gamma', target: 'Bet', relation: 'FOLLOWS' }],
    }),
  );
  await ledger.merges.make(D, { from_id: id('Bet'), into_id: id('Beta'), method: 'manual', score: 1 });
  engine.refused = await refOf(id('Beta'));
  await runner.catchUp();
  expect(engine.edges.size).toBe(0);
  engine.refused = null;
  now += 3_600_000;
  await runner.catchUp();
  expect(engine.edges.size).toBe(1);
  expect(engine.contents).toEqual(await faultless());
});

describe('a key that was refused', () => {
  const keyOf = async (key: string): Promise<number> =>
    (await store.db.selectFrom('key').select('ref').where('key', '=', key).executeTakeFirstOrThrow()).ref;
  beforeEach(async () => {
    await writeLetters(ledger, runner, {
      mentioned: async () => {
        engine.refusedKey = await keyOf('beta');
      },
    });
    expect((await runner.status()).refused).toMatchObject({ count: 1, records: [{ kind: 'key', id: 'beta' }] });
    expect(engine.keyNodes.has(engine.refusedKey!)).toBe(false);
    engine.refusedKey = null;
  });

  it('comes with the mentions of the passages that have it when it is tried again', async () => {
    now += 3_600_000;
    await runner.catchUp();
    expect((await runner.status()).refused).toBeUndefined();
    expect(engine.contents).toEqual(await faultless());
  });

  it('comes with them when a later change brings it', async () => {
    await ledger.ingestManifest(source('beta', { passages: [passage('beta', { titles: ['Beta'] })] }));
    await runner.catchUp();
    expect((await runner.status()).refused).toBeUndefined();
    expect(engine.contents).toEqual(await faultless());
  });
});

it('a refusal gives way to new changes', async () => {
  await writeLetters(ledger, runner);
  const refs = await Promise.all(['d:alpha', id('Beta'), id('Gamma')].map(refOf));
  const notes = new Refusals(store, 'memory', () => now);
  for (const ref of refs) await notes.add({ kind: 'node', name: `${ref}`, id: `${ref}` }, new Error('No.'));
  engine.taken.length = 0;
  let written = false;
  engine.onTaken = async () => {
    if (written) return;
    written = true;
    await ledger.ingestManifest(source('new', { concepts: [{ name: 'Delta' }] }));
  };
  now += 3_600_000;
  await runner.catchUp();
  const delta = await refOf(id('Delta'));
  const retried = engine.taken.filter((nodes) => nodes.length > 0).map(([ref]) => ref);
  expect(retried.indexOf(delta)).toBe(1);
  expect(new Set(retried)).toEqual(new Set([...refs, delta]));
  expect((await runner.status()).refused).toBeUndefined();
});

it('the note of a node outlives a time in which the engine takes nothing', async () => {
  await writeLetters(ledger, runner, {
    begun: async () => {
      engine.refused = await refOf(id('Beta'));
    },
  });
  engine.refused = null;
  engine.broken = true;
  const concepts = Array.from({ length: 60 }, (_, i) => ({ name: `Concept ${i}` }));
  await ledger.ingestManifest(source('beta', { concepts: [{ name: 'Beta', confidence: 1 }] }));
  await ledger.ingestManifest(source('many', { concepts }));
  await expect(runner.catchUp()).rejects.toThrow('too large');
  expect((await runner.status()).refused).toMatchObject({ count: 1, records: [{ id: id('Beta') }] });
  engine.broken = false;
  await runner.catchUp();
  expect((await runner.status()).refused).toBeUndefined();
  expect(engine.contents).toEqual(await faultless());
});

describe.each(['d:alpha', id('Beta')])('a node that was refused (%s)', (refused) => {
  const refuse = async () => {
    engine.refused = await refOf(refused);
  };
  beforeEach(() => writeLetters(ledger, runner, { begun: refuse }));

  it('comes with all that is at it when it is tried again', async () => {
    const before = engine.contents;
    expect((await runner.status()).refused).toMatchObject({ count: 1, records: [{ id: refused }] });
    engine.refused = null;
    now += 3_600_000;
    await runner.catchUp();
    expect(engine.contents).not.toEqual(before);
    expect((await runner.status()).refused).toBeUndefined();
    expect(engine.contents).toEqual(await faultless());
  });

  it('comes with all that is at it where another process moves the engine meanwhile', async () => {
    engine.refused = null;
    engine.overtaken = 3;
    now += 3_600_000;
    await runner.catchUp();
    expect(engine.overtaken).toBe(0);
    expect((await runner.status()).refused).toBeUndefined();
    expect(engine.contents).toEqual(await faultless());
  });

  it('stays noted, and all else stays, while it is refused', async () => {
    const before = engine.contents;
    now += 3_600_000;
    await runner.catchUp();
    expect(engine.contents).toEqual(before);
    expect((await runner.status()).refused).toMatchObject({ count: 1, records: [{ id: refused }] });
  });

  it('comes with all that is at it when a later change brings it', async () => {
    engine.refused = null;
    const text = 'What it says now.';
    await ledger.ingestManifest(
      refused === 'd:alpha'
        ? source('text', {
            passages: [
              passage('alpha', { titles: ['Alpha'], aliases: ['First'], text }),
              passage('other', { titles: ['Other'] }),
            ],
          })
        : source('anew', { concepts: [{ name: 'Beta', description: text, confidence: 1 }] }),
    );
    await runner.catchUp();
    expect((await runner.status()).refused).toBeUndefined();
    expect(engine.contents).toEqual(await faultless());
  });

  it('leaves the note with the node', async () => {
    await ledger.deleteDomain(D);
    await runner.catchUp();
    now += 3_600_000;
    await runner.catchUp();
    expect((await runner.status()).refused).toBeUndefined();
    expect(engine.contents).toEqual(await faultless());
  });
});
