import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import type { Why } from '../../src/retrieval/present/explain.js';

const NOTES: Readonly<Record<string, string>> = {
  'Projects/Kitchen Move.md':
    '# Kitchen Move\n\nThe kitchen goes to the first floor.\n\n## Week 1\n- [x] order the tiles for the Kitchen Move\n- [x] open the wall, still dusty\n\n## Week 2\n- [ ] call the plumber\n- [x] choose the lamp\n\n## Ended\n- [x] measure the room',
  'Projects/Garden Shed.md': '# Garden Shed\n\nA shed of larch.\n\n## Tasks\n- [ ] buy screws\n- [x] pour the floor',
  'Daily/2026-11-05.md': '## Log\n- [x] Kitchen Move: pay the tiler\n- [x] Garden Shed: ask the neighbour',
  'Daily/2026-11-06.md': '## Log\n- [ ] Kitchen Move: book the electrician\n- [x] Garden Shed: paint',
  'Daily/2026-11-07.md': '## Log\nThe shop is still open on Sundays.',
  'Shops.md': '# Bakery Brunner\n\nIt opens at six. On Sunday it is open until noon.',
  'Errands.md': '# Errands\n- [ ] order the cake of the bakery Brunner for Sunday\n- [x] pay',
  'Software.md': '# Software\n\nThe price of the planner Todo is 4 euros a month.',
  'Planner.md': '# Planner\n- [ ] compare the price of a month',
  'Laden.md': '# Blumenladen Veit\n\nAm Sonntag ist er bis zwölf Uhr offen.',
  'Vacancies.md': '# Vacancies\n\nThe jobs of the Hotel Fjell that are open: a cook and a porter.',
  'Hiring.md': '# Hiring\n- [ ] ask the Hotel Fjell which jobs it has\n- [x] write the letter',
  'Oslo.md': '# Oslo\n\nVisitors of Oslo see the opera and the ski museum. En Oslo: la ópera. A Oslo: l’opera.',
  'Stock.md': '# Stock\n\nRemaining items of the Lamp Sund in stock: fourteen.',
  'Order.md': '# Order\n- [ ] ask for items of the Lamp Sund\n- [x] call',
  'Trip.md': '# Trip\n- [ ] Oslo: buy the tickets for the train\n- [x] Oslo: book the hotel',
  'Precios.md': '# Precios\n\nLa aplicación To-do cuesta 4 euros al mes. A app To-do custa 4 euros por mês.',
  'Planes.md': '# Planes\n- [ ] cuánto cuesta la aplicación al mes\n- [ ] ver a app por mês',
  'Besorgungen.md': '# Besorgungen\n- [ ] am Sonntag Tulpen vom Blumenladen Veit holen',
};

describe('a question for what is still to be done', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('none');
    for (const [name, text] of Object.entries(NOTES))
      await world.ingest.uploaded({ name, bytes: Buffer.from(text) }, { domain: 'd' });
  });
  afterAll(() => world.close());

  const asked = async (context: string) =>
    (await world.retrieval.query({ context, domains: ['d'], mode: 'auto', top_k: 8 })).items;

  it.each([
    'What is still open for the Kitchen Move?',
    'Which tasks are left for the Kitchen Move?',
    'What is left to do for the Kitchen Move?',
    'Open tasks of the Kitchen Move',
    'Was ist beim Kitchen Move noch zu erledigen?',
    'Welche Aufgaben sind noch offen beim Kitchen Move?',
    'Que reste-t-il à faire pour le Kitchen Move ?',
    '¿Qué tareas pendientes hay del Kitchen Move?',
    'Quali attività sono ancora aperte per Kitchen Move?',
    'What is there to do for the Kitchen Move?',
    'Wat is er nog te doen voor de Kitchen Move?',
    'Welke taken staan nog open voor de verhuizing Kitchen Move?',
    'What of the Kitchen Move is still open?',
    'Is anything still open for the Kitchen Move?',
    'Was ist beim Kitchen Move noch offen?',
    'Todos of the Kitchen Move',
    'What is left to do in Kitchen Move?',
    'Which jobs are left for the Kitchen Move?',
    '¿Qué to-dos hay del Kitchen Move?',
  ])('has open tasks of the thing before done ones: %s', async (context) => {
    const items = await asked(context);
    const place = (text: string) => items.findIndex(({ content }) => content.includes(text));
    const open = [place('call the plumber'), place('book the electrician')];
    const done = ['order the tiles', 'pay the tiler', 'measure the room'].map(place).filter((at) => at >= 0);
    expect([context, open.every((at) => at >= 0 && done.every((other) => at < other))]).toEqual([context, true]);
    expect((items[open[0]!]!.metadata.why as Why).lacks).toBe('done');
  });

  it.each([
    ['Is the bakery Brunner still open on Sunday?', 'until noon'],
    ['Until when is the bakery Brunner still open on Sunday?', 'until noon'],
    ['Ist der Blumenladen Veit am Sonntag noch offen?', 'zwölf Uhr'],
    ['What is the price of the Todo app a month?', '4 euros'],
    ['What does the app Todo cost a month?', '4 euros'],
    ['¿Cuánto cuesta la aplicación To-do al mes?', '4 euros'],
    ['Quanto custa a app To-do por mês?', '4 euros'],
    ['Which jobs are open at the Hotel Fjell?', 'a cook'],
    ['Open jobs of the Hotel Fjell', 'a cook'],
    ['remaining items in stock of the Lamp Sund', 'fourteen'],
    ['How many remaining items of the Lamp Sund are in stock?', 'fourteen'],
    ['What is there to do in Oslo?', 'opera'],
    ['What is there to do around Oslo?', 'opera'],
    ['Was gibt es zu tun in Oslo?', 'opera'],
    ['Wat is er te doen in Oslo?', 'opera'],
    ["Qu'y a-t-il à faire à Oslo ?", 'opera'],
    ['¿Qué hay por hacer en Oslo?', 'opera'],
    ["Cosa c'è da fare a Oslo?", 'opera'],
    ['O que há por fazer em Oslo?', 'opera'],
  ])('is none about a shop that is open, or a program of that name: %s', async (context, answer) => {
    const items = await asked(context);
    expect(items[0]!.content).toContain(answer);
    expect(items.filter(({ metadata }) => (metadata.why as Why).lacks === 'done')).toEqual([]);
  });

  it('is none where it asks for something else', async () => {
    const [first] = await asked('When is the shop still open?');
    expect(first!.content).toContain('Sundays');
    const [done] = await asked('Who ordered the tiles for the Kitchen Move?');
    expect(done!.content).toContain('order the tiles');
    expect((done!.metadata.why as Why).lacks).toBeUndefined();
  });
});
