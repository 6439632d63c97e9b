import { expect, it } from '@jest/globals';
import { sharedStatic } from '../../src/backends/embedding/static/shared-static.js';
import { SvcError } from '../../src/core/errors.js';
import { ItemTexts, type ItemWords, TermShares } from '../../src/retrieval/expand/item-words.js';
import { likeWords } from '../../src/retrieval/expand/like-words.js';
import type { Question } from '../../src/retrieval/seed/question.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';
import { node as literal } from './literals.js';

const scooter = words('Gravel King', 'frame number: FN-88231; weight: nine kilos; owner: Cy Dunn.');

function words(name: string, description: string): ItemWords {
  return new ItemTexts().of(literal(`d:${name}${description}`, { name, description }));
}

/** The words of a question; those at these places are of a name. */
function asked(text: string, inName: readonly number[] = []): Pick<Question, 'words' | 'open' | 'language'> {
  const idf = new Map(questionWords(text, [], { idf: new Map() }).map(({ stem }) => [stem, 2]));
  const read = questionWords(text, [], { idf }).map((word, i) => ({ ...word, inName: inName.includes(i) }));
  const outside = read.filter(({ content, inName }) => content && !inName);
  return { words: read, language: 'english', open: new Map(outside.map(({ stem, idf }) => [stem, idf])) };
}

it('finds the words that mean nearly what is asked', async () => {
  const found = await likeWords(sharedStatic, asked('What does the Gravel King weigh?', [3, 4]), [scooter]);
  expect(found.get('weight')).toEqual([{ stem: 'weigh', share: 1 }]);
  expect(found.has('owner')).toBe(false);
  expect(found.has('gravel')).toBe(false);
});

it('takes names, numbers and words of other scripts for themselves alone', async () => {
  const item = words('Queen 88232', 'Король 王様 the king of 1999, a monarch');
  expect(await likeWords(sharedStatic, asked('king', [0]), [item])).toEqual(new Map());
  const numbers = await likeWords(sharedStatic, asked('88231 1998 царь 王 king'), [item]);
  expect([...numbers.keys()].filter((word) => !/^[a-z]+$/u.test(word))).toEqual([]);
  expect(numbers.has('monarch')).toBe(true);
});

it('takes no month, day or number for another', async () => {
  const item = words('April', 'On Tuesdays four of them, on 1 May an official holiday.');
  expect([...(await likeWords(sharedStatic, asked('three Mondays in March'), [item])).keys()]).toEqual(['3']);
});

it('takes a small number for its other form', async () => {
  const found = await likeWords(sharedStatic, asked('the 3 pumps, 88 of seven'), []);
  expect(found.get('three')).toEqual([{ stem: '3', share: 1 }]);
  expect(found.get('7')).toEqual([{ stem: 'seven', share: 1 }]);
  expect(found.size).toBe(2);
});

it('knows no word like another without the files of the table', async () => {
  const missing = () => {
    throw new SvcError('unavailable', 'The embedding model is missing.');
  };
  expect(await likeWords(missing, asked('What does it weigh?'), [scooter])).toEqual(new Map());
  const broken = () => {
    throw new TypeError('broken');
  };
  await expect(likeWords(broken, asked('What does it weigh?'), [scooter])).rejects.toThrow('broken');
});

it('counts a word that is like a term in part, in the item, its title and its sentences, and never for a name', async () => {
  const { open } = asked('weigh colour');
  const terms = new Map([...open, ['king', 4]]);
  const like = new Map([
    ['weight', [{ stem: 'weigh', share: 0.5 }]],
    ['ruler', [{ stem: 'king', share: 1 }]],
  ]);
  const shares = new TermShares(terms, open, { names: new Map([['king', 4]]), like });
  const { nearly, ...exact } = shares.of(words('Ruler', 'weight'));
  expect(nearly).toEqual({ open: 0.25, sentence: 5 / 8 });
  expect(exact).toEqual({ all: 0, open: 0, sentence: 0, names: 0 });
  expect(shares.of(words('Weight', 'weigh and weight')).nearly.open).toBe(0.5);
  expect(shares.of(words('King', 'colour')).names).toBe(1);
  expect(shares.without(0)).toEqual({ ofTerms: 0.5, ofNames: 1 });
});
