import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { byGraph } from '../../src/retrieval/score/rank.js';
import { codesIn } from '../../src/retrieval/seed/codes.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';

const PARTS = `# Spare parts

## Pumps

The pump KX-200-15 costs 80 euros and is delivered within 15 days. Order 200 at once for a rebate.

## Filters

The filter KX-15-200 costs 9 euros. It fits all pumps.

## Valves

The valve KX-15-20 is made of brass, 200 mm long.`;

let world: World;
beforeAll(async () => {
  world = await openWorld('static');
  await world.ingest.text({ text: PARTS, domain: 'parts', name: 'parts.md', format: 'markdown' });
  const row = (number: string, status: string, i: number) => ({
    name: `invoice ${i}`,
    description: `invoice with number: ${number}; status: ${status}.`,
  });
  await world.ingest.structured({
    domain: 'invoices',
    concepts: [row('PM-2025-12-007', 'paid', 1), row('PM-2026-01-007', 'unpaid', 2), row('PM-2026-07-001', 'late', 3)],
  });
  await world.ingest.text({
    text: '# Phones\n\n## Front desk\n\nCall 04651 22 018 77.\n\n## Workshop\n\nCall 04651 77 018 22.',
    domain: 'phones',
    name: 'phones.md',
    format: 'markdown',
  });
});
afterAll(() => world.close());

async function ask(context: string, domain: string) {
  const scope = { domains: [domain], topK: 5, factors: new Map<string, number>() };
  return (await byGraph(world.parts, context, scope)).items;
}

describe('a code', () => {
  test.each([
    ['What does KX-15-200 cost?', 'parts', 'filter KX-15-200'],
    ['KX-15-200', 'parts', 'filter KX-15-200'],
    ['Which part is KX-200-15?', 'parts', 'pump KX-200-15'],
    ['What is the status of invoice PM-2026-01-007?', 'invoices', 'unpaid'],
    ['PM-2026-01-007', 'invoices', 'unpaid'],
    ['Whose number is 04651 77 018 22?', 'phones', '04651 77 018 22'],
  ])('in "%s" is found in its order', async (question, domain, expected) => {
    const [first, second] = await ask(question, domain);
    expect(first?.node.description).toContain(expected);
    expect(first!.score).toBeGreaterThan(1.5 * second!.score);
  });

  test('that no item holds in its order still counts by its words', async () => {
    const [first] = await ask('What does the filter KX-200 cost?', 'parts');
    expect(first?.features?.words.coverage).toBeGreaterThan(0);
  });
});

describe('codes of a question', () => {
  const codes = (text: string): string[] =>
    codesIn(text, questionWords(text, [], { idf: new Map() })).map(({ norms }) => norms.join(' '));

  test.each([
    ['What does KX-15-200 cost?', ['kx 15 200']],
    ['Who placed order A-2026-12-01?', ['a 2026 12 01']],
    ['Is zephyr6_opt_3 or v1.2.3 in use?', ['zephyr6 opt 3']],
    ['Whose number is 04651 77 018 22?', ['04651 77 018 22']],
    ['What happened on 2026-02-09, or 09.02.2026?', []],
    ['Is a check-up due in 2-3 days or in 3.5 hours?', []],
    ['Are 12 24 packs left?', []],
    ['How were sales in 2024 2025 2026, or 10 000 000 in all?', []],
    ['Which grant is 10,000-20,000 euros, and who is 18-year-old Ada on the 5-year plan of mid-2026?', []],
    ['Is the pool open 8.00-16.30 or 9:30-10:15 on 12/05/26, in Q1/Q2 or at 2026-05-12T10:30?', []],
    ['sn-205656 belongs to what', ['sn 205656']],
    ['e-18', ['e 18']],
    ['Is ISBN 978-3-16-148410-0 here?', ['978 3 16 148410 0']],
    ['', []],
  ])('%s: %j', (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });
});
