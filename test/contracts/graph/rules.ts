import { describe, expect, it } from '@jest/globals';
import type { GraphRule } from '../../../src/core/model.js';
import { D, id, passage, source, type With } from './fixture.js';

export function rulesContract(withGraph: With): void {
  describe('rules', () => {
    it(
      'touch the concepts named in their text, whenever these come',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', { rules: [{ text: 'Never run C++ on Jay Z; the grand canyon is fine.' }] }),
        );
        const touched = async (): Promise<readonly string[]> =>
          (await graph.getRules({ include_derived: false }))[0]!.source_concepts;
        expect(await touched()).toEqual([]);
        await graph.ingestManifest(
          source('b', {
            concepts: [
              { name: 'C' },
              { name: 'C++' },
              { name: 'Jay-Z' },
              { name: 'Grand Canyon' },
              { name: 'Canyons' },
            ],
          }),
        );
        expect(await touched()).toEqual([id('C++'), id('Jay-Z'), id('Grand Canyon')].sort());
        const b = (await graph.listSources()).find((found) => found.key === 'b')!;
        await graph.ingestManifest(source('c', { concepts: [{ id: 'own', name: 'c++' }] }));
        await graph.forgetSource(b.source_id);
        expect(await touched()).toEqual(['d:own']);
      }),
    );

    it(
      'with given concepts touch those and no others',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', { concepts: [{ name: 'A' }], rules: [{ text: 'About B.', concepts: ['A', 'Late', 'B'] }] }),
        );
        await graph.ingestManifest(source('b', { concepts: [{ id: 'late', name: 'x' }, { name: 'Late' }] }));
        expect((await graph.getRules())[0]?.source_concepts).toEqual([id('A'), id('Late')].sort());
      }),
    );

    it(
      'found in text are about the concepts they name, else about the passages that state them, and come with both',
      withGraph(async ({ graph }) => {
        const text = 'Never open Postgres to the world.';
        const p = passage('p', { text });
        await graph.ingestManifest(source('a', { passages: [p], rules: [{ text, concepts: [p.id, 'Postgres'] }] }));
        const rule = async (concept: string) => (await graph.getRules({ concept_ids: [concept] }))[0];
        const alone = await rule(p.id);
        expect(alone).toMatchObject({ source_concepts: [p.id], passages: [p.id] });
        await graph.ingestManifest(source('b', { concepts: [{ name: 'Postgres' }] }));
        const about = await rule(id('Postgres'));
        expect(about).toMatchObject({ source_concepts: [id('Postgres')], passages: [p.id] });
        expect(await rule(p.id)).toEqual(about);
        const b = (await graph.listSources()).find((found) => found.key === 'b')!;
        await graph.forgetSource(b.source_id);
        expect(await rule(p.id)).toEqual(alone);
      }),
    );

    it(
      'have ids by name or text, categories, confidence, and one visible record',
      withGraph(async ({ graph }) => {
        const rule = await graph.addRule({ domain: D, text: 'Lock the door.', name: 'door', category: 'security' });
        expect(rule).toMatchObject({ id: 'rule:door', category: 'security', confidence: 1, derivation: 'explicit' });
        await graph.ingestManifest(
          source('a', { rules: [{ text: 'Shut it.', name: 'door', confidence: 0.5 }, { text: 'Plain.' }] }),
        );
        const rules = await graph.getRules();
        expect(rules.map((found) => [found.text, found.category])).toEqual([
          ['Plain.', 'general'],
          ['Lock the door.', 'security'],
        ]);
        expect(rules[0]?.id).toMatch(/^rule:d:[0-9a-f]{20}$/);
        expect(await graph.getRules({ categories: ['security'] })).toHaveLength(1);
        expect(await graph.getRules({ min_confidence: 1 })).toHaveLength(2);
        expect(await graph.getRules({ domains: ['none'] })).toEqual([]);
        expect(await graph.getRules({ ids: ['rule:door'] })).toHaveLength(1);
        expect(await graph.getRules({ limit: 1 })).toEqual(rules.slice(0, 1));
        expect((await graph.getDomain(D))?.rule_count).toBe(2);
      }),
    );

    it(
      'are derived from edges of known relations, in the direction of the edge',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', {
            concepts: [{ name: 'Service' }, { name: 'Database' }, { name: 'Cache' }],
            edges: [
              { source: 'Service', target: 'Database', relation: 'requires', confidence: 0.8 },
              { source: 'Service', target: 'Database', relation: 'uses', confidence: 0.4 },
              { source: 'Service', target: 'Cache', relation: 'dislikes' },
            ],
            rules: [{ text: 'Keep the Cache warm.' }],
          }),
        );
        const derived = (await graph.getRules()).filter((rule) => rule.derivation === 'derived');
        expect(derived.map((rule) => rule.id)).toEqual([
          `derived:${id('Service')}->${id('Database')}:requires:imperative`,
          `derived:${id('Service')}->${id('Database')}:uses:imperative`,
        ]);
        expect(derived[0]).toMatchObject({
          text: 'Always provide Database when you use Service.',
          confidence: 0.8,
          domain: D,
          category: 'dependency',
          source_concepts: [id('Service'), id('Database')],
          metadata: {
            relation_type: 'requires',
            template_id: 'requires:imperative',
            template_variant: 'imperative',
            template_severity: 'error',
          },
        });
        expect(await graph.getRules({ include_derived: false })).toHaveLength(1);
        expect(await graph.getRules({ min_confidence: 0.5 })).toHaveLength(2);
        expect(await graph.getRules({ concept_ids: [id('Cache')] })).toMatchObject([{ derivation: 'explicit' }]);
        expect(await graph.getRules({ concept_ids: [id('Database')] })).toHaveLength(2);
        expect(await graph.getRules({ concept_ids: [] })).toEqual([]);
        expect(await graph.getRules({ limit: 2 })).toEqual(derived);
        expect(await graph.getRules({ categories: ['conflict'] })).toEqual([]);
      }),
    );

    it(
      'come in the order of their ids even where one id begins another',
      withGraph(async ({ graph }) => {
        const names = ['c', 'c#', 'c-1', 'c1', 'c9', 'b'];
        const edges = names.map((name) => ({ source: name, target: 'b', relation: 'USES' }));
        await graph.ingestManifest(source('a', { concepts: names.map((name) => ({ id: name, name })), edges }));
        const all = (await graph.getRules()).map((rule) => rule.id);
        expect(all).toEqual([...all].sort());
        for (let limit = 1; limit <= all.length; limit += 1) {
          expect((await graph.getRules({ limit })).map((rule) => rule.id)).toEqual(all.slice(0, limit));
          expect((await graph.getEdges({ limit })).map((edge) => edge.id)).toEqual(
            (await graph.getEdges({})).map((edge) => edge.id).slice(0, limit),
          );
        }
      }),
    );

    it(
      'come in pages, which say how many there are, whatever the filter and after every write',
      withGraph(async ({ graph }) => {
        const names = ['Cache', 'Database', 'Queue', 'Lock'];
        const edges = names.flatMap((source, i) => [
          { source, target: names[(i + 1) % 4]!, relation: 'USES', confidence: i / 4 },
          { source, target: source, relation: 'USES' },
          { source, target: names[(i + 2) % 4]!, relation: 'REQUIRES', properties: { provenance: 'row' } },
        ]);
        const rules = names.map((name, i) => ({ text: `Watch the ${name}.`, confidence: i / 4 }));
        const filters = [
          {},
          { min_confidence: 0.5 },
          { categories: ['general'] },
          { include_derived: false, min_confidence: 0.25 },
          { concept_ids: [id('Cache')] },
          { domains: ['d b', D] },
        ];
        const check = async () => {
          for (const filter of filters) {
            const all = await graph.getRules(filter);
            const counted = { total: all.length, domain_count: new Set(all.map((rule) => rule.domain)).size };
            for (const page of [
              { offset: 0, limit: 100 },
              { offset: 1, limit: 3 },
              { offset: 5, limit: 2 },
            ]) {
              const rules = all.slice(page.offset, page.offset + page.limit);
              expect(await graph.pageOfRules(filter, page)).toEqual({ rules, ...counted });
            }
          }
        };
        await check();
        await graph.ingestManifest(source('a', { concepts: names.map((name) => ({ name })), edges, rules }));
        await check();
        const other = source('b', { concepts: names.map((name) => ({ name })), edges, rules });
        await graph.ingestManifest({ ...other, domain: 'd b', source: { ...other.source, domain: 'd b' } });
        await check();
        await graph.forgetSource((await graph.listSources({ domain: D }))[0]!.source_id);
        await check();
        expect((await graph.pageOfRules({}, { offset: 0, limit: 1 })).total).toBe(8);
      }),
    );

    it(
      'name those of their domain, of whatever source, that contradict them',
      withGraph(async ({ graph }) => {
        const named = { text: 'Never restart the pump.', name: 'restart' };
        const mixed = ['USES', 'REQUIRES', 'EXCLUDES', 'PART_OF'];
        const edges = mixed.map((relation) => ({ source: 'Filter', target: 'Pump', relation }));
        const concepts = [{ name: 'Filter' }, { name: 'Pump' }];
        await graph.ingestManifest(source('a', { concepts, edges, rules: [named, { text: 'Watch it.' }] }));
        const back = { source: 'Pump', target: 'Filter', relation: 'PART_OF' };
        const other = source('b', {
          edges: [back],
          rules: [{ text: 'Always restart the pumps.', concepts: ['Pump'] }],
        });
        await graph.ingestManifest(other);
        const elsewhere = source('c', { rules: [{ text: 'Restart the pump.' }] });
        await graph.ingestManifest({ ...elsewhere, domain: 'e', source: { ...elsewhere.source, domain: 'e' } });
        const marks = async () =>
          (await graph.markContradictions(await graph.getRules())).flatMap(contradictionsOf).sort();
        const [filter, pump] = [id('Filter'), id('Pump')];
        const always = (await graph.getRules({ domains: [D] })).find(({ text }) =>
          text.startsWith('Always restart'),
        )!.id;
        const [into, from] = [`derived:${filter}->${pump}`, `derived:${pump}->${filter}`];
        expect(await marks()).toEqual(
          [
            ['rule:restart', always],
            [always, 'rule:restart'],
            [`${into}:part_of:imperative`, `${from}:part_of:imperative`],
            [`${from}:part_of:imperative`, `${into}:part_of:imperative`],
            [`${into}:requires:imperative`, `${filter}|EXCLUDES|${pump}`],
          ].sort(),
        );
        await graph.forgetSource((await graph.listSources({ domain: D })).find(({ key }) => key === 'b')!.source_id);
        expect(await marks()).toEqual([[`${into}:requires:imperative`, `${filter}|EXCLUDES|${pump}`]]);
        expect(await graph.markContradictions([])).toEqual([]);
      }),
    );

    it(
      'are not derived from an edge with an endpoint that has no name',
      withGraph(async ({ graph }) => {
        const names = ['Said', 'Asked', 'Guide', 'Manual'] as const;
        await graph.ingestManifest(
          source('a', {
            concepts: [{ name: 'Service' }],
            passages: names.map((name) =>
              passage(name, name === 'Guide' || name === 'Manual' ? { titles: [name] } : {}),
            ),
            edges: [
              { source: 'd:Asked', target: 'd:Said', relation: 'similar_to' },
              { source: 'Service', target: 'd:Said', relation: 'uses' },
              { source: 'd:Asked', target: 'Service', relation: 'uses' },
              { source: 'd:Guide', target: 'd:Asked', relation: 'similar_to' },
              { source: 'd:Guide', target: 'd:Manual', relation: 'similar_to' },
            ],
          }),
        );
        expect(await graph.getEdges({})).toHaveLength(5);
        const named = ['derived:d:Guide->d:Manual:similar_to:imperative'];
        expect((await graph.getRules()).map((rule) => rule.id)).toEqual(named);
        expect((await graph.getRules({ limit: 1 })).map((rule) => rule.id)).toEqual(named);
        expect(await graph.getRules({ concept_ids: ['d:Asked', 'd:Said', id('Service')] })).toEqual([]);
        expect((await graph.getRules({ concept_ids: ['d:Guide'] })).map((rule) => rule.id)).toEqual(named);
        expect((await graph.getDomain(D))?.rule_count).toBe(0);
      }),
    );
  });
}

/** Returns pairs of ids: the rule, and each that it names. */
function contradictionsOf({ id: rule, metadata }: GraphRule): Array<[string, string]> {
  return ((metadata.contradicts ?? []) as string[]).map((other) => [rule, other]);
}
