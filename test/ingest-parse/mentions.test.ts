import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { namesIn, questionEntities, questionKeys } from '../../src/core/text/mentions.js';
import { tokenize } from '../../src/core/text/tokens.js';
import { collectTerms, termsIn } from '../../src/ingest/extract/terms.js';

const active =
  (...keys: string[]) =>
  (key: string) =>
    keys.includes(key);
const matchMentions = (text: string, isActive: (key: string) => boolean) => namesIn(text).mentions(isActive);
const candidateKeys = (text: string) => namesIn(text).keys;
const names = (text: string, ...keys: string[]) => matchMentions(text, active(...keys)).map((part) => part.name);
const entityNames = async (text: string, ...keys: string[]) =>
  (await questionEntities(text, active(...keys))).map((part) => part.name);

describe('names in a sentence', () => {
  it('takes the longest active key, left to right', () => {
    expect(names('In 1990 Paris Hilton Hotel opened.', 'paris', 'paris hilton', 'paris hilton hotel')).toEqual([
      'Paris Hilton Hotel',
    ]);
  });

  it('matches an active key with an article, a small tail, a possessive', () => {
    expect(names('He studied the Demon algorithm at night.', 'the demon algorithm', 'demon algorithm')).toEqual([
      'the Demon algorithm',
    ]);
    expect(matchMentions("It shows Scott's house.", active('scott'))).toEqual([
      { key: 'scott', name: 'Scott', token: 2, length: 1 },
    ]);
  });

  it('needs a capital or a number, and never takes a single stop word', () => {
    expect(names('It met a demon by the gate.', 'demon', 'it', 'the')).toEqual([]);
    expect(names('It was shown in 1984 too.', '1984')).toEqual(['1984']);
    expect(names('He heard Let It Be twice.', 'let it be')).toEqual(['Let It Be']);
  });

  it('joins what remains over connectors and initials and drops stop words in front', () => {
    expect(names('The Bank of England hired J. R. R. Tolkien and Vincent van Gogh.')).toEqual([
      'Bank of England',
      'J. R. R. Tolkien',
      'Vincent van Gogh',
    ]);
  });

  it('keeps names apart at commas and possessives', () => {
    expect(names("We saw Ridley Scott's Gladiator in Rome, Italy.")).toEqual([
      'Ridley Scott',
      'Gladiator',
      'Rome',
      'Italy',
    ]);
  });

  it('takes the letter at the end of a code for a part of it', async () => {
    expect(names('The cores lie in box Y5-A and box Y5-B.')).toEqual(['Y5-A', 'Y5-B']);
    expect(names('They met at Gate 5 A year later.')).toEqual(['Gate 5']);
    expect(await entityNames('Which cores lie in Y5-A?', 'y5', 'y5 a')).toEqual(['Y5-A']);
  });

  it('takes no label in the head of a mail for a name, nor what a subject answers', async () => {
    const head = [
      'From: Anna Keller <anna@example.org>',
      'Sent: Monday, March 2, 2026 9:00 AM',
      'To: Ben Okafor',
      'Cc: Mira Voss',
      'Date: Tue, 3 Mar 2026 10:00:00 +0000',
      'Message-ID: <abc@example.org>',
      '> Reply-To: Ada Bly',
      'Subject: Re: Fwd: The Boathouse',
    ];
    const people = ['Anna Keller', 'Ben Okafor', 'Mira Voss', 'Ada Bly', 'Boathouse'];
    expect(names(head.join('\n'))).toEqual(people);
    expect(head.flatMap((line) => names(line))).toEqual(people);
    expect(names(head.join('\n'), 'subject', 'date', 're')).toEqual(people);
    expect(await entityNames('Re: What does Mira Voss want?')).toEqual(['Mira Voss']);
    expect(names('He set the Date and the Subject: all of it.')).toEqual(['Date', 'Subject']);
    expect(termsIn(head.join('\n'), await collectTerms([])).map(({ name }) => name)).toEqual(people);
  });

  it('takes no Roman numeral after a name for a name of its own', async () => {
    expect(names('A waltz by Johann Strauss II was played.', 'johann strauss', 'ii')).toEqual(['Johann Strauss']);
    expect(names('A waltz by Johann Strauss II was played.', 'johann strauss ii', 'ii')).toEqual(['Johann Strauss II']);
    expect(names('The river passes Ii in the north.', 'ii')).toEqual(['Ii']);
    expect(await entityNames('Who taught Johann Strauss II?', 'johann strauss', 'ii')).toEqual(['Johann Strauss']);
  });

  it('takes neither months nor verbs at the start of a sentence, nor shouting', () => {
    expect(names('Restart the ledger on Monday, 3 June.')).toEqual([]);
    expect(names('NEVER RESTART THE LEDGER NOW')).toEqual([]);
  });
});

