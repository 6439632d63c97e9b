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

const INVOICES = `Rechnung,Kunde,Betrag,bezahlt am
R-1,Ahorn GmbH,"1.250,00",01.03.2026
R-2,Birke AG,"12.340,00",02.03.2026
R-3,Zeder KG,"2.100,50",09.03.2026
R-4,Eibe OHG,"250,00",11.03.2026
R-5,Fichte GmbH,"1.350.000,00",12.03.2026
R-6,Linde UG,"1750,00",13.03.2026
R-7,Ginkgo AG,1840000,14.03.2026
R-8,Hasel AG,"3,75",15.03.2026
`;

describe('a number of a question', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('none');
    await world.ingest.uploaded({ name: 'stock.csv', bytes: Buffer.from(STOCK) }, { domain: 'd' });
    await world.ingest.uploaded({ name: 'rechnungen.csv', bytes: Buffer.from(INVOICES) }, { domain: 'de' });
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
    ['Welche Rechnung lautet auf 1250 Euro?', 'Ahorn'],
    ['Welche Rechnung lautet auf 1.250,00 Euro?', 'Ahorn'],
    ['Welche Rechnung lautet auf 12340 Euro?', 'Birke'],
    ['Welche Rechnung lautet auf 2100,50 Euro?', 'Zeder'],
    ['Which invoice is of 2,100.50 euros?', 'Zeder'],
    ['Welche Rechnung lautet auf 250 Euro?', 'Eibe'],
    ['Welche Rechnung lautet auf 1350000 Euro?', 'Fichte'],
    ['Welche Rechnung lautet auf 1.750,00 Euro?', 'Linde'],
    ['Welche Rechnung lautet auf 1.750 Euro?', 'Linde'],
    ['Welche Rechnung lautet auf 1.350.000 Euro?', 'Fichte'],
    ['Welche Rechnung lautet auf 1.840.000 Euro?', 'Ginkgo'],
    ['Welche Rechnung lautet auf 3.750 Euro?', 'Hasel'],
  ])('finds an equal one with periods of thousands: %s', async (context, name) => {
    const { items } = await world.retrieval.query({ context, domains: ['de'], top_k: 2 });
    expect(items[0]!.content).toContain(name);
  });

  it.each([
    ['What weighs 30 kg?', ['30.0', '30.00']],
    ['Is 30 more than 30?', ['30.0', '30.00']],
    ['What costs 1250?', ['1250.0', '1250.00', '1.250']],
    ['What costs 1,250,000.00?', ['1250000', '1250000.0', '1.250.000']],
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
