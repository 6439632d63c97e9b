import { describe, expect, it } from '@jest/globals';
import type { EmbeddingModel } from '../../src/backends/embedding/port.js';
import { documentManifest, textDocument } from '../../src/ingest/document.js';
import type { ConceptIndexes } from '../../src/ingest/index/concept-indexes.js';
import { load } from '../../src/ingest/write/load.js';
import type { LoadPorts } from '../../src/ingest/write/ports.js';
import { waitFor } from '../support/wait-for.js';
import { withService } from './harness.js';

const note = async (name: string, text = `${name} is a lighthouse on the ridge.`) =>
  documentManifest(await textDocument({ text, domain: 'ridge', format: 'text', name }));

/** Ports whose model says that it is idle, and embeds the texts of a call when the test lets it. */
function slowModel(ports: LoadPorts) {
  const calls: Array<{ go(): void; fail(error: Error): void }> = [];
  const embedding = (real: EmbeddingModel): EmbeddingModel => ({
    name: real.name,
    dimension: real.dimension,
    idle: () => true,
    embed: (texts) => real.embed(texts),
    embedSpanned: (texts) =>
      new Promise((resolve, reject) => {
        calls.push({ go: () => resolve(real.embedSpanned(texts)), fail: reject });
      }),
    health: () => real.health(),
    close: () => real.close(),
  });
  const concepts = new Proxy(ports.concepts!, {
    get(target, name) {
      if (name !== 'current') return Reflect.get(target, name, target);
      const current: ConceptIndexes['current'] = async () => {
        const serving = await target.current();
        return { ...serving, embedding: embedding(serving.embedding!) };
      };
      return current;
    },
  });
  return { calls, ports: { ...ports, concepts } };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const settled = async (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), turn().then(() => false)]);

describe('a short text whose model is idle', () => {
  it('is written while it is embedded, and with its vectors', async () => {
    await withService({ SVC_EMBEDDING: 'static' }, async ({ service }) => {
      const { calls, ports } = slowModel(service.ingest.ports);
      const loading = load(ports, await note('Skerry'));
      await waitFor(() => expect(calls).toHaveLength(1), { timeout: 10_000 });
      // The transaction is open: another write waits for it.
      const other = ports.store.write(async () => undefined);
      expect(await settled(other)).toBe(false);
      calls[0]!.go();
      await other;
      expect(await loading).toMatchObject({ passages: 1 });
      const { indexName } = await ports.concepts.current();
      expect((await ports.vectors.describeIndex(indexName)).count).toBe(1);
    });
  });

  it('is not written where the model fails', async () => {
    await withService({ SVC_EMBEDDING: 'static' }, async ({ service }) => {
      const { calls, ports } = slowModel(service.ingest.ports);
      const loading = load(ports, await note('Skerry'));
      await waitFor(() => expect(calls).toHaveLength(1), { timeout: 10_000 });
      calls[0]!.fail(new Error('no model'));
      await expect(loading).rejects.toThrow('no model');
      expect(await ports.graph.listSources({})).toEqual([]);
      expect(await ports.graph.getDomain('ridge')).toBeNull();
    });
  });

  it('holds up other writes one at a time', async () => {
    await withService({ SVC_EMBEDDING: 'static' }, async ({ service }) => {
      const { calls, ports } = slowModel(service.ingest.ports);
      const first = load(ports, await note('Skerry'));
      await waitFor(() => expect(calls).toHaveLength(1), { timeout: 10_000 });
      const second = load(ports, await note('Holm'));
      await waitFor(() => expect(calls).toHaveLength(2), { timeout: 10_000 });
      calls[0]!.go();
      await first;
      // The second is still being embedded, outside of any transaction.
      await ports.store.write(async () => undefined);
      calls[1]!.go();
      expect(await second).toMatchObject({ passages: 1 });
    });
  });
});

describe('a long text', () => {
  it('is embedded before its transaction begins', async () => {
    await withService({ SVC_EMBEDDING: 'static' }, async ({ service }) => {
      const { calls, ports } = slowModel(service.ingest.ports);
      const sentences = Array.from({ length: 60 }, (_, i) => `Lighthouse ${i} stands on the northern ridge.`);
      const loading = load(ports, await note('Log', sentences.join(' ')));
      await waitFor(() => expect(calls).toHaveLength(1), { timeout: 10_000 });
      await ports.store.write(async () => undefined);
      calls[0]!.go();
      expect((await loading).passages).toBeGreaterThan(0);
    });
  });
});
