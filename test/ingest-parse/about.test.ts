import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aboutKeys, isUnderForeignTitle } from '../../src/core/text/about.js';
import { keyOf, nameKey, writtenAs } from '../../src/core/text/keys.js';
import { tokenize } from '../../src/core/text/tokens.js';

const real = (title: string, text = ''): string[] =>
  aboutKeys(title, text)
    .filter((k) => !k.alias)
    .map((k) => k.key);
const aliases = (title: string, text = ''): string[] =>
  aboutKeys(title, text)
    .filter((k) => k.alias)
    .map((k) => k.key);

describe('aboutKeys', () => {
  it('takes the title without a trailing parenthesis', () => {
    expect(real('Lilu (mythology)')).toEqual(['lilu']);
    expect(real('(Untitled)')).toEqual([nameKey('(Untitled)')]);
  });

  it('takes the last telling part of a heading path, the one above as an alias', () => {
    expect(real('Handbook > Parts > Ledger')).toEqual(['ledger']);
    expect(aliases('Handbook > Parts > Ledger')).toContain('parts');
    expect(real('Ledger > Overview')).toEqual(['ledger']);
    expect(real('Guide > 2.1 Access rights')).toEqual(['access rights']);
  });

  it('has the leading name and the part before a comma as aliases', () => {
    const keys = aliases('Leland, North Carolina', 'Leland Town (pop. 13,527) is a town in Brunswick County.');
    expect(keys).toEqual(['leland', 'leland town']);
  });

  it.each([
    ['Caja', 'Al cierre, el arqueo lo hacen siempre dos personas de la tienda.'],
    ['Vol', 'En cas de vol, le Locataire doit déposer plainte dans les 24 heures.'],
    ['Kasse', 'Nach dem Abschluss, am Abend, wird die Kasse von zwei Leuten gezählt.'],
  ])('has no alias of what opens a sentence in another language: %s', (title, text) => {
    expect(aliases(title, text)).toEqual([]);
  });

  it('has as alias a leading name that begins with a small word of its language', () => {
    expect(aliases('Painter', 'Van Gogh, die in Arles woonde, schilderde het gele huis en een brug.')).toContain(
      'van gogh',
    );
    expect(aliases('Ciudad', 'La Coruña, que está en Galicia, es una ciudad del norte.')).toContain('la coruna');
  });

  it.each([
    ['Meeting', 'Present: Ada, Tom and Mira (remote). They spoke of the budget.'],
    ['AC-77', 'code: AC-77; article: Child seat (€): 3.00; day (€): 5.00.'],
    ['opening.json', '{"shop":"Leeds","season":{"from":"2026-06-15"}}'],
  ])('has no alias of a list that a text opens with: %s', (title, text) => {
    expect(aliases(title, text)).toEqual([]);
  });

  it('has as alias a name with a colon that its sentence says something of', () => {
    expect(aliases('The film', 'Alien: Covenant (2017) is a film of Ridley Scott.')).toContain('alien covenant');
  });

  it.each([
    ['Mission: Impossible (film series), directed by several people, began in 1996.', 'mission impossible'],
    ['Star Wars: Andor, created by Tony Gilroy, began in 2022.', 'star wars andor'],
  ])('has as alias a title with a colon: %s', (text, alias) => {
    expect(aliases('The work', text)).toContain(alias);
  });

  it.each([
    'Present: Ada (remote), Tom. They met.',
    'Present: Ada, and Tom came later. They met.',
    'Date: 21 April, at noon.',
  ])('has no alias of a list behind a colon: %s', (text) => {
    expect(aliases('The work', text)).toEqual([]);
  });

  it('has as alias a name that begins with a function word of its language', () => {
    expect(aliases('Buch', 'Über Bord, ein Buch von der See und dem Wind, ist nicht alt.')).toContain('uber bord');
  });

  it('has no alias of one or two letters, unless it is an abbreviation', () => {
    expect(aliases('Ii, Finland', 'Ii is a municipality of Finland.')).toEqual([]);
    expect(real('Ii, Finland')).toEqual(['ii finland']);
    expect(aliases('UK, domestic flights')).toEqual(['uk']);
  });

  it('takes the leading name of an untitled text, and its shorter forms as aliases', () => {
    const text = 'Sir George Harold Arthur Hamilton (born Joseph Brown) was a painter of boats.';
    expect(real('', text)).toEqual(['sir george harold arthur hamilton']);
    expect(aliases('', text)).toEqual(
      expect.arrayContaining([
        'george harold arthur hamilton',
        'george hamilton',
        'george harold',
        'arthur hamilton',
        'joseph brown',
      ]),
    );
  });

  it('finds nothing that an untitled text without a leading name is about', () => {
    expect(aboutKeys('', 'I was thinking about lunch, and then it rained.')).toEqual([]);
    expect(aboutKeys('', '')).toEqual([]);
    expect(aboutKeys('', '2.1 The Committee is elected in March.')).toEqual([]);
  });

  it('gives each key once, never an empty one, for any title and text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', maxLength: 200 }), (title, text) => {
        const keys = aboutKeys(title, text).map((about) => about.key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys).not.toContain('');
      }),
    );
  });
});

