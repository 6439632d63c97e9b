import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { compose } from '../../src/compose.js';
import { configFile } from '../../src/config/files.js';
import { loadConfig } from '../../src/config.js';
import { letters } from '../../src/core/wording/letters.js';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { NAMES, PEOPLE, saysNoMore } from '../../src/ingest/parse/table/naming.js';

const source = { domain: 'd', kind: 'file', key: 'stock.csv', label: 'stock.csv' } as const;

async function passages(written: string | Uint8Array, name = 'stock.csv') {
  const bytes = typeof written === 'string' ? new TextEncoder().encode(written) : written;
  return chunk(await parse({ bytes, name, type: 'csv' }), { source, title: name });
}

async function texts(written: string | Uint8Array, name?: string): Promise<string[]> {
  return (await passages(written, name)).map(({ title, text }) => `${title}: ${text}`);
}

describe('a table as CSV', () => {
  it('is named by the columns that name rows of a database', () => {
    const { name_columns, identifier_columns, person_name_columns, foreign_name_columns } = configFile(
      'sources.yaml',
    ) as Record<string, Array<string | string[]>>;
    const pairs = person_name_columns!.map((pair) => (pair as string[]).map(letters));
    expect(new Set(PEOPLE.map(String))).toEqual(new Set(pairs.map(String)));
    const single = [...name_columns!, ...foreign_name_columns!].filter((name) => !identifier_columns!.includes(name));
    expect(single.map((name) => letters(name as string)).filter((name) => !NAMES.includes(name))).toEqual([]);
  });

  it.each([
    ['Vorname;Name;Raum\nAda;Bly;2\nKarl;Weber;3\n', ['stock > Ada Bly: raum: 2.', 'stock > Karl Weber: raum: 3.']],
    ['nom;ville\nLarré;Lyon\nDubois;Lille\n', ['stock > Larré: ville: Lyon.', 'stock > Dubois: ville: Lille.']],
  ])('is named by first and last names of other languages: %j', async (written, wanted) => {
    expect(await texts(written)).toEqual(wanted);
  });

  it('has a passage for each named row, below the name of its file', async () => {
    const rows = await passages('name,price,status\nCopper kettle,89,Sold out\nSteel kettle,39,\n', 'shop_stock.csv');
    expect(rows.map(({ title, text }) => [title, text])).toEqual([
      ['shop stock > Copper kettle', 'price: 89; status: Sold out.'],
      ['shop stock > Steel kettle', 'price: 39.'],
    ]);
    expect(rows[0]!.about).toContainEqual({ key: 'copper kettle', alias: false });
  });

  it('is divided by what most of its records are divided by', async () => {
    const wanted = ['stock > Tea, green: price: 1,50; in stock: 3.', 'stock > Tea, black: price: 2,50; in stock: 4.'];
    const rows = [
      ['Name', 'Price', 'In Stock'],
      ['Tea, green', '1,50', '3'],
      ['Tea, black', '2,50', '4'],
    ];
    for (const delimiter of [',', ';', '\t', '|']) expect(await texts(stringify(rows, { delimiter }))).toEqual(wanted);
    expect(await texts(`sep=^\r\n${stringify(rows, { delimiter: '^' })}`)).toEqual(wanted);
  });

  it('is divided by what gives it a head, whatever its cells are full of', async () => {
    const towns = ['Springfield, Illinois', 'Salem, Oregon', 'Dover, Delaware', 'Bangor, Maine'];
    const names = ['Ada Bly', 'Karl Weber', 'Mia Sand', 'Tom Reed'];
    const rows = names.map((name, i) => `${name};${i + 1} Main Street, ${towns[i]}`);
    expect(await texts(`name;address\n${rows.join('\n')}\n`, 'people.csv')).toEqual(
      names.map((name, i) => `people > ${name}: address: ${i + 1} Main Street, ${towns[i]}.`),
    );
  });

  it('may name columns by years, signs and counts, and several columns alike', async () => {
    expect(await texts('Country,2019,2020 [YR2020],1960\nNorway,83,1984,\nPeru,2001,67,\n', 'people.csv')).toEqual([
      'people > Norway: country: Norway; 2019: 83; 2020 [YR2020]: 1984.',
      'people > Peru: country: Peru; 2019: 2001; 2020 [YR2020]: 67.',
    ]);
    expect(await texts('Title,Key,Comment,Comment\nFix login,AB-1,One,Two\nAdd page,AB-2,,Three\n')).toEqual([
      'stock > Fix login: key: AB-1; comment: One; comment: Two.',
      'stock > Add page: key: AB-2; comment: Three.',
    ]);
    expect(await texts('#,Title,%,1st try\n1,Tea,30,4\n2,Rum,70,6\n')).toEqual([
      'stock > Tea: #: 1; %: 30; 1st try: 4.',
      'stock > Rum: #: 2; %: 70; 1st try: 6.',
    ]);
    expect(await texts('Ada,3 Oak Street\nKarl,4 Elm Street\n')).toEqual([
      'stock > Ada: 3 Oak Street.',
      'stock > Karl: 4 Elm Street.',
    ]);
    expect(await texts('Ada,1987\nKarl,1990\n')).toEqual(['stock > Ada: 1987.', 'stock > Karl: 1990.']);
  });

  it('keeps what stands above its head, and rows that nothing names, in order', async () => {
    const written =
      'Konto;123\nZeitraum;Januar\n\nBuchungstag;Zahlungsempfänger;Betrag\n02.01.;Rewe;-23,50\n03.01.;Rewe;-80,00\n';
    expect(await texts(written, 'umsatz.csv')).toEqual([
      'umsatz: Konto 123\nZeitraum Januar\n- buchungstag: 02.01.; zahlungsempfänger: Rewe; betrag: -23,50.\n' +
        '- buchungstag: 03.01.; zahlungsempfänger: Rewe; betrag: -80,00.',
    ]);
  });

  it('reads cells of several lines, long cells and first and last names', async () => {
    const long = 'She keeps the lamp of the harbour and writes down each ship. '.repeat(4).trim();
    const written = stringify([
      ['First Name', 'Last Name', 'Phone', 'Notes', 'Story'],
      ['Ada', 'Bly', '22', 'Met at sea.\nSings.', long],
    ]);
    expect(await texts(written, 'people.csv')).toEqual([
      `people > Ada Bly: phone: 22.\n\nnotes: Met at sea.\nSings.\n\nstory: ${long}`,
    ]);
  });

  it('names people by their names, not by their titles', async () => {
    for (const [title, name] of [
      ['Title', 'Full Name'],
      ['Título', 'Nombre'],
    ] as const)
      expect(await texts(`${title},${name},Phone\nDr,Ada Bly,22\nMr,Karl Weber,33\n`, 'people.csv')).toEqual([
        expect.stringMatching(/^people > Ada Bly: t\S+: Dr; .*phone: 22\.$/),
        expect.stringMatching(/^people > Karl Weber: t\S+: Mr; .*phone: 33\.$/),
      ]);
  });

  it('names rows by the first column of different short texts where no column is called a name', async () => {
    expect(await texts('id,task,owner\n17,Renew passport,Ada\n18,Call dentist,Ada\n', 'tasks.csv')).toEqual([
      'tasks > Renew passport: id: 17; task: Renew passport; owner: Ada.',
      'tasks > Call dentist: id: 18; task: Call dentist; owner: Ada.',
    ]);
  });

  it('may have no head, a head alone, one column, or a quotation mark that nothing closes', async () => {
    expect(await texts('1,Alice,3.5\n2,Bob,4.0\n')).toEqual(['stock > Alice: 1; 3.5.', 'stock > Bob: 2; 4.0.']);
    expect(await texts('name,price\n')).toEqual(['stock: - name; price.']);
    expect(await texts('Fruit\nApple\nPear\n')).toEqual(['stock > Apple: fruit: Apple.', 'stock > Pear: fruit: Pear.']);
    expect(await texts('name,size\nTube,2" wide\nPipe,"3 wide\n')).toEqual([
      'stock > Tube: size: 2" wide.',
      'stock > Pipe: size: "3 wide.',
    ]);
    await expect(texts(',,\n;;\n')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('may have a head of a cell less: names of rows without a name for them, or a delimiter at the end of each row', async () => {
    const cars = ['stock > Mazda RX4: mpg: 21; cyl: 6.', 'stock > Fiat 128: mpg: 32.4; cyl: 4.'];
    expect(await texts('"mpg","cyl"\n"Mazda RX4",21,6\n"Fiat 128",32.4,4\n')).toEqual(cars);
    expect(
      await texts('mpg cyl\nMazda RX4 21 6\nFiat 128 32.4 4\n'.replace(/ (?=RX|128)/gu, '_').replaceAll(' ', '\t')),
    ).toEqual(cars.map((car) => car.replace(/ (?=RX|128)/u, '_')));
    expect(await texts('species,sex\n1,setosa,f\n2,setosa,m\n3,virginica,f\n')).toEqual([
      'stock > setosa, sex f: 1; species: setosa; sex: f.',
      'stock > setosa, sex m: 2; species: setosa; sex: m.',
      'stock > virginica, sex f: 3; species: virginica; sex: f.',
    ]);
    expect(await texts('height,home\nLuke,,Tatooine\nLeia,150,Alderaan\n')).toEqual([
      'stock > Luke: home: Tatooine.',
      'stock > Leia: height: 150; home: Alderaan.',
    ]);
    expect(await texts('name,price\nTea,3,\nRum,7,\n')).toEqual(['stock > Tea: price: 3.', 'stock > Rum: price: 7.']);
    const years = ['stock > Norway: 2019: 83; 2020: 84; 2021: 90.', 'stock > Peru: 2019: 20; 2020: 67; 2021: 70.'];
    for (const head of ['2019,2020,2021', '"",2019,2020,2021', ',2019,2020,2021'])
      expect(await texts(`${head}\nNorway,83,84,90\nPeru,20,67,70\n`)).toEqual(years);
    // A line above a table is none.
    for (const above of ['Konto;Giro', 'Konto;123'])
      expect(await texts(`${above}\nTag;Name;Betrag\n02.01.;Rewe;-23,50\n03.01.;Aldi;-80,00\n`)).toEqual([
        `stock: ${above.replace(';', ' ')}`,
        'stock > Rewe: tag: 02.01.; betrag: -23,50.',
        'stock > Aldi: tag: 03.01.; betrag: -80,00.',
      ]);
    expect(await texts('Revenue;EUR\nRegion;2019;2020\nNorth;5;6\nSouth;7;8\n')).toEqual([
      'stock: Revenue EUR',
      'stock > North: region: North; 2019: 5; 2020: 6.',
      'stock > South: region: South; 2019: 7; 2020: 8.',
    ]);
  });

  it('may have its head again among its rows, as files that were joined have', async () => {
    const wanted = ['stock > Tea: price: 3.', 'stock > Rum: price: 7.', 'stock > Gin: price: 9.'];
    expect(await texts('name,price\nTea,3\nRum,7\nname,price\nGin,9\n')).toEqual(wanted);
    const [tea = '', ...more] = ['name;price', 'Tea;3', ...Array.from({ length: 300 }, (_, i) => `Nut${i};4`)];
    expect((await texts([tea, ...more, tea, 'Rum;7'].join('\n'))).slice(-2)).toEqual([
      'stock > Nut299: price: 4.',
      'stock > Rum: price: 7.',
    ]);
    expect(await texts('mpg,cyl\nMazda,21,6\nmpg,cyl\nFiat,32,4\n')).toEqual([
      'stock > Mazda: mpg: 21; cyl: 6.',
      'stock > Fiat: mpg: 32; cyl: 4.',
    ]);
    // Words alone: the head stands again, and no row does.
    const towns = ['Ada,Oslo', 'Karl,Bergen', 'Mia,Oslo', 'Tom,Narvik'];
    const people = [
      'stock > Ada: town: Oslo.',
      'stock > Karl: town: Bergen.',
      'stock > Mia: town: Oslo.',
      'stock > Tom: town: Narvik.',
    ];
    const joined = ['name,town', ...towns.slice(0, 2), 'name,town', ...towns.slice(2)];
    expect(await texts(joined.join('\n'))).toEqual(people);
    const many = Array.from({ length: 300 }, (_, i) => `Nut${i},Shelf ${'abc'[i % 3]}`);
    expect((await texts(['name,town', ...many, 'name,town', towns[0]].join('\n'))).slice(-2)).toEqual([
      'stock > Nut299: town: Shelf c.',
      people[0],
    ]);
    expect((await texts([...towns, towns[0], towns[1]].join('\n'))).join()).not.toContain('ada: ');
    const clients = ['Anna Berg,Berlin', 'Ben Okafor,Cologne', 'Cem Yilmaz,Bonn', 'Dora Lind,Mainz', 'Eva Roth,Trier'];
    expect((await texts([...clients, clients[0]].join('\n'))).join()).not.toContain('anna berg: ');
    const heads = ['Name,Town', ...clients, 'Name,Town', ...towns, 'Name,Town', 'Ina,Bremen'];
    expect((await texts(heads.join('\n')))[0]).toBe('stock > Anna Berg: town: Berlin.');
    // A row that stands there twice is no head.
    expect(await texts('Ada,1987\nKarl,1990\nAda,1987\n')).toEqual([
      'stock: - Ada; 1987.\n- Karl; 1990.\n- Ada; 1987.',
    ]);
  });

  it('has no head where its first row is a sentence above sentences', async () => {
    const [first, second] = ['What does the ferry cost?', 'Who keeps the lamp?'];
    expect(await texts(`${first},Nine crowns.\n${second},Ada does.\n`)).toEqual([
      `stock > ${first}: Nine crowns.`,
      `stock > ${second}: Ada does.`,
    ]);
    expect(await texts('Name,How was the trip?\nAda,Long.\nKarl,Quiet\n')).toEqual([
      'stock > Ada: how was the trip?: Long.',
      'stock > Karl: how was the trip?: Quiet.',
    ]);
    // A word above dates names them, whatever stands beside it.
    expect(
      (await texts('Timestamp,What did you like most?\n2024/01/05,The food.\n2024/01/06,The boat.\n')).join('\n'),
    ).toMatch(/timestamp: 2024\/01\/05; what did you like most\?: The food\./u);
  });

  it('writes the names of columns as words that are no names', async () => {
    const [row] = await texts('name,unitPrice,VAT_RATE,EAN,Valid Until\nTea,3,7,42,May\n');
    expect(row).toBe('stock > Tea: unit price: 3; VAT RATE: 7; EAN: 42; valid until: May.');
  });

  it('loses no cell, whatever is in it', async () => {
    const isShown = (text: string) => /[\p{L}\p{N}]/u.test(text) && !saysNoMore(text);
    const cell = fc.string({ unit: 'grapheme', maxLength: 40 }).filter(isShown);
    const row = fc.tuple(fc.oneof(cell, fc.nat().map(String)), cell, fc.oneof(cell, fc.nat().map(String)));
    const table = fc.array(row, { minLength: 1, maxLength: 30 });
    const shape = fc.constantFrom('whole', 'short', 'ended', 'repeated', 'none');
    const head = ['alpha', 'beta', 'gamma'];
    const written = (rows: readonly string[][], form: string): string[][] => {
      if (form === 'short') return [head.slice(1), ...rows];
      if (form === 'ended') return [head, ...rows.map((each) => [...each, ''])];
      const half = rows.length >> 1;
      if (form === 'repeated') return [head, ...rows.slice(0, half), head, ...rows.slice(half)];
      return form === 'none' ? [...rows] : [head, ...rows];
    };
    await fc.assert(
      fc.asyncProperty(table, shape, async (rows, form) => {
        const found = (await texts(stringify(written(rows, form)))).join('\n');
        // A row that is taken for a head is written as the names of columns are; the form of a small sigma depends on what follows.
        const plain = (text: string) =>
          text
            .normalize('NFKC')
            .toLowerCase()
            .replaceAll('ς', 'σ')
            .replace(/[^\p{L}\p{N}]+/gu, '');
        const all = plain(found);
        for (const word of rows.flat().join(' ').split(/\s/u)) expect(all).toContain(plain(word));
      }),
      { numRuns: 400 },
    );
  });
});

describe('questions about tables', () => {
  const directory = mkdtempSync(join(tmpdir(), 'csv-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('are answered by the row, first, and not by the row of another one', async () => {
    const people =
      'Name,Phone,Room,Since\nAda Bly,0171 22,4.12,2019\nKarl Weber,0172 33,2.07,2021\nMia Sand,0173 44,3.01,2020\n';
    const file = join(directory, 'people.csv');
    writeFileSync(file, people);
    const environment = {
      SVC_DATA_DIR: join(directory, 'data'),
      SVC_INGEST_ROOTS: directory,
      SVC_EMBEDDING: 'static',
      SVC_LOG_LEVEL: 'error',
    };
    const service = await compose(loadConfig({ environment, executable: undefined }));
    try {
      await service.ingest.file(file, 'team');
      for (const [context, wanted] of [
        ["What is Karl Weber's phone number?", '0172 33'],
        ['In which room does Mia Sand sit?', '3.01'],
        ['Since when has Ada Bly been here?', '2019'],
      ] as const) {
        const { items } = await service.retrieval.query({ context, domains: ['team'], top_k: 3 });
        expect([context, items[0]?.content]).toEqual([context, expect.stringContaining(wanted)]);
      }
    } finally {
      await service.close();
    }
  });
});
