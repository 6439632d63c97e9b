import { afterEach, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';

type Said = readonly [speaker: string, text: string];

const CAT: Said = ['Ann', 'My cat is called Miso.'];
const TEA: Said = ['Ann', 'I like green tea.'];

let world: World;
afterEach(() => world.close());

/** Says each turn a month after the one before it. */
async function orderOf(said: readonly Said[], question: string): Promise<string[]> {
  world = await openWorld('static');
  for (const [i, [speaker, text]] of said.entries()) {
    const timestamp = `2026-0${i + 1}-05T10:00:00Z`;
    await world.ingest.message({ domain: 'chat', session_id: `s${i}`, role: 'user', speaker, text, timestamp });
  }
  const { items } = await world.retrieval.query({ context: question, domains: ['chat'], top_k: 10 });
  return items.map(({ content }) => content.replace(/^[^:]*: /, ''));
}

const own = (text: string): Said => ['Ann', text];

describe('what a person has one of at a time', () => {
  it.each([
    ['Where do I live?', 'I live in Rotterdam with my partner Joris.', 'Big news: we moved to Ghent last week.'],
    ['Which city do I live in now?', 'I still live in Rotterdam.', "I've just moved to Ghent."],
    ['Where does Lucia live?', 'Lucia lives in Porto.', 'Lucia moved to Lisbon.'],
    ['Where do I live?', 'I live in Oslo.', 'Moved from Oslo to Bergen last weekend.'],
    ['Where do I live?', 'I live in Oslo.', 'We relocated from Oslo back to Bergen.'],
    ['Where do I live?', 'I live in Oslo.', 'Finally moved to Bergen. Boxes everywhere.'],
    ['Where do I live?', 'I live in Oslo.', 'We moved to Mayfair.'],
    ['Where do I live?', 'I live in Oslo.', 'Moved from Oslo to Bergen.'],
    ['Where do I live?', 'I live in New York City.', 'Moved from New York City, USA to Bergen.'],
    ['Where do I live?', 'I live in New York.', 'Just moved from New York City, USA to Bergen.'],
    ['Where do I live?', 'I live in Oslo.', 'Moved to Bergen in May.'],
    ['Where do I live?', 'I live in Oslo.', 'Moved into our new house, finally.'],
    ['Wo wohne ich?', 'Ich wohne in Köln.', 'Letzte Woche bin ich nach Bonn gezogen.'],
    ['Where do I work?', 'I work at Philips, in the lighting team.', 'I started at ASML last week.'],
    ['Where does Ann work?', 'I work at Philips.', 'I quit my job in May.'],
    ['Wo arbeite ich?', 'Ich arbeite bei Siemens.', 'Ich habe letzte Woche bei Bosch angefangen.'],
    ['Which car do I drive?', 'I drive a Golf.', 'We bought a Skoda.'],
    ['Who is my boyfriend?', 'My boyfriend Tom likes tea.', 'Ben and I are together now.'],
    ['Who is my dentist?', 'My dentist is Dr Blum.', 'I go to Dr Weiss now.'],
    ['Which phone do I have?', 'My phone is a Nokia.', 'I got an iPhone from work.'],
    ['Which school does Mia go to?', 'My daughter Mia goes to the Montessori school.', 'Mia starts at Park Academy.'],
    ['Do I eat fish?', 'I eat fish.', "I'm vegan now."],
    ['Which bank do I use?', 'I bank with ING.', 'I opened an account with Triodos.'],
    ['What is my favourite band?', 'My favourite band is Blur.', 'Pulp are my favourite band.'],
  ])('is what the last statement says: %s', async (question, before, after) => {
    expect((await orderOf([before, TEA[1], CAT[1], after].map(own), question)).slice(0, 2)).toEqual([after, before]);
  });

  it('is where the last of several changes led', async () => {
    const said = ['I live in Rotterdam.', TEA[1], 'I moved to Ghent.', CAT[1], 'I moved to Antwerp.'].map(own);
    const order = await orderOf(said, 'Where do I live?');
    expect(order.slice(0, 3)).toEqual(['I moved to Antwerp.', 'I moved to Ghent.', 'I live in Rotterdam.']);
  });

  it.each([
    ['Where did I live before?', 'I live in Rotterdam.', 'I moved to Ghent.'],
    ['Where did I work before?', 'I work at Philips.', 'I started at ASML.'],
  ])('is the former one where a question asks for the past: %s', async (question, before, after) => {
    expect((await orderOf([own(before), TEA, own(after)], question))[0]).toBe(before);
  });

  it.each([
    ["Where does Ann's brother work?", 'My brother works at Philips.', 'I started at ASML.'],
    ['Where does Ann work?', 'I work at Philips.', 'My brother started at ASML.'],
    ['Where do I work?', 'I work at Philips.', 'I started at six this morning.'],
    ['Who is my dentist?', 'My dentist is Dr Blum.', 'My lawyer is Dr Weiss.'],
    ['Which dentist am I not afraid of?', 'My dentist is Dr Blum, I am not afraid of her.', 'I go to Dr Weiss now.'],
    ['Where do I live?', 'I live in Rotterdam.', 'I moved the sofa to the window.'],
    ['Where do I live?', 'I live in Rotterdam.', 'I moved to the sales department.'],
    ['Where do I live?', 'I live in Rotterdam.', 'My sister moved to Paris.'],
    ['Where does Lucia live?', 'Lucia lives in Porto.', 'I moved to Ghent.'],
    ['Where do I live?', 'I live in Rotterdam.', 'Moved to Thursday, sorry.'],
    ['Where do I live?', 'I live in Oslo.', 'Moved from Trello to Linear last week.'],
    ['Where do I live?', 'I live in Oslo.', 'Moved to Slack, Teams was awful.'],
    ['Where do I live?', 'I live in Oslo.', 'Moved to Slack last week.'],
    ['Where do I live?', 'I live in Oslo.', 'We moved to Microsoft Teams in May.'],
    ['Where do I live?', 'I live in Oslo.', 'Finally moved to Postgres.'],
    ['Where do I live?', 'I live in Oslo.', 'Moved to tears by that film.'],
    ['Where do I live?', 'I live in Oslo.', 'Moved to tears by that film last weekend.'],
    ['Where do I live?', 'I live in New Haven.', 'Moved from New Relic to Grafana.'],
    ['Where do I live?', 'I live in Rotterdam.', 'Choir moved from Monday to Thursday.'],
    ['Where do I live?', 'I live in Rotterdam.', 'I moved from the lighting team to sales.'],
    ['Which car do I drive?', 'I drive a Golf.', 'I bought a sofa.'],
  ])('stays where something else changed: %s %s %s', async (question, right, other) => {
    expect((await orderOf([own(right), TEA, own(other)], question))[0]).toBe(right);
  });

  it('stays where another speaker tells of himself', async () => {
    const said: Said[] = [['Ann', 'I work at Philips.'], TEA, ['Ben', 'I started at ASML.']];
    expect((await orderOf(said, 'Where does Ann work?'))[0]).toBe('I work at Philips.');
  });

  it.each([
    ['Où est-ce que je travaille ?', 'Je travaille chez Airbus.', "J'ai commencé chez Michelin."],
    ['¿Dónde vivo?', 'Vivo en Sevilla.', 'Me mudé a Madrid en mayo.'],
    ['Dove abito?', 'Abito a Torino.', 'Mi sono trasferita a Roma.'],
    ['Onde moro?', 'Moro em Faro.', 'Mudei-me para Lisboa.'],
    ['Waar woon ik?', 'Ik woon in Leiden.', 'Ik ben naar Utrecht verhuisd.'],
  ])('is known in other languages: %s', async (question, before, after) => {
    expect((await orderOf([before, TEA[1], after].map(own), question))[0]).toBe(after);
  });
});
