import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import type { Why } from '../../src/retrieval/present/explain.js';

const UNPAID = [17, 140, 251];
const rows = Array.from({ length: 300 }, (_, i) => {
  const name = `Holder ${String.fromCharCode(65 + (i % 26))}${String.fromCharCode(97 + (i % 19))}${i}`;
  return `${name},plot ${i},${30 + (i % 7)},${UNPAID.includes(i) ? '' : `2026-03-${String(1 + (i % 28)).padStart(2, '0')}`}`;
});

describe('rows of a long table that lack what a question wants lacking', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('none');
    const bytes = Buffer.from(['name,place,rent,paid', ...rows].join('\n'));
    await world.ingest.uploaded({ name: 'allotments.csv', bytes }, { domain: 'd' });
    const said = rows.map((row, i) =>
      row.replace(/[^,]*$/u, UNPAID.includes(i) ? 'not received so far' : i === 9 ? '' : 'yes'),
    );
    const table = Buffer.from(['name,place,rent,paid', ...said].join('\n'));
    await world.ingest.uploaded({ name: 'allotments.csv', bytes: table }, { domain: 'said' });
  });
  afterAll(() => world.close());

  it.each(['Who has not paid?', 'Who has not paid the rent?', 'Which plots are unpaid?'])(
    'are found, and stand first: %s',
    async (context) => {
      const { items } = await world.retrieval.query({ context, domains: ['d'], mode: 'auto', top_k: 5 });
      const first = items.slice(0, UNPAID.length);
      const places = first.map(({ content }) => Number(/plot (\d+)/.exec(content)?.[1]));
      expect(places.sort((a, b) => a - b)).toEqual(UNPAID);
      expect(first.map(({ metadata }) => (metadata.why as Why).lacks)).toEqual(['paid', 'paid', 'paid']);
    },
  );

  it('are found by what their cells say, too', async () => {
    const { items } = await world.retrieval.query({ context: 'Who has not paid?', domains: ['said'], top_k: 5 });
    const places = items.map(({ content }) => Number(/plot (\d+)/.exec(content)?.[1]));
    expect(places.slice(0, 4).sort((a, b) => a - b)).toEqual([9, ...UNPAID]);
  });

  it('are not sought where the question wants a row', async () => {
    const { items } = await world.retrieval.query({ context: 'When was plot 40 paid?', domains: ['d'], top_k: 1 });
    expect(items[0]!.content).toContain('plot 40');
  });
});
