import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { operations } from '../../src/operations/index.js';
import { invoke } from '../../src/operations/invoke.js';
import type { Operation } from '../../src/operations/operation.js';
import { DOCUMENTS, snapshot, type TestService } from './harness.js';

/** What checkpoints do through the whole service, whatever kind of graph it has. */
export function checkpointsSuite(kind: string, open: () => Promise<TestService>): void {
  describe(`checkpoints of the ${kind} graph`, () => {
    let test: TestService;
    beforeEach(async () => {
      test = await open();
    });
    afterEach(() => test.close());

    // biome-ignore lint/suspicious/noExplicitAny: answers of several operations
    const call = (name: keyof typeof operations, input: object = {}): Promise<any> =>
      invoke(test.service, operations[name] as Operation, input, { surface: 'internal', authenticated: true });
    const text = (name: keyof typeof DOCUMENTS, words: string = DOCUMENTS[name]) =>
      test.post('/v1/ingest/text', { text: words, domain: 'north', format: 'markdown', name });
    const ask = async (context: string) =>
      (await test.post('/v1/query', { context, domains: ['north'], mode: 'auto' })).body.items.map(
        (item: { content: string }) => item.content,
      );

    it('bring graph, text index and vectors back together', async () => {
      await text('tower');
      await text('island');
      const before = await snapshot(test, 'north');
      const answers = await ask('Who designed the lighthouse?');
      const made = await call('graph_checkpoint');
      expect(made).toMatchObject({ version: await test.service.graph.version(), nodes: expect.any(Number) });
      await text('voss');
      await text('tower', '# Aldra Tower\n\nThe Aldra Tower is a ruin.');
      await test.delete(`/v1/documents/${(await test.get('/v1/documents')).body.documents[0].source_id}`);
      expect(await snapshot(test, 'north')).not.toEqual(before);
      const restored = await call('graph_restore', { checkpoint_id: made.id });
      expect(restored.version).toBeGreaterThan(made.version);
      expect(restored.changed).toBeGreaterThan(0);
      expect(restored.removed).toBeGreaterThan(0);
      expect(await snapshot(test, 'north')).toEqual(before);
      expect(await ask('Who designed the lighthouse?')).toEqual(answers);
      const again = await call('graph_restore', { checkpoint_id: made.id });
      expect(again).toMatchObject({ changed: 0, removed: 0 });
      const left = await test.service.store.db.selectFrom('outbox').selectAll().execute();
      expect(left).toEqual([]);
    });

    it('let what was written after them be written again', async () => {
      const message = { text: 'The ferry sails at noon.', session_id: 's', domain: 'north', message_id: 'm1' };
      const { id } = await call('graph_checkpoint');
      const first = await test.post('/v1/ingest/message', message);
      await call('graph_restore', { checkpoint_id: id });
      expect(await test.service.graph.listDomains()).toEqual([]);
      const second = await test.post('/v1/ingest/message', message);
      expect(second.body).toMatchObject({ passages: first.body.passages, session_id: 's' });
      expect(await ask('When does the ferry sail?')).toEqual(['The ferry sails at noon.']);
    });

    it('are listed and deleted; an unknown one is refused and changes nothing', async () => {
      await text('tower');
      const one = await call('graph_checkpoint');
      const two = await call('graph_checkpoint');
      const ids = (await call('graph_checkpoints')).checkpoints.map((found: { id: string }) => found.id);
      expect(ids.sort()).toEqual([one.id, two.id].sort());
      await call('graph_delete_checkpoint', { checkpoint_id: one.id });
      expect((await call('graph_checkpoints')).checkpoints).toEqual([two]);
      const version = await test.service.graph.version();
      for (const name of ['graph_restore', 'graph_delete_checkpoint'] as const) {
        await expect(call(name, { checkpoint_id: one.id })).rejects.toMatchObject({ code: 'checkpoint_not_found' });
      }
      expect(await test.service.graph.version()).toBe(version);
    });

    it('of another kind of graph are not listed, and do not exist for a restore', async () => {
      const { id } = await call('graph_checkpoint');
      await test.service.store.write(({ db }) => db.updateTable('graph_checkpoint').set({ kind: 'neo4j' }).execute());
      expect((await call('graph_checkpoints')).checkpoints).toEqual([]);
      await expect(test.service.graph.restore(id)).rejects.toThrow(
        /does not exist; list them with `graph checkpoints`/,
      );
    });

    it('are put back one at a time', async () => {
      await text('tower');
      const { id } = await call('graph_checkpoint');
      await text('island');
      const both = await Promise.allSettled([
        call('graph_restore', { checkpoint_id: id }),
        call('graph_restore', { checkpoint_id: id }),
      ]);
      const refused = both.filter((one) => one.status === 'rejected');
      for (const one of refused) expect(one.reason).toMatchObject({ code: 'conflict' });
      expect(refused.length).toBeLessThan(2);
      expect((await test.get('/v1/documents')).body.documents.map((one: { label: string }) => one.label)).toEqual([
        'tower',
      ]);
    });

    it('need not be there for text index and vectors to be made again', async () => {
      await text('tower');
      await text('island');
      const before = await snapshot(test, 'north');
      const { text: index, vectors } = test.service;
      const ids = before.nodes.map((node) => node.id);
      await index.delete(ids.slice(0, 2));
      await index.upsert([{ id: 'north:stray', domain: 'north', title: '', text: 'nothing has this' }]);
      const name = (await vectors.listIndexes())[0]!.name;
      await vectors.delete(name, { ids: ids.slice(1) });
      expect(await snapshot(test, 'north')).not.toEqual(before);
      expect(await call('reindex')).toMatchObject({ removed: 1 });
      expect(await snapshot(test, 'north')).toEqual(before);
    });
  });
}
