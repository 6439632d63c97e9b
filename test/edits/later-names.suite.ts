import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { conceptId } from '../../src/core/ids.js';
import { type EachEnvironment, openService, snapshot, type TestService } from '../service/harness.js';

const DOMAIN = 'names';
let test: TestService;
const id = (name: string) => conceptId(DOMAIN, name);

async function edit(body: object): Promise<string> {
  const answer = await test.post('/v1/edits', { domain: DOMAIN, ...body });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body.edit_id;
}

async function structured(source_id: string, batch: object): Promise<void> {
  const answer = await test.post('/v1/ingest/structured', { domain: DOMAIN, source_id, concepts: [], ...batch });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
}

const world = () =>
  structured('letters', {
    concepts: ['Alpha', 'Beta', 'Gamma'].map((name) => ({ name, description: `The letter ${name}.` })),
    edges: [{ source: 'Alpha', target: 'Beta', relation: 'REQUIRES' }],
  });
const rename = () => edit({ type: 'change_concept', id: id('Alpha'), name: 'Omega' });

/** What comes after the rename: a text and a message that mention the new name, and facts about a concept of that name. */
async function mention(): Promise<void> {
  const text = 'The last letter is Omega. Beta stands before Omega, and Alpha is its former name.';
  await test.post('/v1/ingest/text', { domain: DOMAIN, name: 'later', text });
  await test.post('/v1/ingest/message', { domain: DOMAIN, session_id: 'talk', text: 'Omega is late, said Beta.' });
}
const facts = () =>
  structured('facts', {
    concepts: [{ name: 'Omega', description: 'Said later.' }],
    edges: [
      { source: 'omega', target: 'Gamma', relation: 'FOLLOWS' },
      { source: 'Gamma', target: 'Alpha', relation: 'KNOWS' },
    ],
    rules: [{ text: 'Write Omega last.', concepts: ['Omega'] }],
  });

const edges = async () => (await test.service.graph.getEdges({ domain: DOMAIN })).map((edge) => edge.id).sort();
const nodes = async () =>
  (await test.service.graph.findNodes({ domain: DOMAIN, limit: 1000 }))
    .filter(({ kind }) => kind !== 'passage')
    .map(({ id: node, name }) => [node, name])
    .sort();

