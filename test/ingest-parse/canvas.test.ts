import { describe, expect, it } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';
import { readParts } from './read-parts.js';

type Member = Readonly<Record<string, unknown>>;
const written = (nodes: readonly Member[], edges: readonly Member[] = []) =>
  Buffer.from(JSON.stringify({ nodes, edges }));
const read = (nodes: readonly Member[], edges?: readonly Member[]) =>
  readParts('Heating.canvas', written(nodes, edges));
const at = (x: number, y: number, width = 100, height = 50) => ({ x, y, width, height });
const text = (id: string, said: string, place: Member = at(0, 0)) => ({ id, type: 'text', text: said, ...place });

const CARDS = [
  text('pump', 'Pump\n\nType UPS 25-60, fitted 2019.', at(50, 300)),
  { id: 'cellar', type: 'group', label: 'Cellar', ...at(0, 0, 1000, 1000) },
  { id: 'hot', type: 'group', label: 'Hot water', ...at(500, 500, 400, 400) },
  text('boiler', '**Boiler** WBK 118', at(50, 100)),
  text('tank', '# Tank\n\nHolds 300 litres.', at(550, 550)),
  { id: 'manual', type: 'file', file: 'Manuals/Tank.pdf', subpath: '#page=3', ...at(550, 700) },
  { id: 'shop', type: 'link', url: 'https://pumps.example/ups', ...at(2000, 0) },
];

describe('a canvas', () => {
  it('has its texts below their groups, from the top to the bottom, files and addresses behind them', async () => {
    expect(await read(CARDS)).toEqual([
      '1 Heating',
      'link: https://pumps.example/ups',
      ...['2 Cellar', 'Boiler WBK 118', 'Pump', 'Type UPS 25-60, fitted 2019.'],
      ...['3 Hot water', 'file: Manuals/Tank.pdf#page=3', '4 Tank', 'Holds 300 litres.'],
    ]);
  });

  it('says what its arrows say where they lead from', async () => {
    const edges = [
      { fromNode: 'boiler', toNode: 'hot', label: 'feeds' },
      { fromNode: 'boiler', toNode: 'manual', label: 'is in', fromEnd: 'arrow', toEnd: 'none' },
      { fromNode: 'pump', toNode: 'tank' },
      { fromNode: 'pump', toNode: 'nowhere', label: 'feeds' },
    ];
    const parts = await read(CARDS, edges);
    expect(parts[parts.indexOf('Boiler WBK 118') + 1]).toBe('Boiler WBK 118 feeds Hot water.');
    expect(parts[parts.indexOf('file: Manuals/Tank.pdf#page=3') + 1]).toBe('Tank is in Boiler WBK 118.');
    expect(parts[parts.indexOf('Type UPS 25-60, fitted 2019.') + 1]).toBe('Pump → Tank.');
  });

  it('has the branches of a choice', async () => {
    const cards = [text('cold', 'Is it below 5 °C?'), text('light', 'Light the stove.')];
    expect(await read(cards, [{ fromNode: 'cold', toNode: 'light', label: 'yes' }])).toContain(
      'Is it below 5 °C? yes: Light the stove.',
    );
  });

  it.each(['', '{}', '{"nodes":[],"edges":[]}'])('without a card is skipped below a directory: %j', async (empty) => {
    await expect(readParts('New.canvas', Buffer.from(empty))).rejects.toMatchObject({ details: { empty: true } });
  });

  it.each(['{"nodes":', '[1]'])('that is broken is refused: %j', async (broken) => {
    await expect(readParts('New.canvas', Buffer.from(broken))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('New.canvas is no canvas'),
    });
  });

  it('that is hostile is read', async () => {
    const nested = Array.from({ length: 3000 }, (_, i) => ({
      ...{ id: `${i}`, type: 'group', label: `level ${i}`, ...at(i, i, 9000 - 2 * i, 9000 - 2 * i) },
    }));
    const odd = [{ type: 'text' }, { type: 'text', text: 7 }, null, 'x', { id: {}, type: 'group', x: 'a', y: null }];
    const cards = [...nested, ...(odd as Member[]), text('deep', 'Found.', at(4000, 4000))];
    const edges = Array.from({ length: 20_000 }, () => ({ fromNode: 'deep', toNode: '1', label: 'leads to' }));
    const parts = await read(cards, edges);
    expect(parts).toContain('Found.');
    expect(Math.max(...parts.map((part) => Number(/^\d+/u.exec(part)?.[0] ?? 0)))).toBeLessThan(9);
  }, 60_000);

  it('answers', async () => {
    const world = await openWorld('none');
    const bytes = written(CARDS, [{ fromNode: 'boiler', toNode: 'hot', label: 'feeds' }]);
    await world.ingest.uploaded({ name: 'Heating.canvas', bytes }, { domain: 'd' });
    const { items } = await world.retrieval.query({ context: 'Which pump is fitted?', domains: ['d'], top_k: 1 });
    await world.close();
    expect(items[0]!.content).toContain('Heating > Cellar: Pump');
    expect(items[0]!.content).not.toContain('Boiler');
  });
});