describe('a title that has nothing to do with its text', () => {
  const hopper =
    'Grace Hopper was a computer scientist and an officer of the Navy of the United States. She led the team that made the first ' +
    'compiler, and what she thought of languages became COBOL, which banks still run today.';
  const foreign = (title: string, text: string): boolean => isUnderForeignTitle(title, aboutKeys(title, text));

  it('is an alias of a passage about the name that it opens with', () => {
    expect(real('Drew Pearson Show', hopper)).toEqual(['grace hopper']);
    expect(aliases('Drew Pearson Show', hopper)).toEqual(['drew pearson show']);
    expect(real('People > Drew Pearson Show', hopper)).toEqual(['grace hopper']);
    expect(foreign('People > Drew Pearson Show', hopper)).toBe(true);
  });

  it.each([
    ['holds one word of the title', 'The Navy List', hopper],
    ['stands below a heading that it holds a word of', 'Compilers > Drew Pearson', hopper],
    ['has a title that is no name', 'Who pays for it?', hopper],
    ['has a title in small letters', 'Opening hours', hopper],
    ['is short', 'Blue Whale', 'Amir Hosseini (until Friday) is the borrower of it.'],
    ['lists', 'Team Members', `* ${hopper}`],
    [
      'says not what a name is',
      'Team Members',
      hopper.replace('Grace Hopper was a', 'Grace Hopper, the').replace(' and an officer', ', an officer'),
    ],
    ['opens with no name', 'Team Members', hopper.replace('Grace Hopper', 'A new colleague')],
    ['has no title', '', hopper],
  ])('is not told of a text that %s', (_, title, text) => {
    expect(foreign(title, text)).toBe(false);
    if (title !== '') expect(real(title, text)).toEqual([nameKey(title.split(' > ').at(-1)!)]);
  });
});

describe('a title that is the name of a file', () => {
  const file = { isFileName: true };
  const murray =
    'Grace Brewster Hopper (born Grace Murray) was an officer of the Navy of the United States. She led the team that made the first ' +
    'compiler, and what she thought of languages became COBOL, which banks still run today.';

  it('is an alias where it has nothing to do with the text, written as it may be', () => {
    for (const name of ['0.txt', 'doc-12', 'page 7.md']) {
      expect(aboutKeys(name, murray, file)[0]).toEqual({ key: 'grace brewster hopper', alias: false });
      expect(aboutKeys(name, murray, file)).toContainEqual({ key: nameKey(name), alias: true });
      expect(isUnderForeignTitle(name, aboutKeys(name, murray, file))).toBe(true);
      expect(real(name, murray)).toEqual([nameKey(name)]);
    }
  });

  it('leaves the text the shorter forms of the name that it opens with', () => {
    const keys = aboutKeys('compiler history.txt', murray, file);
    expect(keys[0]).toEqual({ key: 'compiler history txt', alias: false });
    for (const key of ['grace brewster hopper', 'grace hopper', 'grace murray'])
      expect(keys).toContainEqual({ key, alias: true });
    expect(aliases('compiler history.txt', murray)).not.toContain('grace hopper');
  });

  it('stays what a text is about that opens with no name', () => {
    expect(aboutKeys('notes.txt', 'We met at nine and spoke of the boiler.', file)).toEqual([
      { key: 'notes txt', alias: false },
    ]);
  });
});

describe('nameKey', () => {
  it('makes names meet that differ in case, accents, hyphens and space', () => {
    for (const name of ['Jay-Z', 'Jay – Z', 'jay  z', 'JAY Z']) expect(nameKey(name)).toBe('jay z');
    expect(nameKey('Beyoncé')).toBe(nameKey('BEYONCE'));
  });

  it('keeps C, C++ and C# apart, and a name without a word as it is', () => {
    expect(new Set(['C', 'C++', 'C#'].map(nameKey)).size).toBe(3);
    expect(nameKey(' ++ ')).toBe('++');
  });

  it('is the key of the tokens of the name, and stays itself when taken again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const tokens = tokenize(name);
        if (tokens.length > 0) expect(nameKey(name)).toBe(keyOf(tokens));
      }),
    );
  });

  it('is found in a text as the text writes it', () => {
    const text = 'A dent is reported to Harlan & Sons within two days.';
    expect(writtenAs(nameKey('HARLAN & sons'), text)).toBe('Harlan & Sons');
    expect(writtenAs('within', text)).toBe('within');
    expect(writtenAs('harlan brothers', text)).toBe('harlan brothers');
  });
});
