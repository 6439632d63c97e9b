import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { stem } from '../../src/core/text/stems/stem.js';
import { type Word, wordsOf } from '../../src/core/text/words.js';
import { compoundsIn } from '../../src/retrieval/seed/held-compounds.js';
import { seed } from '../../src/retrieval/seed/seed.js';

const GERMAN = `# Handbuch

## Schlüssel

Den Schlüssel des Bootshauses hat Frau Lindner.

## Sauna

Der Saunaschlüssel hängt im Büro.

## Beitrag

Der Beitrag der Mitglieder ist im März fällig. Die Boote liegen im Regal.

## Kündigung

Ein Mitgliedsbeitrag wird nicht erstattet.

## Halle

Das Wasser in der Halle ist kalt. Der Stand der Kasse hängt aus.
`;
const DUTCH =
  '# Huis\n\n## Ketel\n\nDe druk van het water is twee bar.\n\n## Schuur\n\nHet fietsslot hangt in de schuur.\n';
const SWEDISH =
  '# Skola\n\n## Sal\n\nNyckeln till gymnastiksalen finns hos vaktmästaren.\n\n## Bussar\n\nBusskortet beställs på kansliet.\n';
const ENGLISH =
  '# Boats\n\n## Safety\n\nA lifejacket is worn on the water. The greenhouse is warm.\n\n## Clothes\n\nA jacket for rain lasts a life.\n\n## House\n\nThe house has a green door. A light in the house shines on the gold of the smith. A man works in the house.\n\n## Horse\n\nThe horse shoe hangs over the bridge.\n';

let world: World;
beforeAll(async () => {
  world = await openWorld('none');
  for (const [domain, text] of Object.entries({ german: GERMAN, dutch: DUTCH, swedish: SWEDISH, english: ENGLISH }))
    await world.ingest.text({ domain, text, format: 'markdown', name: 'text.md' });
});
afterAll(() => world.close());

/** Returns what stands for words of a question, such as "bootshaus+schlussel" for "bootshausschlussel". */
async function found(domain: string, question: string): Promise<Record<string, string>> {
  const { compounds } = (await seed(world.parts, question, { domains: [domain], topK: 5 })).question;
  return Object.fromEntries(
    compounds.map(({ asked, written }) => [
      asked.map(({ norm }) => norm).join('+'),
      written.map((stems) => [...stems].join('/')).join('+'),
    ]),
  );
}

async function best(domain: string, context: string): Promise<{ readonly text: string; readonly score: number }> {
  const { items } = await world.retrieval.query({ context, domains: [domain], top_k: 1 });
  return { text: items[0]?.content ?? '', score: items[0]?.score ?? 0 };
}

describe('a word of the question', () => {
  it.each([
    ['german', 'Wer hat den Bootshausschlüssel?', 'bootshausschlussel', 'bootshaus+schlussel'],
    ['german', 'Wann ist der Mitgliedsbeitrag fällig?', 'mitgliedsbeitrag', 'mitglied+beitrag'],
    ['dutch', 'Hoe hoog is de waterdruk?', 'waterdruk', 'water+druk'],
    ['swedish', 'Vem har gymnastiksalsnyckeln?', 'gymnastiksalsnyckeln', 'gymnastiksalen+nyckeln'],
  ])('is two words where the documents write them apart: %s, %s', async (domain, question, asked, written) =>
    expect(await found(domain, question)).toEqual({ [asked]: written }),
  );

  it.each([
    ['german', 'Wo ist der Bootsschein?'],
    ['german', 'Wo ist der Kellerschlüssel?'],
    ['english', 'Where is the housekeeper?'],
    ['english', 'Who is the doorman?'],
    ['english', 'Where does Goldsmith live?'],
    ['german', 'Wer ist Herr Wasserhalle?'],
    ['dutch', 'Wanneer komt de familie Waterdruk?'],
  ])('is not divided where the documents lack a part or it is a name: %s, %s', async (domain, question) =>
    expect(await found(domain, question)).toEqual({}),
  );
});

