import { describe, expect, test } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';
import type { GraphNode } from '../../src/core/model.js';
import { splitSentences } from '../../src/core/text/sentences.js';
import { Copies } from '../../src/retrieval/expand/copies.js';
import { ItemTexts } from '../../src/retrieval/expand/item-words.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';
import { heldTogether, rareHolders, rareUnits, rarity } from '../../src/retrieval/seed/rare.js';
import { passage, question } from './literals.js';

const FIRST = ['Anna', 'Bruno', 'Clara', 'David', 'Elena', 'Felix', 'Greta', 'Hans', 'Ida', 'Jonas', 'Karla', 'Lars'];
const FAMILIES = ['Albers', 'Brandt', 'Conrad', 'Dietz', 'Ernst', 'Franke', 'Gerber', 'Huber', 'Iversen', 'Jung'];
const text = "Where does Corey Lund's band play?";
const asked = question({
  text,
  words: questionWords(text, [], { idf: new Map() }),
  parts: [{ key: 'corey lund', name: 'Corey Lund', token: 2, length: 2 }],
  documentFrequencies: new Map([
    ['corey', 40],
    ['lund', 30],
    ['band', 3],
    ['play', 900],
    ['zither', 0],
  ]),
});

function inSentences(node: GraphNode): GraphNode {
  return { ...node, passage: { ...node.passage!, sentences: splitSentences(node.description) } };
}

describe('rare units of a question', () => {
  test('are words in few documents, and names of several words', () => {
    expect(rareUnits(asked)).toEqual([{ stems: ['band'] }, { stems: ['corey', 'lund'], key: 'corey lund' }]);
  });

  test('are held by the items of all domains', async () => {
    const lists = new Map([
      ['a', [['1', '2'], ['2']]],
      ['b', [['9'], []]],
    ]);
    const containingEach = async (domain: string) => lists.get(domain)!;
    const holders = await rareHolders({ text: { containingEach } as never }, asked, ['a', 'b']);
    expect(holders.map(({ ids }) => ids)).toEqual([['1', '2', '9'], ['2']]);
  });

  test('are held where one sentence or the title holds a whole name, as far as any does', () => {
    const nodes = new Map(
      [
        passage('1', 'Corey Lund founded a band.'),
        passage('2', 'Corey plays the drums in the village band. The town of Lund lies elsewhere.'),
        passage('3', 'Nobody here.'),
      ].map((node) => [node.id, inSentences(node)]),
    );
    const texts = new ItemTexts();
    const unit = { stems: ['corey', 'lund'], key: 'corey lund' };
    const at = (ids: string[]) => heldTogether([{ ...unit, ids }], { nodes, texts })[0]!.ids;
    expect(at(['1', '2'])).toEqual(['1']);
    expect(at(['2'])).toEqual(['2']);
    expect(heldTogether([{ stems: ['band'], ids: ['1', '2'] }], { nodes, texts })[0]!.ids).toEqual(['1', '2']);
  });

  test('are none where more than eight documents hold them', async () => {
    const many = Array.from({ length: 9 }, (_, i) => String(i));
    const containingEach = async () => [many, []];
    expect(await rareHolders({ text: { containingEach } as never }, asked, ['a'])).toEqual([]);
  });

  test('give each holder 1/√n of the rarest unit; copies of a text count once', () => {
    const copies = new Copies();
    expect([...rarity([{ ids: ['1', '2', '9'] }, { ids: ['2'] }], copies)]).toEqual([
      ['1', 1 / Math.sqrt(3)],
      ['2', 1],
      ['9', 1 / Math.sqrt(3)],
    ]);
    const text = 'The gate of the lower lock is closed at nine in the evening.';
    copies.add([passage('1', text), passage('9', text.toUpperCase())]);
    expect(rarity([{ ids: ['1', '2', '9'] }], copies).get('1')).toBe(1 / Math.sqrt(2));
  });
});

describe('a name in a table', () => {
  test.each(['static', 'none'] as const)(
    'is found in its row, not in the piece with its words in several rows, with %s',
    async (model) => {
      const world = await openWorld(model);
      const people = FAMILIES.flatMap((family) => FIRST.map((first) => `${first} ${family}`));
      const rows = people.map((name, i) => `| ${name} | B${100 + i} | ${4000 + 7 * i} |`);
      const text = `# Phone list\n\n| Name | Room | Extension |\n|---|---|---|\n${rows.join('\n')}\n`;
      await world.ingest.text({ text, domain: 'house', format: 'markdown' });
      const wrong: string[] = [];
      for (const name of people) {
        const { items } = await world.retrieval.query({ context: name, domains: ['house'], top_k: 1 });
        if (!items[0]!.content.includes(name)) wrong.push(name);
      }
      await world.close();
      expect(wrong).toEqual([]);
    },
  );
});
