import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openService, type TestService } from './harness.js';

let test: TestService;
beforeAll(async () => {
  test = await openService();
});
afterAll(() => test.close());

const nodesAfter = async (domain: string, text: string) => {
  await test.post('/v1/ingest/text', { domain, text, name: 'page', format: 'text' });
  const nodes = await test.service.graph.findNodes({ domain, kind: 'entity' });
  return nodes.map(({ name }) => name).sort();
};

it.each([
  [
    'German',
    'Die Hausverwaltung kümmert sich um das Treppenhaus. Der Mietvertrag regelt die Kaution. Zum Betrieb gehört auch das Lager.',
    ['Betrieb', 'Hausverwaltung', 'Kaution', 'Lager', 'Mietvertrag', 'Treppenhaus'],
  ],
  ['French', 'La Régie gère les baux pour la ville. Le Contrat est signé par la Régie.', ['Contrat', 'Régie']],
  [
    'Spanish',
    'El Contrato de Alquiler regula la fianza. La Comisión lo aprueba.',
    ['Comisión', 'Contrato de Alquiler'],
  ],
  ['Italian', 'Il Comune ha approvato il bilancio della città. Il Sindaco era con loro.', ['Comune', 'Sindaco']],
])('names in %s text stand without the article that opens a sentence', async (language, text, names) => {
  expect(await nodesAfter(language.toLowerCase(), text)).toEqual(names);
});

it('names with an article of another language keep it in English text, and "The" goes', async () => {
  const text = 'It often rains in The Hague. She moved to Los Angeles. He reads Der Spiegel from Hamburg.';
  expect(await nodesAfter('english', text)).toEqual(['Der Spiegel', 'Hague', 'Hamburg', 'Los Angeles']);
});

it('a title with its article is found as it is written', async () => {
  const [title, text] = ['Die Zeit', 'Die Zeit ist eine Zeitung, die in Hamburg erscheint.'];
  await test.post('/v1/ingest/text', { domain: 'titles', text, name: title, format: 'text' });
  await test.post('/v1/ingest/text', {
    domain: 'titles',
    text: 'Frau Keller liest jeden Tag, was in der Stadt geschieht, und Die Zeit liegt auch auf dem Tisch.',
    name: 'leser',
    format: 'text',
  });
  const { body } = await test.post('/v1/query', { context: 'Was steht in Die Zeit?', domains: ['titles'] });
  const [first] = body.items;
  expect(first.content).toContain('Die Zeit ist eine Zeitung');
  const { neighbors } = (await test.post('/v1/explore', { node_id: first.id })).body;
  expect(neighbors.map(({ name }: { name: string }) => name)).toContain('leser');
});
