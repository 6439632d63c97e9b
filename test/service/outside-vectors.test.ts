import { afterEach, describe, expect, it } from '@jest/globals';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import type { VectorBackend, VectorEntry, VectorHit, VectorQuery } from '../../src/backends/vector/port.js';
import { type ComposedService, serviceFromParts } from '../../src/compose.js';
import { SvcError } from '../../src/core/errors.js';
import { forgetSource } from '../../src/ingest/forget.js';
import { status } from '../../src/operations/report.js';
import { waitFor } from '../support/wait-for.js';

/** The vectors of a process as an engine outside the store: it may be down, and may refuse a node. */
class OutsideVectors extends (MemoryVectors as new () => VectorBackend) {
  override readonly kind = 'outside';
  override readonly joinsStore = false;
  down = false;
  refused = new Set<string>();

  override async get(name: string, ids: readonly string[]): Promise<VectorEntry[]> {
    if (this.down) throw new SvcError('unavailable', 'outside does not answer.', {}, { retriable: true });
    return super.get(name, ids);
  }

  override async health(): Promise<void> {
    if (this.down) throw new SvcError('unavailable', 'outside does not answer.', {}, { retriable: true });
  }

  override async query(name: string, query: VectorQuery): Promise<VectorHit[]> {
    await this.health();
    return super.query(name, query);
  }

  override async upsert(name: string, entries: readonly VectorEntry[]): Promise<void> {
    if (this.down) throw new SvcError('unavailable', 'outside does not answer.', {}, { retriable: true });
    if (entries.some((entry) => this.refused.has(entry.id))) throw new SvcError('internal', 'outside refuses it.');
    return super.upsert(name, entries);
  }
}

const open: Array<{ service: ComposedService; store: Store }> = [];
afterEach(async () => {
  for (const { service, store } of open.splice(0)) {
    await service.close();
    await store.close();
  }
});

async function start(vectors: OutsideVectors, given?: Store) {
  const store = given ?? (await openSqlite(':memory:'));
  const embedding = openBuiltin('static', () => undefined);
  const service = await serviceFromParts({ vectors, graph: new EmbeddedBackend(store), embedding, store });
  open.push({ service, store });
  return service;
}

const write = (service: ComposedService, name: string) =>
  service.ingest.structured({ domain: 'd', source_id: name, concepts: [{ name, description: `${name} of the sea` }] });

async function indexed(service: ComposedService, vectors: OutsideVectors): Promise<string[]> {
  const { indexName } = await service.concepts.current();
  const nodes = await service.graph.findNodes({ domain: 'd', limit: 100 });
  const found = await vectors.fetch(
    indexName,
    nodes.map((node) => node.id),
  );
  return nodes.flatMap((node) => (found.has(node.id) ? [node.name] : [])).sort();
}

/** Resolves when the engine has everything. */
const following = (service: ComposedService) =>
  waitFor(
    async () => expect(await engineOf(service)).toMatchObject({ engine: 'outside', state: 'following', behind: 0 }),
    { timeout: 50_000 },
  );

const engineOf = async (service: ComposedService) => (await status(service)).engines?.[0];