describe('questionEntities', () => {
  it('needs no capitals for active names of several words', async () => {
    expect(await entityNames('who wrote the demon algorithm?', 'demon algorithm')).toEqual(['demon algorithm']);
    expect(await entityNames('who wrote about the demon?', 'demon', 'the demon')).toEqual([]);
  });

  it('needs no capital for the name that is all a question asks for', async () => {
    expect(await entityNames('When are backups?', 'backups')).toEqual(['backups']);
    expect(await entityNames('backups', 'backups')).toEqual(['backups']);
    expect(await entityNames('When do backups start?', 'backups')).toEqual([]);
    expect(await entityNames('When are backups?')).toEqual([]);
  });

  it('finds titles of up to sixteen words', async () => {
    const title = 'Ida and the Wet, Windy, No Use, Very Long Way Home';
    const key = 'ida and the wet windy no use very long way home';
    expect(await entityNames(`Who wrote ${title}?`, key)).toEqual([title]);
  });

  it('finds names that nothing is about', async () => {
    expect(await entityNames('Where was Raoul Walsh born?')).toEqual(['Raoul Walsh']);
  });
});

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        'Paris',
        'the',
        'of',
        'demon',
        "Scott's",
        'Let',
        'It',
        'Be',
        '1984',
        ',',
        '.',
        '(',
        'is',
        'U.S.',
        'König',
        '東京',
      ),
      { maxLength: 30 },
    )
    .map((words) => words.join(' ')),
);

