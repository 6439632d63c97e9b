import { describe, expect, it } from '@jest/globals';
import { D, error, id, mentions, passage, source, type With } from './fixture.js';

export function sourcesContract(withGraph: With): void {
  describe('sources', () => {
    it(
      'with the same content change nothing, not even the version',
      withGraph(async ({ graph }) => {
        const says = {
          concepts: [{ name: 'A' }],
          edges: [{ source: 'A', target: 'B', relation: 'USES' }],
          rules: [{ text: 'Use A.' }],
          passages: [passage('p', { titles: ['A'] })],
        };
        const first = await graph.ingestManifest(source('a', says));
        const version = await graph.version();
        expect(version).toBeGreaterThan(0);
        const again = await graph.ingestManifest(source('a', says));
        expect(again).toEqual({ ...first, unchanged: true, changed: [], removed: [], keys: [] });
        expect(await graph.version()).toBe(version);
      }),
    );

    it(
      'with other content replace all they asserted',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', {
            concepts: [{ name: 'A' }, { name: 'B' }],
            edges: [{ source: 'A', target: 'B', relation: 'USES' }],
            rules: [{ text: 'One.' }],
            passages: [passage('p', { titles: ['P'] }), passage('q', {})],
          }),
        );
        const version = await graph.version();
        const delta = await graph.ingestManifest(
          source('a', {
            concepts: [{ name: 'A', description: 'new' }],
            rules: [{ text: 'Two.' }],
            passages: [passage('q', {})],
          }),
        );
        expect(delta).toMatchObject({
          changed: [id('A')],
          removed: [id('B'), 'd:p'].sort(),
          concepts: 1,
          edges: 0,
          rules: 1,
          passages: 1,
        });
        expect(delta.keys).toEqual(['b', 'p']);
        expect(await graph.version()).toBeGreaterThan(version);
        expect(await graph.getEdges({})).toEqual([]);
        expect((await graph.getRules()).map((rule) => rule.text)).toEqual(['Two.']);
        expect(await graph.getDomain(D)).toMatchObject({ concept_count: 1, edge_count: 0, rule_count: 1, passages: 1 });
      }),
    );

    it(
      'of thousands of passages lose what their new content lacks, and nothing else',
      withGraph(async ({ graph }) => {
        const says = (names: readonly number[]) =>
          source('large', { passages: names.map((n) => passage(`p${n}`, { order: n >> 11, titles: [`T${n}`] })) });
        const all = [...Array(2500).keys()];
        await graph.ingestManifest(says(all));
        await graph.ingestManifest(source('other', { passages: [passage('kept', {})] }));
        const delta = await graph.ingestManifest(says(all.filter((n) => n % 5 !== 0)));
        expect(delta.passages).toBe(2000);
        expect(delta.removed).toEqual(all.flatMap((n) => (n % 5 === 0 ? [`d:p${n}`] : [])).sort());
        expect(await graph.getDomain(D)).toMatchObject({ passages: 2001 });
      }),
    );

    it(
      'that append add to what they asserted',
      withGraph(async ({ graph }) => {
        const turn = (n: number, more: object = {}) =>
          source('s', {
            append: true,
            passages: [passage(`m${n}`, { order: n, titles: [`T${n}`] })],
            content_hash: String(n),
            ...more,
          });
        await graph.ingestManifest(turn(0, { concepts: [{ name: 'A', description: 'old', confidence: 0.5 }] }));
        const delta = await graph.ingestManifest(
          turn(1, { concepts: [{ name: 'A', description: 'new', confidence: 0.5 }, { name: 'B' }] }),
        );
        expect(delta).toMatchObject({
          changed: [id('A'), id('B'), 'd:m1'].sort(),
          removed: [],
          concepts: 2,
          passages: 2,
        });
        await graph.ingestManifest(turn(2, { concepts: [{ name: 'A', description: 'weaker', confidence: 0.4 }] }));
        expect((await graph.getNode(id('A')))?.description).toBe('new');
        expect((await graph.sourcePassages(delta.source_id)).map((record) => record.id)).toEqual([
          'd:m0',
          'd:m1',
          'd:m2',
        ]);
        const version = await graph.version();
        expect(await graph.ingestManifest(turn(1, { concepts: [{ name: 'B' }] }))).toMatchObject({
          unchanged: true,
          changed: [],
        });
        expect(await graph.version()).toBe(version);
        expect(await graph.listSources()).toMatchObject([{ passages: 3, concepts: 2 }]);
      }),
    );

    it(
      'that append lose the passages that they say they do without, and no others',
      withGraph(async ({ graph }) => {
        const says = (key: string, more: object) => source(key, { append: true, ...more });
        const [m0, m1, m2] = [0, 1, 2].map((n) => passage(`m${n}`, { order: n, titles: [`T${n}`] }));
        const { source_id } = await graph.ingestManifest(says('s', { passages: [m0, m1, m2] }));
        await graph.ingestManifest(source('b', { passages: [passage('o', {})], concepts: [{ id: 'c', name: 'C' }] }));
        await graph.setMentions(D, [{ id: 'd:m1', mentions: mentions('Rome', 'T2') }]);
        const text = { ...m0!, text: 'Another text.', sentences: [[0, 13]] };
        const again = says('s', { passages: [text], without: ['d:m0', 'd:m1', 'd:none', 'd:o', 'd:c', 'd:m1'] });
        const delta = await graph.ingestManifest(again);
        expect(delta).toMatchObject({
          unchanged: false,
          changed: ['d:m0'],
          removed: ['d:m1'],
          keys: ['t1'],
          passages: 2,
          concepts: 0,
        });
        expect((await graph.sourcePassages(source_id)).map((record) => record.id)).toEqual(['d:m0', 'd:m2']);
        expect((await graph.findNodes({})).map((node) => node.id)).toEqual(['d:c', 'd:m0', 'd:m2', 'd:o']);
        expect(await graph.getDomain(D)).toMatchObject({ passages: 3, concept_count: 1 });
        const version = await graph.version();
        expect(await graph.ingestManifest(again)).toMatchObject({ unchanged: true, removed: [] });
        expect(await graph.version()).toBe(version);
        // Nothing else is reported: losing a passage is a change by itself.
        const less = await graph.ingestManifest(says('s', { without: ['d:m2'] }));
        expect(less).toMatchObject({ unchanged: false, removed: ['d:m2'], passages: 1 });
      }),
    );

    it(
      'go in together, all or none',
      withGraph(async ({ graph }) => {
        const rows = Array.from({ length: 5 }, (_, i) =>
          source(`row${i}`, {
            concepts: [{ id: `r${i}`, name: `Row ${i}` }],
            edges: [{ source: `r${i}`, target: 'r0', relation: 'BELONGS_TO' }],
          }),
        );
        const deltas = await graph.ingestManifests([...rows, source('x', { domain: 'e', concepts: [{ name: 'X' }] })]);
        expect(deltas.map((delta) => delta.changed)).toEqual([
          ['d:r0'],
          ['d:r1'],
          ['d:r2'],
          ['d:r3'],
          ['d:r4'],
          [id('X', 'e')],
        ]);
        expect(deltas.map((delta) => delta.edges)).toEqual([1, 1, 1, 1, 1, 0]);
        expect(await graph.statistics()).toMatchObject({ domains: 2, concepts: 6, edges: 5 });
        const again = await graph.ingestManifests([
          ...rows,
          source('row0', { concepts: [{ id: 'r0', name: 'Zero' }] }),
        ]);
        expect(again.map((delta) => delta.unchanged)).toEqual([true, true, true, true, true, false]);
        expect((await graph.getNode('d:r0'))?.name).toBe('Zero');
        const bad = [source('n', { concepts: [{ name: 'New' }] }), source('p', { passages: [passage('r0', {})] })];
        expect((await error(graph.ingestManifests(bad))).code).toBe('conflict');
        expect(await graph.getNode(id('New'))).toBeNull();
      }),
    );

    it(
      'report together what changed of a thing that an unchanged one asserts too',
      withGraph(async ({ graph }) => {
        const sure = (description: string) => source('a', { concepts: [{ name: 'X', description }] });
        const unsure = source('b', { concepts: [{ name: 'X', confidence: 0.5 }] });
        await graph.ingestManifests([sure('old'), unsure]);
        const deltas = await graph.ingestManifests([sure('new'), unsure]);
        expect(deltas.map(({ unchanged, changed }) => ({ unchanged, changed }))).toEqual([
          { unchanged: false, changed: [id('X')] },
          { unchanged: true, changed: [] },
        ]);
      }),
    );

    it(
      'have keys that are read by prefix, in pages, by domain and key',
      withGraph(async ({ graph }) => {
        const last = '\u{10ffff}';
        const keys = [
          'db/a',
          'db/a!/1',
          'db/a/',
          'db/a/1',
          'db/a/2',
          `db/a/${last}1`,
          'db/a/\u{ffee}',
          'db/a/\u{10000}',
          'db/a0',
          'db/b/1',
          'DB/a/1',
        ];
        for (const key of keys) await graph.ingestManifest(source(key, { concepts: [{ name: key }] }));
        await graph.ingestManifest(source('db/a/1', { domain: 'other', concepts: [{ name: 'X' }] }));
        const of = { kind: 'structured', prefix: 'db/a/', limit: 100 } as const;
        const sorted = ['db/a/', 'db/a/1', 'db/a/2', 'db/a/\u{ffee}', 'db/a/\u{10000}', `db/a/${last}1`];
        const expected = sorted.map((key) => ({ domain: D, key }));
        const all = await graph.sourceKeys(of);
        expect(all).toMatchObject([...expected, { domain: 'other', key: 'db/a/1' }]);
        expect(await graph.existingSources(all.map((found) => found.source_id))).toMatchObject({ size: 7 });
        expect(await graph.sourceKeys({ ...of, domain: D })).toEqual(all.slice(0, 6));
        expect(await graph.sourceKeys({ ...of, domain: D, after: all[4] })).toEqual([all[5]]);
        expect(await graph.sourceKeys({ ...of, prefix: 'none/' })).toEqual([]);
        await expect(graph.sourceKeys({ ...of, prefix: 'db' })).rejects.toThrow('slash');
        for (let at = 0; at < all.length; at += 1) {
          expect(await graph.sourceKeys({ ...of, after: all[at], limit: 2 })).toEqual(all.slice(at + 1, at + 3));
        }
        expect(await graph.sourceKeys({ ...of, kind: 'row' })).toEqual([]);
        expect(await graph.sourceKeys({ ...of, domain: 'absent' })).toEqual([]);
      }),
    );

    it(
      'are listed with what exists because of them, filtered and paged',
      withGraph(async ({ graph }) => {
        for (const key of ['db/a/1', 'db/a/2', 'db/b/1'])
          await graph.ingestManifest(source(key, { concepts: [{ name: key }] }));
        await graph.ingestManifest(source('db/a/1', { domain: 'e', concepts: [{ name: 'X' }] }));
        const named = await graph.listSources({ kind: 'structured', key: 'db/a/1' });
        expect(named.map((found) => found.domain).sort()).toEqual([D, 'e'].sort());
        expect(await graph.listSources({ kind: 'structured', key: 'db/a/' })).toEqual([]);
        const ids = named.map((found) => found.source_id);
        expect([...(await graph.existingSources([...ids, 'absent']))].sort()).toEqual(ids.sort());
        expect(await graph.existingSources([])).toEqual(new Set());
        expect(await graph.listSources({ kind: 'file' })).toEqual([]);
        const all = await graph.listSources();
        expect(all.map((found) => found.source_id)).toEqual(all.map((found) => found.source_id).sort());
        const page = await graph.listSources({ limit: 2 });
        expect([...page, ...(await graph.listSources({ after: page[1]!.source_id }))]).toEqual(all);
        for (const domains of [['e', D], [D], ['e', 'absent'], []]) {
          const allowed = all.filter(({ domain }) => domains.includes(domain));
          expect(await graph.listSources({ domains })).toEqual(allowed);
          expect(await graph.listSources({ domains, domain: 'e' })).toEqual(
            allowed.filter(({ domain }) => domain === 'e'),
          );
          for (const limit of [1, 2, 3, 4, 5]) {
            expect(await graph.listSources({ domains, limit })).toEqual(allowed.slice(0, limit));
            const after = allowed[0]?.source_id ?? '';
            expect(await graph.listSources({ domains, limit, after })).toEqual(allowed.slice(1, limit + 1));
          }
        }
        expect(all[0]).toMatchObject({ kind: 'structured', concepts: 1, edges: 0, rules: 0, passages: 0 });
        expect(all[0]?.label).toBe(`source ${all[0]?.key}`);
        expect(Date.parse(all[0]!.updated_at)).toBeGreaterThan(0);
      }),
    );

    it(
      'when forgotten take what they alone asserted',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', {
            concepts: [{ name: 'Both' }, { name: 'Mine' }],
            passages: [passage('p', { titles: ['Title'] })],
          }),
        );
        await graph.ingestManifest(source('b', { concepts: [{ name: 'Both' }], passages: [passage('q', {})] }));
        await graph.setMentions(D, [{ id: 'd:q', mentions: mentions('Title') }]);
        const a = (await graph.listSources()).find((found) => found.key === 'a')!;
        expect(await graph.sourceConcepts(a.source_id)).toEqual([id('Both'), id('Mine')].sort());
        const b = (await graph.listSources()).find((found) => found.key === 'b')!;
        const ids = [id('Mine'), id('Both'), 'd:p', 'd:q', 'd:absent'];
        const sources = await graph.nodeSources(ids);
        expect([...sources.keys()].sort()).toEqual([id('Mine'), id('Both'), 'd:p', 'd:q'].sort());
        expect([sources.get(id('Mine')), sources.get('d:p')]).toEqual([
          { source_id: a.source_id, label: a.label },
          { source_id: a.source_id, label: a.label },
        ]);
        expect(sources.get('d:q')).toEqual({ source_id: b.source_id, label: b.label });
        // Both say the same with the same confidence: the newer assertion is visible.
        expect(sources.get(id('Both'))?.source_id).toBe(b.source_id);
        const delta = await graph.forgetSource(a.source_id, { rematched: [{ id: 'd:q', mentions: [] }] });
        expect(delta).toMatchObject({
          source_id: a.source_id,
          unchanged: false,
          changed: [],
          removed: [id('Mine'), 'd:p'].sort(),
          keys: ['mine', 'title'],
        });
        expect((await graph.findNodes({ domain: D })).map((node) => node.name).sort()).toEqual(['', 'Both']);
        expect(await graph.forgetSource(a.source_id)).toBeNull();
        expect(await graph.sourceConcepts(a.source_id)).toEqual([]);
        expect(await graph.lookupKeys([D], ['title', 'mine'])).toEqual([]);
        expect((await graph.getDomain(D))?.passages).toBe(1);
      }),
    );
  });
}