describe('a vector engine outside the store', () => {
  it('does not keep the status waiting where its own does not answer', async () => {
    const service = await start(new OutsideVectors());
    Object.assign(service.followers, { status: () => new Promise(() => undefined) });
    const answer = await status(service);
    expect(answer).toMatchObject({ status: 'degraded', problems: ['engines: no answer within 2 s'] });
    expect(answer).not.toHaveProperty('engines');
  });

  it('has what was written when the write answers, and loses what is forgotten', async () => {
    const vectors = new OutsideVectors();
    const service = await start(vectors);
    const { source_id } = await write(service, 'Harbour');
    await write(service, 'Island');
    expect(await indexed(service, vectors)).toEqual(['Harbour', 'Island']);
    await forgetSource(service.ingest.ports, source_id);
    expect(await indexed(service, vectors)).toEqual(['Island']);
    expect(await engineOf(service)).toMatchObject({ engine: 'outside', state: 'following', behind: 0, error: null });
  });

  it('that is down loses no write, refuses those that come later, and catches up', async () => {
    const vectors = new OutsideVectors();
    const service = await start(vectors);
    await write(service, 'Harbour');
    vectors.down = true;
    // Nobody knows yet that it is down: the write is kept.
    const kept = await service.followers.status().then(() => write(service, 'Island'));
    expect(kept.warnings.join()).toContain('outside has not applied this write yet');
    expect(await engineOf(service)).toMatchObject({ state: 'degraded', behind: 1, error: 'outside does not answer.' });
    expect((await status(service)).problems).toContain('outside: 1 change behind; outside does not answer.');
    await expect(write(service, 'Tower')).rejects.toMatchObject({ code: 'unavailable' });
    expect((await service.graph.findNodes({ domain: 'd', limit: 10 })).map((node) => node.name).sort()).toEqual([
      'Harbour',
      'Island',
    ]);
    vectors.down = false;
    await following(service);
    expect(await indexed(service, vectors)).toEqual(['Harbour', 'Island']);
  }, 60_000);

  it('that is down leaves answers from text and graph, with a warning, in mode auto', async () => {
    const vectors = new OutsideVectors();
    const service = await start(vectors);
    await write(service, 'Harbour');
    const question = { context: 'Where is the harbour?', top_k: 5 };
    expect(await service.retrieval.query(question)).not.toHaveProperty('warnings');
    vectors.down = true;
    const { items, warnings } = await service.retrieval.query(question);
    expect(items.map((item) => item.content)).toEqual(['Harbour: Harbour of the sea']);
    expect(warnings).toEqual(['The vector index does not answer; items come from text and graph alone.']);
    await expect(service.retrieval.query({ ...question, mode: 'vec' })).rejects.toMatchObject({ code: 'unavailable' });
    expect((await status(service)).problems).toContain('vector: outside does not answer.');
  });

  it('that is down at the start does not keep the service from starting', async () => {
    const store = await openSqlite(':memory:');
    const before = await start(new OutsideVectors(), store);
    await write(before, 'Harbour');
    await before.close();
    open.splice(0);
    const vectors = new OutsideVectors();
    vectors.down = true;
    const service = await start(vectors, store);
    await waitFor(async () => expect(await engineOf(service)).toMatchObject({ state: 'degraded' }));
    expect((await service.graph.findNodes({ domain: 'd', limit: 10 })).map((node) => node.name)).toEqual(['Harbour']);
    vectors.down = false;
    await following(service);
    // The engine is new: it got everything.
    expect(await indexed(service, vectors)).toEqual(['Harbour']);
  }, 60_000);

  it('that refuses one node takes all others, and the node once it is accepted', async () => {
    const vectors = new OutsideVectors();
    const service = await start(vectors);
    const first = await write(service, 'Harbour');
    const [harbour] = await service.graph.findNodes({ domain: 'd', limit: 1 });
    await forgetSource(service.ingest.ports, first.source_id);
    vectors.refused.add(harbour!.id);
    for (const name of ['Harbour', 'Island', 'Tower']) await write(service, name);
    expect(await indexed(service, vectors)).toEqual(['Island', 'Tower']);
    expect(await engineOf(service)).toMatchObject({
      state: 'following',
      behind: 0,
      refused: { count: 1, records: [{ kind: 'node', id: harbour!.id, error: 'outside refuses it.' }] },
    });
    expect((await status(service)).problems).toEqual([
      `outside: 1 record refused, such as ${harbour!.id}: outside refuses it.`,
    ]);
    vectors.refused.clear();
    await service.ingest.structured({
      domain: 'd',
      source_id: 'Harbour',
      concepts: [{ name: 'Harbour', description: 'a quay' }],
    });
    expect(await indexed(service, vectors)).toEqual(['Harbour', 'Island', 'Tower']);
    expect((await status(service)).problems).toBeUndefined();
  });
});
