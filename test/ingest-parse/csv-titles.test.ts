import { describe, expect, it } from '@jest/globals';
import { csvParts } from '../../src/ingest/parse/table/csv.js';

const texts = (text: string) =>
  [...csvParts(text).parts].map((part) => `${part.kind === 'heading' ? `h${part.level}` : part.kind}: ${part.text}`);

describe('titles among the rows of a table', () => {
  const table = (rows: string) => `Code;Service;Unit;Price\n${rows}`;

  it('stand above their rows', () => {
    const rows =
      ';SURGERY;;\nS1;Spay, queen;flat;92,00\nS2;Castration;flat;78,00\n;MISC.;;\nM1;Nail clipping;each;12,00\n';
    expect(texts(table(rows))).toEqual([
      'h2: SURGERY',
      'h3: Spay, queen',
      'prose: code: S1; service: Spay, queen; unit: flat; price: 92,00.',
      'h3: Castration',
      'prose: code: S2; service: Castration; unit: flat; price: 78,00.',
      'h2: MISC.',
      'h3: Nail clipping',
      'prose: code: M1; service: Nail clipping; unit: each; price: 12,00.',
    ]);
  });

  it.each([
    [
      'rows that only lack their cells',
      'S1;Spay;flat;92,00\n;Castration;;\nM1;Nail clipping;each;12,00\n;Bath;;\nM2;Chip;each;15,00\n',
    ],
    ['one alone', ';SURGERY;;\nS1;Spay;flat;92,00\nS2;Castration;flat;78,00\n'],
    ['one without rows', ';SURGERY;;\nS1;Spay;flat;92,00\n;MISC.;;\n'],
    ['cells of other columns', ';SURGERY;;\nS1;Spay;flat;92,00\nMISC.;;;\nM1;Nail clipping;each;12,00\n'],
    ['rows of two cells', ';SURGERY;;\nS1;Spay;;\n;MISC.;;\nM1;Nail clipping;each;12,00\n'],
    [
      'names of rows that lack the rest',
      ';Surgery;;\nS1;Spay;flat;92,00\nS2;Castration;flat;78,00\n;Bath;;\nM1;Nail clipping;each;12,00\n',
    ],
    ['the same twice', ';Spare;;\nS1;Spay;flat;92,00\n;Spare;;\nM1;Nail clipping;each;12,00\n'],
  ])('are not %s', (_, rows) => {
    expect(texts(table(rows)).filter((text) => text.startsWith('h3'))).toEqual([]);
  });
});

it('titles of words stand above rows that have none in their column', () => {
  expect(texts('Code;Service;Price\nSurgery;;\n1;Spay;92\n2;Chip;78\nOther;;\n3;Bath;12\n')).toContain('h2: Surgery');
});

describe('a row of units below the head of a table', () => {
  it('stands in the head', () => {
    expect(
      texts('Item;Exp.;Qty;Shelf\n;(mm/yyyy);(pcs);\nRabies;08/2027;9;Fridge\nVicryl;05/2026;11;Theatre\n'),
    ).toEqual([
      'h2: Rabies',
      'prose: item: Rabies; exp. (mm/yyyy): 08/2027; qty (pcs): 9; shelf: Fridge.',
      'h2: Vicryl',
      'prose: item: Vicryl; exp. (mm/yyyy): 05/2026; qty (pcs): 11; shelf: Theatre.',
    ]);
  });

  it('is a row where others are like it, or one of its cells is none', () => {
    for (const first of ['(new);(ask)', '(new);yes'])
      expect(texts(`Name;A;B\nRabies;${first}\nVicryl;(old);(ask)\n`)[0]).toBe('h2: Rabies');
  });
});

it('a row of amounts below zero is no row of units', () => {
  expect(texts('Q1;Q2\n(1,200);($300)\n500;600\n1;2\n')).toContain('list: - Q1: (1,200); Q2: ($300).');
});

describe('a line above the head of a table', () => {
  const rows = 'Name;Event;Time\nPenhallow;2x;4:12.8\nEastmoor;4+;3:31.4\n';

  it('is the title of its rows', () => {
    for (const cells of ['', ';;'])
      expect(texts(`Tarne Regatta, 13 June 2026${cells}\n${rows}`)).toEqual([
        'h2: Tarne Regatta, 13 June 2026',
        'h3: Penhallow',
        'prose: event: 2x; time: 4:12.8.',
        'h3: Eastmoor',
        'prose: event: 4+; time: 3:31.4.',
      ]);
  });

  it.each(['Account: DE12 3456', 'All times are provisional.', 'Tarne Regatta\n13 June 2026'])(
    'stays a line: %j',
    (above) => {
      expect(texts(`${above}\n${rows}`)[0]).toBe(`prose: ${above}`);
    },
  );

  it('is no title of rows without a head, of which it may be one', () => {
    expect(texts('Anna\nBob,2,3\nCara,3,4\n')[0]).toBe('prose: Anna');
  });
});

it('a title above two columns is one where numbers stand below the next record', () => {
  expect(texts('Income,\nItem,Amount\nFees,54\nBar,89\n')).toEqual([
    'h2: Income',
    'h3: Fees',
    'prose: item: Fees; amount: 54.',
    'h3: Bar',
    'prose: item: Bar; amount: 89.',
  ]);
  expect(texts('Item,\nFees,paid\nBar,due\n')[0]).toBe('h2: Fees');
});

it('times name the columns of a timetable, unless times stand below them', () => {
  expect(texts('Day,9:00,10:00\nMonday,Maths,Art\nTuesday,Art,Sport\n')).toContain(
    'prose: day: Monday; 9:00: Maths; 10:00: Art.',
  );
  expect(texts('Early,9:00,10:00\nLate,14:00,15:00\n')).toContain('prose: 9:00; 10:00.');
});

it('titles of words alone stand above rows with numbers in their column, as months above days', () => {
  const rows = 'January;;\nTue 12.01.;19:30;Hall\nTue 19.01.;;none\nFebruary;;\nTue 02.02.;20:00;Church\n';
  const found = texts(`Day;Time;Place\n${rows}`);
  expect(found.filter((text) => text.startsWith('h'))).toEqual([
    'h2: January',
    'h3: Tue 12.01.',
    'h3: Tue 19.01.',
    'h2: February',
    'h3: Tue 02.02.',
  ]);
  // A list of two columns may lack the values of some.
  expect(texts('Room,Phone\nHall,\nRoom 2,123\nCellar,\nRoom 5,124\n')).toContain('prose: room: Room 2; phone: 123.');
  expect(texts('Room,Phone\nHall,\nRoom 2,123\nCellar,\nRoom 5,124\n')).not.toContain('h3: Room 2');
});
