import { describe, expect, it } from '@jest/globals';
import { documentManifest, textDocument } from '../../src/ingest/document.js';
import { Embedded } from '../../src/ingest/index/embed.js';
import { groupCommit } from '../../src/ingest/write/group-commit.js';
import { load } from '../../src/ingest/write/load.js';
import type { LoadPorts } from '../../src/ingest/write/ports.js';
import { sampleDocuments } from './group-documents.js';
import { snapshot, type TestService, withService } from './harness.js';

const manifestOf = async (name: string, text: string) =>
  documentManifest(await textDocument({ text, domain: 'ridge', format: 'markdown', name }));

/** Ports that count the transactions of their store. */
function counting(ports: LoadPorts) {
  const count = { writes: 0 };
  const write: LoadPorts['store']['write'] = (work, options) => {
    count.writes += 1;
    return ports.store.write(work, options);
  };
  const store = new Proxy(ports.store, {
    get: (target, name) => {
      const member = name === 'write' ? write : Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  return { count, ports: { ...ports, store } };
}

const documents = sampleDocuments(40);

describe('documents that come while another is written', () => {
  it('are written together, and end in the graph and the answers of one after the other', async () => {
    const told = async (test: TestService) => {
      const { body } = await test.post('/v1/query', { context: 'Which keeper lit Lamp 7?', domains: ['ridge'] });
      return { graph: await snapshot(test, 'ridge'), items: body.items };
    };
    const single = await withService({}, async (test) => {
      for (const [name, text] of documents) await load(test.service.ingest.ports, await manifestOf(name, text));
      return told(test);
    });
    const together = await withService({}, async (test) => {
      const { count, ports } = counting(test.service.ingest.ports);
      const manifests = await Promise.all(documents.map(([name, text]) => manifestOf(name, text)));
      const results = await Promise.all(manifests.map((manifest) => load(ports, manifest)));
      expect(results.map(({ source }) => source)).toEqual(documents.map(([name]) => name));
      expect(results.every(({ passages, unchanged }) => passages === 1 && unchanged === undefined)).toBe(true);
      expect(count.writes).toBeLessThan(documents.length / 4);
      return told(test);
    });
    expect(together).toEqual(single);
  });

  it('fail for reasons of their own, not for those of their company', async () => {
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      const [first, ...others] = await Promise.all(documents.map(([name, text]) => manifestOf(name, text)));
      // Its concept claims the id that a passage of the first document has.
      const id = first!.passages[0]!.id.slice('ridge:'.length);
      const thief = { ...others[3]!, passages: [], concepts: [{ name: 'Thief', id }] };
      const manifests = [first!, ...others.slice(0, 3), thief, ...others.slice(4)];
      const ends = await Promise.allSettled(manifests.map((manifest) => load(ports, manifest)));
      const failed = ends.flatMap((end, i) => (end.status === 'rejected' ? [[i, end.reason.code]] : []));
      expect(failed).toEqual([[4, 'conflict']]);
      expect(await ports.graph.listSources({ domain: 'ridge' })).toHaveLength(documents.length - 1);
    });
  });

  it('are left out where their caller gave up before their turn', async () => {
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      const sources = await Promise.all(
        documents.slice(0, 3).map(async ([name, text]) => ({
          manifest: await manifestOf(name, text),
          embedded: Promise.resolve(new Embedded()),
        })),
      );
      const leaving = new AbortController();
      const group = groupCommit(ports, 'ridge');
      const writes = sources.map((source, i) => group.write(source, i === 1 ? leaving.signal : undefined));
      leaving.abort(new Error('gone'));
      const ends = await Promise.allSettled(writes);
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(ends[1]).toMatchObject({ reason: { message: 'gone' } });
      const labels = (await ports.graph.listSources({ domain: 'ridge' })).map(({ label }) => label);
      expect(labels.sort()).toEqual(['lamp-0', 'lamp-2']);
    });
  });

  it('replace each other in the order in which they came', async () => {
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      const versions = Array.from({ length: 12 }, (_, i) => `# Log\n\nThe lamp of the ridge burned ${i} nights.`);
      const manifests = await Promise.all(versions.map((text) => manifestOf('log', text)));
      await Promise.all(manifests.map((manifest) => load(ports, manifest)));
      const nodes = await ports.graph.findNodes({ domain: 'ridge', kind: 'passage' });
      expect(nodes.map(({ description }) => description)).toEqual(['The lamp of the ridge burned 11 nights.']);
      expect(await test.service.text.count('ridge')).toBe(1);
    });
  });
});
