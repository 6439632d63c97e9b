import { describe, expect, it } from '@jest/globals';
import { D, error, id, source, type With } from './fixture.js';

export function nodesContract(withGraph: With): void {
  describe('domains', () => {
    it(
      'are created on first use, listed in order, and keep their description',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(source('a', { domain: 'zoo', concepts: [{ name: 'Lion' }] }));
        await graph.createDomain('ark', 'two of each');
        await graph.createDomain('ark');
        expect(await graph.listDomains()).toEqual([
          { name: 'ark', description: 'two of each', concept_count: 0, edge_count: 0, rule_count: 0, passages: 0 },
          { name: 'zoo', description: '', concept_count: 1, edge_count: 0, rule_count: 0, passages: 0 },
        ]);
        expect(await graph.getDomain('none')).toBeNull();
        expect((await error(graph.createDomain(':x'))).code).toBe('invalid_input');
      }),
    );

    it(
      'go with all they hold, and nothing of others',
      withGraph(async ({ graph }) => {
        const edges = [{ source: 'A', target: 'B', relation: 'USES' }];
        const rules = [{ text: 'Never A.' }];
        for (const domain of ['one', 'two']) {
          await graph.ingestManifest(source('a', { domain, concepts: [{ name: 'A' }, { name: 'B' }], edges, rules }));
        }
        const removed = await graph.deleteDomain('one');
        expect(removed).toEqual([id('A', 'one'), id('B', 'one')].sort());
        expect((await graph.listDomains()).map((domain) => domain.name)).toEqual(['two']);
        expect(await graph.getNodes(removed)).toEqual([]);
        expect(await graph.getEdges({})).toHaveLength(1);
        expect(await graph.getRules({ include_derived: false })).toHaveLength(1);
        expect(await graph.listSources()).toHaveLength(1);
        expect((await error(graph.deleteDomain('one'))).code).toBe('domain_not_found');
        await graph.ingestManifest(source('a', { domain: 'one', concepts: [{ name: 'A' }] }));
        expect((await graph.getDomain('one'))?.concept_count).toBe(1);
        expect((await graph.personalizedPagerank([{ id: id('A', 'two'), weight: 1 }])).scores.size).toBe(2);
      }),
    );

    it(
      'isolate: the same id and name in two domains are two nodes',
      withGraph(async ({ graph }) => {
        for (const domain of ['one', 'two']) {
          const concepts = [{ id: 'x', name: domain }, { name: 'Same' }];
          await graph.ingestManifest(
            source('a', { domain, concepts, edges: [{ source: 'x', target: 'Same', relation: 'USES' }] }),
          );
        }
        expect((await graph.getNode('one:x'))?.name).toBe('one');
        expect((await graph.getNode('two:x'))?.name).toBe('two');
        const { scores } = await graph.personalizedPagerank(
          [
            { id: 'one:x', weight: 1 },
            { id: 'two:x', weight: 1 },
          ],
          { domains: ['one'] },
        );
        expect([...scores.keys()].every((node) => node.startsWith('one:'))).toBe(true);
        const expansion = await graph.expand(['one:x', 'two:x'], { domains: ['two'] });
        expect(expansion.edges.map((edge) => edge.source_id)).toEqual(['two:x']);
        expect(await graph.statistics(['one'])).toMatchObject({ domains: 1, concepts: 2, edges: 1 });
        expect(await graph.statistics()).toMatchObject({ domains: 2, concepts: 4, edges: 2 });
      }),
    );
  });

  describe('nodes', () => {
    it(
      'have the hash of the normalised name as id, or the id of the caller',
      withGraph(async ({ graph }) => {
        const node = await graph.addNode({ domain: D, name: '  Grand   Canyon ' });
        expect(node).toMatchObject({ id: id('grand canyon'), kind: 'concept', name: 'Grand   Canyon', confidence: 1 });
        expect(await graph.addNode({ domain: D, id: 'gc', name: 'Canyon' })).toMatchObject({ id: 'd:gc' });
        expect(await graph.addNode({ domain: D, id: 'd:gc2', name: 'Canyon' })).toMatchObject({ id: 'd:gc2' });
        await graph.ingestManifest(
          source('signs', { concepts: [{ name: 'C' }, { name: 'C++' }, { name: 'C#' }, { name: 'c' }] }),
        );
        expect((await graph.getDomain(D))?.concept_count).toBe(6);
        expect(await graph.getNode('d:none')).toBeNull();
        expect(await graph.getNode('nonsense')).toBeNull();
        expect((await graph.getNodes(['d:gc2', 'd:none', 'd:gc'])).map((found) => found.id)).toEqual(['d:gc2', 'd:gc']);
      }),
    );

    it(
      'are found by glob or substring of the name, without regard to case',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', { concepts: [{ name: 'Red Fox' }, { name: 'red_fox' }, { name: 'Fire' }, { name: 'Été 100%' }] }),
        );
        await graph.ingestManifest(source('a', { domain: 'e', concepts: [{ name: 'Red Fox' }] }));
        const names = async (pattern: string): Promise<string[]> =>
          (await graph.findNodes({ domain: D, pattern })).map((node) => node.name).sort();
        expect(await names('RED')).toEqual(['Red Fox', 'red_fox']);
        expect(await names('red?fox')).toEqual(['Red Fox', 'red_fox']);
        expect(await names('d_f')).toEqual(['red_fox']);
        expect(await names('f*')).toEqual(['Fire']);
        expect(await names('ÉTÉ*%')).toEqual(['Été 100%']);
        expect(await names('0%')).toEqual(['Été 100%']);
        expect(await names('')).toHaveLength(4);
        const called = await graph.findNodes({ domain: D, norm: 'red fox' });
        expect(called.map((node) => node.name)).toEqual(['Red Fox']);
        const all = await graph.findNodes({ pattern: 'red fox' });
        expect(all.map((node) => node.domain)).toEqual(['d', 'e']);
        const [first, second] = await graph.findNodes({ limit: 2 });
        expect(await graph.findNodes({ limit: 1, after: first!.id })).toEqual([second]);
        expect(await graph.findNodes({ after: all.at(-1)!.id })).toEqual([]);
        expect((await graph.findNodes({ after: first!.id })).at(0)).toEqual(second);
        expect(await graph.findNodes({ kind: 'passage' })).toEqual([]);
      }),
    );

    it(
      'show the surest assertion, then the newest, then that of the lowest source',
      withGraph(async ({ graph }) => {
        const says = (description: string, confidence: number) => ({
          concepts: [{ name: 'X', description, confidence }],
        });
        await graph.ingestManifest(source('a', says('weak', 0.4)));
        await graph.ingestManifest(source('b', says('sure', 0.9)));
        await graph.ingestManifest(source('c', says('later but weak', 0.4)));
        expect(await graph.getNode(id('X'))).toMatchObject({ description: 'sure', confidence: 0.9 });
        const b = (await graph.listSources()).find((found) => found.key === 'b')!;
        const delta = await graph.forgetSource(b.source_id);
        expect(delta).toMatchObject({ changed: [id('X')], removed: [], keys: [] });
        expect((await graph.getNode(id('X')))?.description).toBe('later but weak');
        await graph.ingestManifest(source('a', says('weak again', 0.4)));
        expect((await graph.getNode(id('X')))?.description).toBe('weak again');
      }),
    );

    it(
      'keep their description where another source as sure names them only, and lose it with the source that gave it',
      withGraph(async ({ graph }) => {
        const pump = { name: 'Pump', description: 'Moves the water of the east hall.' };
        const first = await graph.ingestManifest(source('a', { concepts: [pump] }));
        const joins = {
          concepts: [{ name: 'Pump' }, { name: 'Oil' }],
          edges: [{ source: 'Pump', target: 'Oil', relation: 'USES', confidence: 1, properties: {} }],
        };
        await graph.ingestManifest(source('b', joins));
        expect(await graph.getNode(id('Pump'))).toMatchObject({ description: pump.description });
        await graph.ingestManifest(source('c', { concepts: [{ ...pump, description: 'Moves the air.' }] }));
        expect(await graph.getNode(id('Pump'))).toMatchObject({ description: 'Moves the air.' });
        const all = await graph.listSources();
        await graph.forgetSource(all.find((found) => found.key === 'c')!.source_id);
        expect(await graph.getNode(id('Pump'))).toMatchObject({ description: pump.description });
        await graph.forgetSource(first.source_id);
        expect(await graph.getNode(id('Pump'))).toMatchObject({ description: '' });
      }),
    );

    it(
      'keep their description where their own source names them again as sure, in one call or in one that adds to it',
      withGraph(async ({ graph }) => {
        const pump = { name: 'Pump', description: 'Moves the water of the east hall.' };
        const shown = async () => (await graph.getNode(id('Pump')))?.description;
        for (const concepts of [
          [pump, { name: 'Pump' }],
          [{ name: 'Pump' }, pump],
          [{ ...pump, description: 'Moves the air.' }, pump, { name: 'Pump', description: '', confidence: 1 }],
          [
            { ...pump, confidence: 0.9 },
            { name: 'Pump', confidence: 0.8 },
            { ...pump, confidence: 0.9 },
          ],
        ]) {
          await graph.ingestManifest(source('a', { concepts }));
          expect(await shown()).toBe(pump.description);
        }
        await graph.ingestManifest(source('a', { concepts: [{ ...pump, confidence: 0.8 }, { name: 'Pump' }] }));
        expect(await shown()).toBe('');
        await graph.ingestManifest(source('a', { append: true, concepts: [pump] }));
        await graph.ingestManifest(source('a', { append: true, concepts: [{ name: 'Pump' }] }));
        expect(await shown()).toBe(pump.description);
        await graph.ingestManifest(
          source('a', { append: true, concepts: [{ name: 'Pump', properties: { hall: 'east' } }] }),
        );
        expect(await graph.getNode(id('Pump'))).toMatchObject({ description: '', properties: { hall: 'east' } });
        await graph.ingestManifest(source('a', { concepts: [{ name: 'Pump' }] }));
        expect(await shown()).toBe('');
        await graph.ingestManifest(source('a', { concepts: [{ id: 'p', name: 'Old', description: 'Of iron.' }] }));
        await graph.ingestManifest(source('a', { append: true, concepts: [{ id: 'p', name: 'New' }] }));
        expect(await graph.getNode(`${D}:p`)).toMatchObject({ name: 'New' });
      }),
    );

    it(
      'keep properties and are reported as changed only where name or text changed',
      withGraph(async ({ graph }) => {
        const properties = { tags: ['a', 'b'], depth: { n: 1.5, ok: true, none: null } };
        const first = await graph.ingestManifest(source('a', { concepts: [{ name: 'X', properties }] }));
        expect(first.changed).toEqual([id('X')]);
        expect((await graph.getNode(id('X')))?.properties).toEqual(properties);
        const second = await graph.ingestManifest(
          source('a', { concepts: [{ name: 'X', properties: {}, confidence: 0.5 }] }),
        );
        expect(second.changed).toEqual([]);
        expect(await graph.getNode(id('X'))).toMatchObject({ properties: {}, confidence: 0.5 });
        const third = await graph.ingestManifest(source('a', { concepts: [{ name: 'x' }] }));
        expect(third.changed).toEqual([id('X')]);
      }),
    );

    it(
      'refuse bad input with the name of the member, and write nothing',
      withGraph(async ({ graph }) => {
        const bad = async (says: Parameters<typeof source>[1], member: string): Promise<void> => {
          const thrown = await error(graph.ingestManifest(source('bad', { concepts: [{ name: 'Fine' }], ...says })));
          expect(thrown.code).toBe('invalid_input');
          expect(thrown.message).toContain(member);
        };
        await bad({ concepts: [{ name: 'Fine' }, { name: ' ' }] }, 'concepts[1].name');
        await bad({ concepts: [{ name: 'Fine', confidence: 2 }] }, 'concepts[0].confidence');
        await bad({ edges: [{ source: 'Fine', target: 'Fine', relation: 'no spaces' }] }, 'edges[0].relation');
        await bad({ edges: [{ source: 'Fine', target: '', relation: 'USES' }] }, 'edges[0].target');
        await bad({ rules: [{ text: '' }] }, 'rules[0].text');
        expect(await graph.listDomains()).toEqual([]);
        expect(await graph.version()).toBe(0);
      }),
    );
  });
}