describe('two words of the question', () => {
  it.each([
    ['german', 'Wo hängt der Schlüssel für die Sauna?', { 'schlussel+sauna': 'saunaschlussel' }],
    ['dutch', 'Waar hangt het slot van de fietsen?', { 'slot+fietsen': 'fietsslot' }],
    ['swedish', 'Var beställs kort till bussen?', { 'kort+bussen': 'busskortet' }],
    ['english', 'Who wears a life jacket?', { 'life+jacket': 'lifejacket' }],
    ['english', 'Who wears a life-jacket?', { 'life+jacket': 'lifejacket' }],
  ])('are one word where the documents write them so: %s, %s', async (domain, question, expected) =>
    expect(await found(domain, question)).toMatchObject(expected),
  );

  it.each(['Which house is green?', 'Is a jacket for life?', 'Is it green, house by house?'])(
    'are none in English where they do not follow each other: %s',
    async (question) => expect(await found('english', question)).toEqual({}),
  );

  it('stay two where another domain alone writes them as one', async () =>
    expect(await found('dutch', 'Wo hängt der Schlüssel für die Sauna?')).toEqual({}));
});

describe('a question with a compound', () => {
  it.each([
    ['german', 'Wer hat den Bootshausschlüssel?', 'Lindner'],
    ['german', 'Wo hängt der Schlüssel für die Sauna?', 'im Büro'],
    ['german', 'Wann ist der Mitgliedsbeitrag fällig?', 'im März'],
    ['dutch', 'Hoe hoog is de waterdruk?', 'twee bar'],
    ['english', 'Who wears a life jacket on the water?', 'lifejacket'],
  ])('is answered by what writes its parts apart or as one: %s, %s', async (domain, question, answer) => {
    const { text, score } = await best(domain, question);
    expect(text).toContain(answer);
    expect(score).toBeGreaterThan(0.5);
  });

  it.each(['Wo ist der Bootsschein?', 'Wie hoch ist der Wasserstand?', 'Wo ist das Bootsregal des Vorstands?'])(
    'is not answered by one part, nor by both in two sentences: %s',
    async (question) => expect((await best('german', question)).score).toBeLessThan(0.2),
  );

  it.each(['Where is the lighthouse?', 'Who is the goldsmith?', 'Who does the housework?'])(
    'is not answered by words of English that do not follow each other: %s',
    async (question) => expect((await best('english', question)).score).toBeLessThan(0.2),
  );

  it('is answered by words of English that follow each other', async () => {
    const { text, score } = await best('english', 'Where is the horseshoe?');
    expect(text).toContain('over the bridge');
    expect(score).toBeGreaterThan(0.5);
  });

  it('names the word of the question as matched', async () => {
    const { items } = await world.retrieval.query({
      context: 'Wer hat den Bootshausschlüssel?',
      domains: ['german'],
      top_k: 1,
    });
    expect(items[0]!.metadata.why).toMatchObject({ terms: ['Bootshausschlüssel'] });
  });

  it('may be long', async () => {
    expect(await found('german', `Wer hat ${'den Bootshausschlüssel '.repeat(500)}?`)).toEqual({});
    expect(await found('german', `Wo ist der ${'schlussel'.repeat(30)}?`)).toEqual({});
  });
});

describe('words that a sentence holds by compounds', () => {
  const word = (norm: string): Word => ({ norm, stem: stem(norm, 'german'), stop: false, languages: undefined });
  const compounds = [
    { asked: [word('hausboot')], written: [new Set(['haus']), new Set(['boot'])] },
    { asked: [word('sauna'), word('schlussel')], written: [new Set(['saunaschlussel'])] },
  ];
  const held = (sentence: string, title = ''): string[] =>
    compoundsIn(compounds, wordsOf(sentence, 'german'), wordsOf(title, 'german')).map(({ norm }) => norm);

  it('are those of which it holds all parts, some of them in its title', () => {
    expect(held('Das Boot ist ein Haus.')).toEqual(['hausboot']);
    expect(held('Das Boot ist alt.', 'Haus')).toEqual(['hausboot']);
    expect(held('Der Saunaschlüssel fehlt.')).toEqual(['sauna', 'schlussel']);
  });

  it('are none where it lacks a part, or its title holds all', () => {
    expect(held('Das Boot ist alt.')).toEqual([]);
    expect(held('Es ist alt.', 'Haus und Boot')).toEqual([]);
    expect(held('')).toEqual([]);
  });
});
