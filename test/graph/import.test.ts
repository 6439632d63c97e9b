import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { cursors } from '../../src/backends/graph/import/cursor.js';
import { digestOf } from '../../src/backends/graph/import/digest.js';
import { GraphImports } from '../../src/backends/graph/import.js';
import type { GraphBackend } from '../../src/backends/graph/port.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { D, error, id, mentions, passage, source } from '../contracts/graph/fixture.js';
import { ReferenceGraph } from '../contracts/graph/reference/reference-graph.js';
import { seen } from '../contracts/graph/worlds.js';

let store: Store;
let embedded: EmbeddedBackend;
let memory: ReferenceGraph;
let followed: number;

beforeEach(async () => {
  store = await openSqlite(':memory:');
  embedded = new EmbeddedBackend(store);
  memory = new ReferenceGraph();
  followed = 0;
  await Promise.all([embedded.connect(), memory.connect()]);
});
afterEach(() => store.close());

function imports(current: GraphBackend, other: GraphBackend): GraphImports {
  return new GraphImports({
    store,
    current,
    open: async () => other,
    exclusive: (work) => work(),
    follow: async () => {
      followed += 1;
    },
  });
}

/** Assertions that compete, edges that wait, links, rules of every kind, a session in parts, an empty domain. */
async function fill(graph: GraphBackend): Promise<void> {
  await graph.createDomain('empty', 'with a description');
  const about = (text: string) => [
    { name: 'Shared', description: text },
    { id: 'own', name: 'Own' },
  ];
  await graph.ingestManifest(source('z-first', { concepts: about('oldest') }));
  await graph.ingestManifest(
    source('chat', {
      concepts: about('early turn'),
      passages: [passage('one', { titles: ['Rome'] })],
      append: true,
    }),
  );
  await graph.ingestManifest(
    source('a-later', {
      concepts: about('later'),
      edges: [
        { source: 'Shared', target: 'own', relation: 'USES', properties: { by: 'later' } },
        { source: 'Shared', target: 'Nowhere', relation: 'USES' },
      ],
      rules: [{ text: 'Never.', name: 'named', category: 'safety', concepts: ['Own'] }, { text: 'Shared must hold.' }],
    }),
  );
  await graph.ingestManifest(
    source('chat', { concepts: about('late turn'), passages: [passage('two', {})], append: true }),
  );
  await graph.ingestManifests(
    ['m', 'k', 'l'].map((key) =>
      source(key, {
        concepts: [{ name: 'Row', description: key }],
        edges: [{ source: 'Row', target: 'Shared', relation: 'PART_OF', properties: { by: key } }],
      }),
    ),
  );
  await graph.setMentions(D, [{ id: 'd:two', mentions: mentions('Rome', 'NASA') }]);
  await graph.ingestManifest(
    source('x', { domain: 'other', concepts: [{ name: 'Shared', description: 'elsewhere' }] }),
  );
}

