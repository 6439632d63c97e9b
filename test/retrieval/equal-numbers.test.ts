import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { equalNumbers } from '../../src/retrieval/seed/equal-numbers.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';

const STOCK = `item,weight kg,price
Corvid Pup,30.00,45.50
Stork Mini,12.00,21.00
Heron Maxi,30.50,60.00
Robin,8.25,300.00
Wren,7.00,25.00
Crane,41.00,12.50
`;

describe('a number of a question', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('none');
    await world.ingest.uploaded({ name: 'stock.csv', bytes: Buffer.from(STOCK) }, { domain: 'd' });
  });
  afterAll(() => world.close());

  it.each([
    ['Which item weighs 30 kg?', 'Corvid Pup'],
    ['Which item has the price 21?', 'Stork Mini'],
    ['Which item has the price 300?', 'Robin'],
    ['Which item weighs 7 kg?', 'Wren'],
    ['Which item has the price 25.00?', 'Wren'],
  ])('finds an equal one that is written with other decimal places: %s', async (context, name) => {
    const { items } = await world.retrieval.query({ context, domains: ['d'], top_k: 2 });
    expect(items[0]!.content).toContain(name);
  });

  it.each([
    ['What weighs 30 kg?', ['30.0', '30.00']],
    ['Is 30 more than 30?', ['30.0', '30.00']],
    ['Call 01632960114?', []],
    [Array.from({ length: 30 }, (_, i) => `What costs ${i}?`).join(' '), []],
    ['What is new in 2.0?', []],
    ['What is new in 1.10?', []],
    ['Who came on 18 November?', []],
  ])('has other forms where it is whole and of no day: %s', (text, forms) => {
    const words = questionWords(text, [], { idf: new Map(), language: 'english' });
    expect(equalNumbers({ text, language: 'english', words }).flatMap((one) => one.forms)).toEqual(forms);
  });
});
