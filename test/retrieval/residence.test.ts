import { afterEach, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { asksHome, movesHome } from '../../src/retrieval/conversation/residence.js';

describe('who moved', () => {
  let world: World;
  afterEach(() => world.close());

  async function orderOf(said: readonly string[], question: string): Promise<string[]> {
    world = await openWorld('static');
    for (const [i, text] of said.entries()) {
      const timestamp = `2026-0${i + 1}-05T10:00:00Z`;
      await world.ingest.message({ domain: 'chat', session_id: `s${i}`, role: 'user', text, timestamp });
    }
    const { items } = await world.retrieval.query({ context: question, domains: ['chat'], top_k: 10 });
    return items.map(({ content }) => content.replace(/^[^:]*: /, ''));
  }

  const CAT = 'My cat is called Miso.';
  const TEA = 'I like green tea.';

  it.each([
    ['Where do I live?', 'I live in Rotterdam with my partner Joris.', 'Big news: we moved to Ghent last week.'],
    ['Which city do I live in now?', 'I still live in Rotterdam.', "I've just moved to Ghent."],
    ['Where does Lucia live?', 'Lucia lives in Porto.', 'Lucia moved to Lisbon.'],
    ['Wo wohne ich?', 'Ich wohne in Köln.', 'Letzte Woche bin ich nach Bonn gezogen.'],
  ])('lives elsewhere: %s', async (question, before, after) => {
    expect((await orderOf([before, TEA, CAT, after], question)).slice(0, 2)).toEqual([after, before]);
  });

  it('lives where the last move led', async () => {
    const said = ['I live in Rotterdam.', TEA, 'I moved to Ghent.', CAT, 'I moved to Antwerp.'];
    const order = await orderOf(said, 'Where do I live?');
    expect(order.slice(0, 3)).toEqual(['I moved to Antwerp.', 'I moved to Ghent.', 'I live in Rotterdam.']);
  });

  it('lived where it says where a question asks for the past', async () => {
    const [first] = await orderOf(['I live in Rotterdam.', TEA, 'I moved to Ghent.'], 'Where did I live before?');
    expect(first).toBe('I live in Rotterdam.');
  });
});

describe('a move', () => {
  it.each([
    ['I live in Rotterdam.', 'My sister moved to Paris.'],
    ['I live in Rotterdam.', 'The meeting was moved to Friday.'],
    ['I live in Rotterdam.', 'I moved to the sales department.'],
    ['I live in Rotterdam.', 'I moved the sofa to the window.'],
    ['Lucia lives in Porto.', 'I moved to Ghent.'],
    ['My cat is called Miso.', 'I moved to Ghent.'],
  ])('is none of who "%s" speaks of: "%s"', (earlier, later) => {
    expect(movesHome(earlier, later)).toBe(false);
  });

  it.each([
    ['We live in Rotterdam.', 'I moved into a small flat.'],
    ["J'habite à Lyon.", "J'ai déménagé à Marseille."],
    ['Vivo en Sevilla.', 'Me mudé a Madrid en mayo.'],
    ['Abito a Torino.', 'Mi sono trasferita a Roma.'],
    ['Moro em Faro.', 'Mudei-me para Lisboa.'],
    ['Ik woon in Leiden.', 'Ik ben naar Utrecht verhuisd.'],
  ])('is known: "%s", then "%s"', (earlier, later) => {
    expect(movesHome(earlier, later)).toBe(true);
  });

  it('is asked for by where somebody lives', () => {
    const asked = ['What is my address?', 'Wo wohnen wir?', "Où est-ce que j'habite ?", 'Who is my doctor?'];
    expect(asked.map(asksHome)).toEqual([true, true, true, false]);
  });
});
