import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addOutbox, listOutbox, type OutboxKind } from '../../src/backends/store/unfinished/outbox.js';
import { sourceId } from '../../src/core/ids.js';
import type { Manifest } from '../../src/core/model.js';
import { load } from '../../src/ingest/write/load.js';
import { drainOutbox } from '../../src/ingest/write/outbox.js';
import { passage, source } from '../contracts/graph/fixture.js';
import { openService, type TestService } from './harness.js';

/** What release 0.1 left in the outbox where its graph did not answer: writes that nobody acknowledged. */
describe('writes that release 0.1 left behind', () => {
  let test: TestService;
  beforeEach(async () => {
    test = await openService({ SVC_EMBEDDING: 'none' });
  });
  afterEach(() => test.close());

  const says = (key: string, name: string): Manifest => source(key, { concepts: [{ name }] });
  const leave = (kind: OutboxKind, payload: object, at: string) =>
    test.service.store.write(({ db }) => addOutbox(db, kind, JSON.stringify(payload), at));
  const drain = async (clock = test.service.ingest.ports.clock) => {
    const errors: unknown[] = [];
    const ports = { ...test.service.ingest.ports, clock };
    const finished = await drainOutbox(ports, { onError: (error) => errors.push(error) });
    expect(errors).toEqual([]);
    expect(await listOutbox(test.service.store.db, { after: 0, limit: 10 })).toEqual([]);
    return finished;
  };
  const names = async () => {
    const nodes = await test.service.graph.findNodes({ domain: 'd', limit: 100 });
    return nodes.map(({ name }) => name).sort();
  };
  const LONG_AGO = '2025-01-01T00:00:00.000Z';
  /** The periodic job of the service leaves these alone. */
  const FAR_AHEAD = '2999-01-01T00:00:00.000Z';
  const LATER = () => Date.parse('2999-01-02T00:00:00.000Z');

  it('are not done where the source was written since', async () => {
    await load(test.service.ingest.ports, says('a', 'Newer'));
    await leave('load', { manifest: says('a', 'Older') }, LONG_AGO);
    await leave('forget', { id: sourceId(says('a', '').source) }, LONG_AGO);
    expect(await drain()).toBe(2);
    expect(await names()).toEqual(['Newer']);
  });

  it('are done where it was not, each once', async () => {
    await load(test.service.ingest.ports, says('b', 'Gone'));
    await leave('load', { manifest: says('a', 'Late') }, LONG_AGO);
    await leave('forget', { id: sourceId(says('b', '').source) }, FAR_AHEAD);
    await drain(LATER);
    expect(await names()).toEqual(['Late']);
  });

  it('end as the newest of a source says, be it a load or a forget', async () => {
    await leave('load', { manifest: says('a', 'First') }, LONG_AGO);
    await leave('load', { manifest: says('a', 'Second') }, '2025-01-02T00:00:00.000Z');
    await leave('load', { manifest: says('b', 'Forgotten') }, LONG_AGO);
    await leave('forget', { id: sourceId(says('b', '').source) }, '2025-01-03T00:00:00.000Z');
    await drain();
    expect(await names()).toEqual(['Second']);
  });

  it('are all found, however many others wait before them', async () => {
    for (let i = 0; i < 1100; i += 1) await leave('follow', [], FAR_AHEAD);
    await leave('load', { manifest: says('a', 'First') }, FAR_AHEAD);
    for (let i = 0; i < 150; i += 1) await leave('follow', [], FAR_AHEAD);
    await leave('load', { manifest: says('a', 'Second') }, FAR_AHEAD);
    expect(await drain(LATER)).toBe(1252);
    expect(await names()).toEqual(['Second']);
  });

  it('add every message to its session', async () => {
    const message = (name: string): Manifest => ({
      ...source('s', { passages: [passage(name, {})] }),
      append: true,
    });
    for (const name of ['one', 'two', 'three']) await leave('load', { manifest: message(name) }, LONG_AGO);
    await drain();
    const [session] = await test.service.graph.listSources({});
    expect(session).toMatchObject({ passages: 3 });
  });
});