describe.each([
  ['memory', 'embedded'],
  ['embedded', 'memory'],
] as const)('an import from %s to %s', (from, to) => {
  const ends = () => {
    const graphs: Record<string, GraphBackend> = { memory, embedded };
    return { source: graphs[from]!, destination: graphs[to]! };
  };

  it('makes the other graph say the same, whoever asserted it, whatever waits', async () => {
    const { source: there, destination: here } = ends();
    await fill(there);
    const result = await imports(there, here).run({ from, to });
    expect(await seen(here, D)).toEqual(await seen(there, D));
    expect((await here.getNode(id('Shared')))?.description).toBe('late turn');
    expect(result).toMatchObject({ from, to, sources: 7, resumed: false, checksum: (await digestOf(there)).checksum });
    for (const graph of [there, here]) {
      await graph.forgetSource((await graph.listSources({ domain: D })).find((one) => one.key === 'chat')!.source_id);
      await graph.ingestManifest(source('late', { concepts: [{ name: 'Nowhere' }] }));
    }
    expect(await seen(here, D)).toEqual(await seen(there, D));
    expect((await here.getNode(id('Shared')))?.description).toBe('later');
    expect(await cursors.read(store.db, `${from}-${to}`)).toBeNull();
  });

  it('refuses a destination that holds something, unless it is to be replaced; then indexes follow where it serves', async () => {
    const { source: there, destination: here } = ends();
    await fill(there);
    await here.ingestManifest(source('other', { concepts: [{ name: 'Other' }] }));
    expect((await error(imports(here, there).run({ from }))).code).toBe('conflict');
    expect(followed).toBe(0);
    await imports(here, there).run({ from, replace: true });
    expect(followed).toBe(1);
    expect(await here.getNode(id('Other'))).toBeNull();
    expect(await seen(here, D)).toEqual(await seen(there, D));
  });

  it.each([
    ['before', 'a write'],
    ['after', 'a write that was done'],
  ])('goes on where it was interrupted, %s %s, at every step', async (moment) => {
    const { source: there, destination: here } = ends();
    await fill(there);
    for (let stop = 0; ; stop += 1) {
      for (const { name } of await here.listDomains()) await here.deleteDomain(name);
      let writes = 0;
      const breaking = new Proxy(here, {
        get: (graph, member) => {
          const found = Reflect.get(graph, member) as unknown;
          if (member !== 'ingestManifests') return typeof found === 'function' ? found.bind(graph) : found;
          return async (...given: Parameters<GraphBackend['ingestManifests']>) => {
            if (writes === stop && moment === 'before') throw new Error('interrupted');
            writes += 1;
            const deltas = await graph.ingestManifests(...given);
            if (writes > stop && moment === 'after') throw new Error('interrupted');
            return deltas;
          };
        },
      });
      const done = await imports(there, breaking)
        .run({ from, to })
        .catch((thrown: Error) => thrown);
      if (!(done instanceof Error)) break;
      expect(done.message).toBe('interrupted');
      expect(await imports(there, here).run({ from, to })).toMatchObject({ resumed: true });
      expect(await seen(here, D)).toEqual(await seen(there, D));
    }
  });

  it('empties what an import left when the source moved on, but nothing that others wrote since', async () => {
    const { source: there, destination: here } = ends();
    await fill(there);
    const stopAt = async (step: number): Promise<void> => {
      const stop = new AbortController();
      let seen = 0;
      const progress = (): void => {
        seen += 1;
        if (seen === step) stop.abort();
      };
      const request = { from, to, signal: stop.signal, progress };
      expect((await error(imports(there, here).run(request))).code).toBe('unavailable');
    };
    const many = Array.from({ length: 150 }, (_, i) => source(`many ${i}`, { concepts: [{ name: 'Same' }] }));
    for (const one of many) await there.ingestManifest(one);
    await stopAt(3);
    expect((await here.listDomains()).length).toBeGreaterThan(0);
    await there.ingestManifest(source('moved', { concepts: [{ name: 'Moved' }] }));
    await stopAt(3);
    expect(await cursors.read(store.db, `${from}-${to}`)).toMatchObject({ writing: false });

    // In use since: neither emptied after the source moved, nor added to where it did not.
    await here.ingestManifest(source('theirs', { domain: 'theirs', concepts: [{ name: 'Kept' }] }));
    const refused = await error(imports(there, here).run({ from, to }));
    expect([refused.code, refused.message]).toEqual(['conflict', expect.stringMatching(/written to since.*--replace/)]);
    await there.ingestManifest(source('moved again', { concepts: [{ name: 'Again' }] }));
    expect((await error(imports(there, here).run({ from, to }))).code).toBe('conflict');
    expect(await here.getNode(id('Kept', 'theirs'))).not.toBeNull();
    const done = await imports(there, here).run({ from, to, replace: true });
    expect(done).toMatchObject({ resumed: false, checksum: (await digestOf(there)).checksum });
    expect((await here.listDomains()).map((domain) => domain.name)).not.toContain('theirs');
  });

  it('takes one write more after a crash for its own only where it can be', async () => {
    const { source: there, destination: here } = ends();
    await fill(there);
    const breaking = new Proxy(here, {
      get: (graph, member) => {
        if (member === 'ingestManifests') return () => Promise.reject(new Error('interrupted'));
        const found = Reflect.get(graph, member) as unknown;
        return typeof found === 'function' ? found.bind(graph) : found;
      },
    });
    expect((await error(imports(there, breaking).run({ from, to }))).message).toBe('interrupted');
    expect(await cursors.read(store.db, `${from}-${to}`)).toMatchObject({ writing: true });
    await here.ingestManifest(source('theirs', { concepts: [{ name: 'Kept' }] }));
    expect((await error(imports(there, here).run({ from, to }))).code).toBe('conflict');
    expect(await here.getNode(id('Kept'))).not.toBeNull();
  });

  it('empties a destination whose domains go in steps, with a version more', async () => {
    const { source: there, destination: here } = ends();
    await fill(there);
    await here.ingestManifest(source('large', { domain: 'large', concepts: [{ name: 'Large' }] }));
    const inSteps = new Proxy(here, {
      get: (graph, member) => {
        const found = Reflect.get(graph, member) as unknown;
        if (member !== 'deleteDomain') return typeof found === 'function' ? found.bind(graph) : found;
        return async (name: string) => {
          await graph.createDomain(name, 'going');
          return graph.deleteDomain(name);
        };
      },
    });
    expect(await imports(there, inSteps).run({ from, to, replace: true })).toMatchObject({ resumed: false });
    expect(await here.getDomain('large')).toBeNull();
  });

  it('stops where something else writes to the destination; that is kept', async () => {
    const { source: there, destination: here } = ends();
    await fill(there);
    let wrote = false;
    const progress = (): void => {
      if (wrote) return;
      wrote = true;
      void here.ingestManifest(source('theirs', { domain: 'theirs', concepts: [{ name: 'Kept' }] }));
    };
    const stopped = await error(imports(there, here).run({ from, to, progress }));
    expect([stopped.code, stopped.message]).toEqual([
      'conflict',
      expect.stringMatching(/during the import.*--replace/),
    ]);
    await there.ingestManifest(source('moved', { concepts: [{ name: 'Moved' }] }));
    expect((await error(imports(there, here).run({ from, to }))).code).toBe('conflict');
    expect(await here.getDomain('theirs')).not.toBeNull();
    expect(await imports(there, here).run({ from, to, replace: true })).toMatchObject({ resumed: false });
  });

  it('takes in what is written meanwhile', async () => {
    const { source: there, destination: here } = ends();
    await fill(there);
    let written = false;
    const progress = (): void => {
      if (written) return;
      written = true;
      void there
        .ingestManifest(source('meanwhile', { concepts: [{ name: 'Meanwhile' }] }))
        .then(() => there.deleteDomain('other'));
    };
    await imports(there, here).run({ from, to, progress });
    expect(await digestOf(here)).toEqual(await digestOf(there));
    expect(await here.getNode(id('Meanwhile'))).not.toBeNull();
  });
});

it('names two kinds', async () => {
  expect((await error(imports(embedded, memory).run({ from: 'embedded' }))).code).toBe('invalid_input');
});