describe('candidate keys', () => {
  it.each([
    ['matchMentions', matchMentions, candidateKeys],
    ['questionEntities', questionEntities, questionKeys],
  ] as const)('hold every key that %s asks for', async (_, match, candidates) => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const offered = new Set(await candidates(text));
        await match(text, (key) => {
          expect(offered.has(key)).toBe(true);
          return key.length % 2 === 0;
        });
      }),
      { numRuns: 300 },
    );
  });

  it('give mentions in order, without overlap, inside the sentence', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const count = tokenize(text).length;
        let at = 0;
        for (const part of matchMentions(text, (key) => key.length % 3 === 0)) {
          expect(part.token).toBeGreaterThanOrEqual(at);
          expect(part.length).toBeGreaterThan(0);
          expect(text).toContain(part.name);
          at = part.token + part.length;
        }
        expect(at).toBeLessThanOrEqual(count);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['Always wash the pot.', 'Immer die Kanne spülen.', 'He said Never, and left.', 'Sometimes Ana sings.'])(
    'takes no adverb or function word for a name: %s',
    (sentence) => {
      const names = namesIn(sentence)
        .mentions(() => false)
        .map((mention) => mention.key);
      for (const word of ['always', 'immer', 'never', 'sometimes']) expect(names).not.toContain(word);
    },
  );

  it.each([
    ['spanish', 'Hay que pedirlas antes del 15 de marzo.', 'Hay'],
    ['spanish', 'Cada persona tiene dos camisetas.', 'Cada'],
    ['french', 'Elle ne couvre pas les sorties hors de France.', 'Elle'],
    ['german', 'Wir liefern an Hotels in Leeds.', 'Wir'],
  ])('takes no function word of the language of its text for a name: %s', (language, sentence, word) => {
    const found = (of?: string) =>
      namesIn(sentence, { textLanguage: of })
        .mentions(() => false)
        .map(({ name }) => name);
    expect(found()).toContain(word);
    expect(found(language)).not.toContain(word);
  });

  it('keeps an abbreviation that is spelled as a function word', () => {
    const found = namesIn('Lo paga la SE.', { textLanguage: 'spanish' }).mentions(() => false);
    expect(found.map(({ name }) => name)).toContain('SE');
  });

  it('takes no French word behind an article without its vowel for a name', () => {
    expect(names("L'annulation est gratuite.")).toEqual([]);
    expect(names('D’autres vélos sont à Biarritz.')).toEqual(['Biarritz']);
    expect(names("L'Oréal vend à Biarritz.")).toEqual(["L'Oréal", 'Biarritz']);
  });

  it('ends a name at an empty line and at a line with a label', () => {
    expect(names('It was at Leeds Market\n\nDear Mrs Okafor')).toEqual(['Leeds Market', 'Dear Mrs Okafor']);
    expect(names('Place: Ereaga Beach, Getxo\nAuthor: Jon Mendieta')).toEqual([
      'Place',
      'Ereaga Beach',
      'Getxo',
      'Author',
      'Jon Mendieta',
    ]);
    expect(names('Rapport INC-2026\nDate : 21 avril')).not.toContain('INC-2026\nDate');
    expect(names('He worked for the Bank of\nEngland for years.')).toEqual(['Bank of\nEngland']);
  });

  it('ends a name with a line of names alone, as minutes and letters have them', () => {
    expect(names('1. Safety\nJana reported that the hood failed.')).toEqual(['Safety', 'Jana']);
    expect(names('Havelock Mutual\nCustomer Service, Norwich')).toEqual([
      'Havelock Mutual',
      'Customer Service',
      'Norwich',
    ]);
    expect(names('Philippa Dunmore\nRenewals')).toEqual(['Philippa Dunmore', 'Renewals']);
    expect(names('Bank of\nEngland')).toEqual(['Bank of\nEngland']);
    expect(names('Mr and Mrs D. Aldous\n14 Quarry Rise\nBungay')).toContain('Mrs D. Aldous');
    expect(names('The minutes go to Priya\n1. Safety')).toEqual(['Priya', 'Safety']);
  });

  it('leaves an amount out of a name', () => {
    expect(names('The insurer was Allianz 2.910 € a year, then Boeing 747 came.')).toEqual(['Allianz', 'Boeing 747']);
    expect(names('It costs at Kettle 12 % more, and Harlan 22 kg less.')).toEqual(['Kettle', 'Harlan']);
  });

  it('takes no month or weekday of another language for a name', () => {
    expect(names('Wir öffnen im März und am Montag in Leeds.')).toEqual(['Wir', 'Leeds']);
    expect(names('Biarritz : Lundi fermé, Mardi ouvert.')).toEqual(['Biarritz']);
    expect(names('Bilbao abre el Lunes y el Sábado.')).toEqual(['Bilbao']);
  });

  const namesOf = (textLanguage: string, text: string, ...keys: string[]) =>
    namesIn(text, { textLanguage })
      .mentions(active(...keys))
      .map(({ name }) => name);

  it('takes what is a month or weekday in another language than that of the text for a name', async () => {
    expect(namesOf('english', 'The fireman met Montag and bought a bag of Freitag.')).toEqual(['Montag', 'Freitag']);
    expect(namesOf('german', 'Wir öffnen am Montag in Leeds.')).toEqual(['Leeds']);
    expect(namesOf('german', 'Wir trafen Lundi im March in Leeds.')).toEqual(['Lundi', 'Leeds']);
    const terms = await collectTerms([]);
    expect(termsIn('The fireman met Montag.', terms, 'english').map(({ name }) => name)).toEqual(['Montag']);
    expect(await entityNames('What did the fireman say to Montag of the books?')).toEqual(['Montag']);
  });

  it('takes an apostrophe for one of French or Italian in these languages alone', async () => {
    expect(namesOf('english', "He saw D'arcy in L'viv with D'angelo.")).toEqual(["D'arcy", "L'viv", "D'angelo"]);
    expect(namesOf('french', "La clé de L'annulation est à Biarritz.")).toEqual(['Biarritz']);
    expect(namesOf('italian', "Nel testo L'annullamento si chiede a Biella.")).toEqual(['Biella']);
    expect(await entityNames("Where did D'arcy meet the king?")).toEqual(["D'arcy"]);
  });

  it('goes on with a name over a line that looks like a label in the middle of a sentence', () => {
    expect(names('It was founded as the United\nNations: a body of many states.')).toEqual(['United\nNations']);
    expect(names('the United\nNations: a body')).toEqual(['United\nNations']);
    expect(names('Playa de Ereaga\nAutor: Jon', 'jon')).toContain('Playa de Ereaga');
    expect(names('It is of the Bank of\nEngland: a house.')).toEqual(['Bank of\nEngland']);
    expect(names('They met at Ereaga Beach\nAuthor: Jon\nPlace: here')).toEqual([
      'Ereaga Beach',
      'Author',
      'Jon',
      'Place',
    ]);
  });

  it('finds a name that is known where it looks like the label of a mail, but not in the head of one', () => {
    expect(names('CC: Creative Commons licences are free.', 'cc')).toEqual(['CC', 'Creative Commons']);
    expect(names('AW: Aruba has beaches.', 'aw')).toEqual(['AW', 'Aruba']);
    expect(names('CC: Cocos\nAW: Aruba\nTR: Turkey', 'cc', 'aw', 'tr')).toEqual([
      'CC',
      'Cocos',
      'AW',
      'Aruba',
      'TR',
      'Turkey',
    ]);
    expect(names('CC: Creative Commons licences are free.')).toEqual(['Creative Commons']);
    expect(names('To: Ben Okafor\nCC: Mira Voss', 'cc')).toEqual(['Ben Okafor', 'Mira Voss']);
  });
});
