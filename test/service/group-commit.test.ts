import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { takeTurns } from '../../src/backends/store/session-messages.js';
import { SvcError } from '../../src/core/errors.js';
import { sourceId } from '../../src/core/ids.js';
import { documentManifest, textDocument } from '../../src/ingest/document.js';
import { Embedded } from '../../src/ingest/index/embed.js';
import { namedMessage } from '../../src/ingest/sessions/load-message.js';
import { messageSource, messagesManifest } from '../../src/ingest/sessions/message.js';
import { turnWrite } from '../../src/ingest/sessions/turn-write.js';
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
  return { count, ports: { ...ports, store: withWrite(ports.store, write) } };
}

function withWrite(store: LoadPorts['store'], write: LoadPorts['store']['write']): LoadPorts['store'] {
  return new Proxy(store, {
    get: (target, name) => {
      const member = name === 'write' ? write : Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
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

  it('fail together where the store refuses them: what it may have taken is not tried again', async () => {
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      const lost = new SvcError('unavailable', 'The connection was lost.', { part: 'store' }, { retriable: true });
      let writes = 0;
      const write: LoadPorts['store']['write'] = async (work, options) => {
        writes += 1;
        const result = await ports.store.write(work, options);
        if (writes === 2) throw lost;
        return result;
      };
      const manifests = await Promise.all(documents.map(([name, text]) => manifestOf(name, text)));
      const own = { ...ports, store: withWrite(ports.store, write) };
      const ends = await Promise.allSettled(manifests.map((manifest) => load(own, manifest)));
      expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(1);
      for (const end of ends)
        if (end.status === 'fulfilled') expect(end.value.unchanged).toBeUndefined();
        else expect(end.reason).toBe(lost);
    });
  });

  it('leave nothing of an earlier text of a message, though both wait at once', async () => {
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      const long = Array.from({ length: 80 }, (_, i) => `Plank ${i} of the pier is made of oak.`).join(' ');
      const read = await Promise.all(
        ['One.', long, 'Short.'].map((text) =>
          namedMessage({ domain: 'ridge', session_id: 's', role: 'user', message_id: 'm', text }),
        ),
      );
      const source_id = sourceId(messageSource(read[0]!.read.input));
      const group = groupCommit(ports, 'ridge');
      const company = await manifestOf('company', '# Company\n\nIt keeps the queue waiting.');
      await ports.store.write(({ db }) => takeTurns(db, source_id, ['id:m']));
      const embedded = Promise.resolve(new Embedded());
      await Promise.all([
        group.write({ manifest: company, embedded }),
        ...read.map((named) => {
          const messages = [{ ...named, turn: 0 }];
          const turn = turnWrite(ports, { domain: 'ridge', source_id, messages });
          return group.write({ manifest: messagesManifest(messages), embedded, turn });
        }),
      ]);
      expect((await ports.graph.sourcePassages(source_id)).map(({ text }) => text)).toEqual(['Short.']);
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

  it('tell a caller who gives up while they wait so at once', async () => {
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      const embedded = Promise.resolve(new Embedded());
      const [first, second] = await Promise.all(documents.slice(0, 2).map(([name, text]) => manifestOf(name, text)));
      const group = groupCommit(ports, 'ridge');
      const leaving = new AbortController();
      let open = (_: Embedded): void => undefined;
      const gate = new Promise<Embedded>((resolve) => (open = resolve));
      const running = group.write({ manifest: first!, embedded: gate });
      const waiting = group.write({ manifest: second!, embedded }, leaving.signal);
      leaving.abort(new Error('gone'));
      // The first is still being written: nothing but the signal can end the wait.
      const ended = waiting.catch((error: Error) => error.message);
      expect(await Promise.race([ended, sleep(1000, 'waits')])).toBe('gone');
      await expect(group.write({ manifest: second!, embedded }, leaving.signal)).rejects.toThrow('gone');
      open(new Embedded());
      await running;
      expect(await ports.graph.listSources({ domain: 'ridge' })).toMatchObject([{ label: 'lamp-0' }]);
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