/** What sources call by the new name of a concept leads to it, as its former name does. */
export function laterNamesSuite(name: string, environment: EachEnvironment): void {
  describe(`what comes after a concept was given another name, on ${name}`, () => {
    beforeEach(async () => {
      test = await openService(environment);
      await world();
    });
    afterEach(() => test.close());

    it('leads to it where a text mentions the new name or the former one', async () => {
      await rename();
      const before = await nodes();
      await mention();
      expect(await nodes()).toEqual(before);
      const { graph } = test.service;
      const infos = await graph.lookupKeys([DOMAIN], ['alpha', 'omega']);
      expect(infos.map(({ key, about }) => [key, about])).toEqual([
        ['alpha', [id('Alpha')]],
        ['omega', [id('Alpha')]],
      ]);
      const { entities } = await graph.expand([id('Alpha')], { domains: [DOMAIN], linkLimit: 100 });
      expect(entities.map(({ entity }) => entity)).not.toContain(id('Omega'));
      const { body } = await test.post('/v1/explore', { node_id: id('Alpha') });
      expect(JSON.stringify(body)).toContain('Omega is late');
    });

    it('is as if it had come before', async () => {
      await rename();
      await mention();
      const after = await snapshot(test, DOMAIN);
      const { body } = await test.post('/v1/query', { context: 'What is said of Omega?', domains: [DOMAIN] });
      await test.close();
      test = await openService(environment);
      await world();
      await mention();
      await rename();
      expect(await snapshot(test, DOMAIN)).toEqual(after);
      const other = await test.post('/v1/query', { context: 'What is said of Omega?', domains: [DOMAIN] });
      const scores = ({ items }: { items: Array<{ id: string; score: number }> }) => items.map((i) => [i.id, i.score]);
      expect(scores(other.body)).toEqual(scores(body));
    });

    it('is as near to it in PageRank as what mentions the former name, and is as without the new name once that is undone', async () => {
      const around = async () => {
        const { graph } = test.service;
        const { scores } = await graph.personalizedPagerank([id('Alpha')], { domains: [DOMAIN], epsilon: 0 });
        return Object.fromEntries([...scores].map(([node, score]) => [node, Number(score.toFixed(9))]));
      };
      const say = (word: string) =>
        test.post('/v1/ingest/text', {
          domain: DOMAIN,
          name: word,
          format: 'markdown',
          text: `# First\n\nNobody wrote ${word} here.\n\n# Second\n\nNobody sang ${word} there.`,
        });
      await say('Alpha');
      const edited = await rename();
      await say('Omega');
      const scores = await around();
      const passages = (await test.service.graph.findNodes({ domain: DOMAIN })).filter(
        ({ kind }) => kind === 'passage',
      );
      expect(passages).toHaveLength(4);
      for (const passage of passages) expect([passage.name, scores[passage.id]! > 0.01]).toEqual([passage.name, true]);
      await test.delete(`/v1/edits/${edited}`);
      const after = await around();
      await test.close();
      test = await openService(environment);
      await world();
      await say('Alpha');
      await say('Omega');
      expect(after).toEqual(await around());
    });

    it('is about it where it is a concept of the new name, with its edges and rules', async () => {
      await rename();
      await facts();
      expect((await nodes()).map(([node]) => node)).toEqual([id('Alpha'), id('Beta'), id('Gamma')].sort());
      const { graph } = test.service;
      expect(await graph.getNode(id('Alpha'))).toMatchObject({ name: 'Omega', description: 'The letter Alpha.' });
      expect(await edges()).toEqual(
        [
          `${id('Alpha')}|REQUIRES|${id('Beta')}`,
          `${id('Alpha')}|FOLLOWS|${id('Gamma')}`,
          `${id('Gamma')}|KNOWS|${id('Alpha')}`,
        ].sort(),
      );
      const touching = await graph.getRules({ concept_ids: [id('Alpha')], include_derived: false });
      expect(touching.map(({ text }) => text)).toEqual(['Write Omega last.']);
    });

    it('stands by itself once the new name is undone, or changed again, as if it had never been given', async () => {
      const first = await rename();
      await facts();
      await mention();
      const second = await edit({ type: 'change_concept', id: id('Alpha'), name: 'Psi' });
      expect(await test.service.graph.getNode(id('Omega'))).toMatchObject({ kind: 'concept', name: 'Omega' });
      const { status } = await test.delete(`/v1/edits/${second}`);
      expect([status, await test.service.graph.getNode(id('Omega'))]).toEqual([200, null]);
      await test.delete(`/v1/edits/${first}`);
      const after = await snapshot(test, DOMAIN);
      await test.close();
      test = await openService(environment);
      await world();
      await facts();
      await mention();
      expect(after).toEqual(await snapshot(test, DOMAIN));
    });

    it('is a concept of its own while the renamed one is forgotten', async () => {
      await rename();
      await facts();
      const { documents } = (await test.get(`/v1/documents?domain=${DOMAIN}`)).body;
      const { source_id } = documents.find(({ label }: { label: string }) => label === 'letters');
      await test.delete(`/v1/documents/${source_id}`);
      expect(await nodes()).toEqual([[id('Omega'), 'Omega']]);
      await world();
      expect((await nodes()).map(([node]) => node)).toEqual([id('Alpha'), id('Beta'), id('Gamma')].sort());
    });

    it('leads to it by its id too, for as long as it is asserted', async () => {
      await rename();
      await structured('ids', { edges: [{ source: id('Omega'), target: 'Beta', relation: 'CITES' }] });
      expect(await edges()).toEqual([`${id('Alpha')}|REQUIRES|${id('Beta')}`]);
      await facts();
      expect(await edges()).toContain(`${id('Alpha')}|CITES|${id('Beta')}`);
      await structured('facts', {});
      expect(await edges()).toEqual([`${id('Alpha')}|REQUIRES|${id('Beta')}`]);
    });

    it('goes where the renamed concept is merged into', async () => {
      await rename();
      const merge = await edit({ type: 'merge', from_id: id('Alpha'), into_id: id('Gamma') });
      await facts();
      await structured('more', { edges: [{ source: 'Omega', target: 'Beta', relation: 'USES' }] });
      const into = id('Gamma');
      expect(await edges()).toEqual([
        `${into}|FOLLOWS|${into}`,
        `${into}|KNOWS|${into}`,
        `${into}|REQUIRES|${id('Beta')}`,
        `${into}|USES|${id('Beta')}`,
      ]);
      await test.delete(`/v1/edits/${merge}`);
      expect(await edges()).toContain(`${id('Alpha')}|USES|${id('Beta')}`);
      expect(await test.service.graph.getNode(id('Omega'))).toBeNull();
    });
  });
}
