import { describe, expect, it } from '@jest/globals';
import { nameKey } from '../../../src/core/text/keys.js';
import { D, error, id, mentions, passage, source, type With } from './fixture.js';

export function passagesContract(withGraph: With): void {
  describe('passages', () => {
    it(
      'keep their text, sentences, order, about-keys and message',
      withGraph(async ({ graph }) => {
        const message = { session_id: 's', role: 'user', speaker: 'Ann', turn: 3 };
        const given = passage('p', {
          titles: ['Paris'],
          text: 'One. Two.',
          sentences: [
            [0, 4],
            [5, 9],
          ],
          order: 7,
          message,
        });
        const delta = await graph.ingestManifest(source('a', { passages: [given] }));
        expect(delta).toMatchObject({ changed: ['d:p'], passages: 1, concepts: 0, keys: ['paris'] });
        const node = await graph.getNode('d:p');
        expect(node).toMatchObject({ kind: 'passage', name: 'Paris', description: 'One. Two.', confidence: 1 });
        expect(node?.passage).toEqual({
          source_id: delta.source_id,
          order: 7,
          sentences: given.sentences,
          about: given.about,
          message,
        });
        expect(await graph.getDomain(D)).toMatchObject({ passages: 1, concept_count: 0 });
        expect(await graph.passageRecords(['d:none', 'd:p'])).toEqual([
          {
            id: 'd:p',
            source_id: delta.source_id,
            title: 'Paris',
            text: 'One. Two.',
            sentences: given.sentences,
            about: given.about,
            mentions: [],
          },
        ]);
        expect((await graph.sourcePassages(delta.source_id)).map((record) => record.id)).toEqual(['d:p']);
      }),
    );

    it(
      'belong to one source: an id of another is a conflict, and nothing is written',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(source('a', { passages: [passage('p', {})], concepts: [{ id: 'c', name: 'C' }] }));
        const version = await graph.version();
        expect((await error(graph.ingestManifest(source('b', { passages: [passage('p', {})] })))).code).toBe(
          'conflict',
        );
        expect((await error(graph.ingestManifest(source('b', { passages: [passage('c', {})] })))).code).toBe(
          'conflict',
        );
        expect((await error(graph.ingestManifest(source('b', { concepts: [{ id: 'p', name: 'P' }] })))).code).toBe(
          'conflict',
        );
        expect(
          (await error(graph.ingestManifest(source('b', { passages: [{ ...passage('q', {}), id: 'e:q' }] })))).code,
        ).toBe('invalid_input');
        expect(await graph.version()).toBe(version);
        expect(await graph.listSources()).toHaveLength(1);
      }),
    );

    it(
      'keep their mentions while their text stays, and lose them with it',
      withGraph(async ({ graph }) => {
        const first = [passage('p', { text: 'Old.' }), passage('q', { text: 'Stays.' })];
        await graph.ingestManifest(source('a', { passages: first }));
        await graph.setMentions(D, [
          { id: 'd:p', mentions: mentions('Rome') },
          { id: 'd:q', mentions: mentions('NASA') },
        ]);
        const delta = await graph.ingestManifest(
          source('a', { passages: [passage('p', { text: 'New.' }), passage('q', { text: 'Stays.', order: 5 })] }),
        );
        expect(delta.changed).toEqual(['d:p']);
        const [p, q] = await graph.passageRecords(['d:p', 'd:q']);
        expect(p?.mentions).toEqual([]);
        expect(q?.mentions).toEqual(mentions('NASA'));
        expect(await graph.getNode(id('Rome'))).toBeNull();
        expect(await graph.getNode(id('nasa'))).toMatchObject({ kind: 'entity', name: 'NASA' });
      }),
    );
  });

  describe('mentions', () => {
    it(
      'make bare entities that live as long as something mentions them',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(source('a', { passages: [passage('p', {})] }));
        await graph.ingestManifest(source('b', { passages: [passage('o', {})] }));
        await graph.setMentions(D, [{ id: 'd:p', mentions: mentions('NEW york', 'Rome') }]);
        expect(await graph.getNode(id('New York'))).toMatchObject({
          kind: 'entity',
          name: 'NEW york',
          description: '',
          confidence: 0.6,
        });
        await graph.setMentions(D, [
          { id: 'd:o', mentions: mentions('New York') },
          { id: 'd:none', mentions: mentions('Oslo') },
        ]);
        expect((await graph.getNode(id('New York')))?.name).toBe('New York');
        expect((await graph.getDomain(D))?.concept_count).toBe(2);
        expect(await graph.passagesMentioning(D, ['new york', 'rome', 'oslo'])).toEqual(['d:o', 'd:p']);
        const a = (await graph.listSources()).find((found) => found.key === 'a')!;
        expect(a).toMatchObject({ concepts: 2, passages: 1 });
        const delta = await graph.forgetSource(a.source_id);
        expect(delta).toMatchObject({ removed: ['d:p'], changed: [] });
        expect(await graph.getNode(id('Rome'))).toBeNull();
        await graph.setMentions(D, [{ id: 'd:o', mentions: [] }]);
        expect((await graph.getDomain(D))?.concept_count).toBe(0);
      }),
    );

    it(
      'point to the concept of that name while there is one',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(source('a', { passages: [passage('p', {})] }));
        await graph.setMentions(D, [{ id: 'd:p', mentions: mentions('Jay Z', 'Rome') }]);
        const delta = await graph.ingestManifest(
          source('b', { concepts: [{ name: 'Jay-Z' }, { name: 'rome', description: 'a town' }] }),
        );
        expect(delta).toMatchObject({ changed: [id('Jay-Z'), id('Rome')].sort(), keys: ['jay z', 'rome'] });
        expect((await graph.findNodes({ kind: 'entity' })).length).toBe(0);
        expect((await graph.getDomain(D))?.concept_count).toBe(2);
        const { entities } = await graph.expand(['d:p']);
        expect(entities.map((ref) => [ref.key, ref.entity])).toEqual([
          ['jay z', id('Jay-Z')],
          ['rome', id('rome')],
        ]);
        const b = (await graph.listSources()).find((found) => found.key === 'b')!;
        const forgotten = await graph.forgetSource(b.source_id);
        expect(forgotten).toMatchObject({
          changed: [],
          removed: [id('Jay-Z'), id('Rome')].sort(),
          keys: ['jay z', 'rome'],
        });
        const entity = await graph.findNodes({ kind: 'entity' });
        expect(entity.map((node) => node.name).sort()).toEqual(['Jay Z', 'Rome']);
      }),
    );

    it(
      'with a manifest take effect at once, of rematched passages too',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', { passages: [{ ...passage('p', {}), mentions: mentions('Rome', 'Rome') }] }),
        );
        await graph.ingestManifest(
          source('b', {
            passages: [passage('q', { titles: ['Rome'] })],
            rematched: [{ id: 'd:p', mentions: mentions('Rome') }],
          }),
        );
        const { out } = await graph.expand(['d:p']);
        expect(out).toEqual([{ from: 'd:p', to: 'd:q', key: 'rome', sentence: 0, token: 0, length: 1, weight: 1 }]);
      }),
    );
  });

  describe('keys', () => {
    it(
      'report titles, aliases, passages and what is about them',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', {
            passages: [
              passage('p1', { aliases: ['Bob'] }),
              passage('p2', { aliases: ['Bob'] }),
              passage('p3', { titles: ['Rome'], aliases: ['Rome'] }),
            ],
          }),
        );
        await graph.setMentions(D, [{ id: 'd:p3', mentions: mentions('Bob', 'Bob') }]);
        expect(await graph.lookupKeys([D], ['bob', 'rome', 'none'])).toEqual([
          { domain: D, key: 'bob', titles: 0, aliases: 2, documentFrequency: 3, about: ['d:p1', 'd:p2'] },
          { domain: D, key: 'rome', titles: 1, aliases: 0, documentFrequency: 1, about: ['d:p3'] },
        ]);
        expect([...(await graph.activeKeys(D, ['bob', 'rome', 'none']))].sort()).toEqual(['bob', 'rome']);
      }),
    );

    it(
      'an alias yields to a title and to a fourth passage that shares it',
      withGraph(async ({ graph }) => {
        const shared = (n: number) => source(`s${n}`, { passages: [passage(`p${n}`, { aliases: ['Bob'] })] });
        expect((await graph.ingestManifest(shared(1))).keys).toEqual(['bob']);
        expect((await graph.ingestManifest(shared(2))).keys).toEqual([]);
        await graph.ingestManifest(shared(3));
        expect((await graph.ingestManifest(shared(4))).keys).toEqual(['bob']);
        expect(await graph.lookupKeys(undefined, ['bob'])).toMatchObject([
          { aliases: 4, documentFrequency: 0, about: [] },
        ]);
        const title = await graph.ingestManifest(source('t', { concepts: [{ name: 'Bob' }] }));
        expect(title.keys).toEqual(['bob']);
        expect(await graph.lookupKeys([D], ['bob'])).toMatchObject([{ titles: 1, aliases: 4, about: [id('Bob')] }]);
      }),
    );

    it(
      'of one domain say nothing about another',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(source('a', { passages: [passage('p', { titles: ['Rome'] })] }));
        await graph.ingestManifest(
          source('a', { domain: 'e', passages: [passage('p', { titles: ['Rome'], domain: 'e' })] }),
        );
        await graph.setMentions('e', [
          { id: 'd:p', mentions: mentions('Oslo') },
          { id: 'e:p', mentions: mentions('Oslo') },
        ]);
        expect(await graph.passagesMentioning(D, ['oslo'])).toEqual([]);
        expect((await graph.lookupKeys(undefined, ['rome'])).map((info) => info.domain)).toEqual([D, 'e']);
        expect(await graph.activeKeys('none', ['rome'])).toEqual(new Set());
      }),
    );
  });

  describe('expansion', () => {
    it(
      'answers links with their places, inlinks, entities and rare passages',
      withGraph(async ({ graph }) => {
        await graph.ingestManifest(
          source('a', {
            passages: [
              passage('p', {}),
              passage('q', { titles: ['Rome'] }),
              passage('r', { titles: ['Rome'] }),
              passage('s', { titles: ['Oslo'] }),
            ],
          }),
        );
        await graph.setMentions(D, [
          { id: 'd:p', mentions: mentions('Rome', 'Oslo', 'Rome') },
          { id: 'd:q', mentions: mentions('Oslo') },
        ]);
        const { out, in: into, inlinks, entities, shared } = await graph.expand(['d:p', 'd:s'], { incoming: true });
        expect(out.map((link) => [link.from, link.to, link.token, link.weight])).toEqual([
          ['d:p', 'd:q', 0, 0.5],
          ['d:p', 'd:q', 2, 0.5],
          ['d:p', 'd:r', 0, 0.5],
          ['d:p', 'd:r', 2, 0.5],
          ['d:p', 'd:s', 1, 1],
        ]);
        expect(into.map((link) => [link.from, link.to, link.key])).toEqual([
          ['d:p', 'd:s', 'oslo'],
          ['d:q', 'd:s', 'oslo'],
        ]);
        expect([...inlinks].sort()).toEqual([
          ['d:p', 0],
          ['d:q', 1],
          ['d:r', 1],
          ['d:s', 2],
        ]);
        expect(entities.map((ref) => [ref.node, ref.key, ref.documentFrequency, ref.title])).toEqual([
          ['d:p', 'oslo', 3, false],
          ['d:p', 'rome', 3, false],
          ['d:s', 'oslo', 3, true],
        ]);
        expect(shared.get(id('Oslo'))).toEqual(['d:p', 'd:q', 'd:s']);
        expect((await graph.expand(['d:p', 'd:s'])).in).toEqual([]);
        const limited = await graph.expand(['d:p', 'd:s'], { linkLimit: 1, incoming: true });
        expect(new Set(limited.out.map((link) => link.to)).size).toBe(1);
        expect(limited.in).toHaveLength(1);
      }),
    );

    it(
      'makes no links over a key that too many are about',
      withGraph(async ({ graph }) => {
        const many = Array.from({ length: 51 }, (_, i) => passage(`t${i}`, { titles: ['Introduction'] }));
        await graph.ingestManifest(source('a', { passages: [...many, passage('p', {})] }));
        await graph.setMentions(D, [{ id: 'd:p', mentions: mentions('Introduction') }]);
        expect((await graph.expand(['d:p', 'd:t0'])).out).toEqual([]);
        const [info] = await graph.lookupKeys([D], [nameKey('Introduction')]);
        expect(info).toMatchObject({ titles: 51, documentFrequency: 52 });
        expect(info?.about).toHaveLength(50);
      }),
    );
  });
}
