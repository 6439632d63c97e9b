import { describe, expect, test } from '@jest/globals';
import type { PassageRecord } from '../../src/backends/graph/port.js';
import { anchorOf } from '../../src/retrieval/chains/anchor.js';
import { bridgeNames } from '../../src/retrieval/chains/bridge-names.js';
import { bridgesOf } from '../../src/retrieval/chains/bridges.js';
import { cutsAround, substituted } from '../../src/retrieval/chains/cuts.js';
import { ItemTexts } from '../../src/retrieval/expand/item-words.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';
import { passage } from './literals.js';

/** Words of a question, each content word with idf 1. */
function wordsOf(text: string) {
  const words = questionWords(text, [], { idf: new Map() });
  return words.map((word) => ({ ...word, idf: word.content ? 1 : 0 }));
}

/** The questions that come of putting X in place of each cut around a phrase. */
function rewritten(text: string, phrase: string): string[] {
  const words = wordsOf(text);
  const from = words.findIndex((word) => text.slice(word.start).startsWith(phrase));
  const to = words.findIndex((word) => word.end === text.indexOf(phrase) + phrase.length) + 1;
  return cutsAround(words, text, { from, to }).map((cut) => substituted(text, words, cut, 'X'));
}

describe('cuts around an anchor', () => {
  test('reach from an article on the left to the end of the name', () => {
    expect(rewritten('Where was the director of Silver Harbour born?', 'Silver Harbour')).toEqual([
      'Where was X born?',
      'Where was the director of X born?',
    ]);
  });

  test('take a possessive phrase', () => {
    expect(rewritten("When did Silver Harbour's director die?", "Silver Harbour's")).toContain('When did X die?');
  });

  test('take what is possessed over small words, each cut ending with a content word', () => {
    expect(rewritten("Which region holds Ada Lund's city of birth?", "Ada Lund's")).toEqual([
      'Which region holds X of birth?',
      'Which region holds X?',
      'Which region holds X city of birth?',
    ]);
  });

  test('leave no half of a code', () => {
    expect(rewritten('Where is sample BRE-260702-99 kept?', 'BRE')).toEqual([]);
    expect(rewritten('Where is sample BRE-260702-99 kept?', '260702')).toEqual([]);
    expect(rewritten('Where is sample BRE-260702-99 kept?', 'BRE-260702-99')).toEqual(['Where is sample X kept?']);
    expect(rewritten("Who runs Boeing 747's maker?", 'Boeing 747')).toContain("Who runs X's maker?");
    expect(rewritten('Who won in 2019—Ridge United—and where?', 'Ridge United')).toContain(
      'Who won in 2019—X—and where?',
    );
    expect(rewritten('谁是2024年成立的银港公司的总裁', '银港').length).toBeGreaterThan(0);
    expect(rewritten('Who leads the Lund-Vale group?', 'Lund')).toContain('Who leads the X-Vale group?');
  });

  test('leave no half of a word with a hyphen, but of a name', () => {
    expect(rewritten('How many check-ups are in the senior plan?', 'check')).toEqual([]);
    expect(rewritten('How many check-ups are in the senior plan?', 'check-ups')).toContain(
      'How many X are in the senior plan?',
    );
    expect(rewritten('Who runs the Lund-based group?', 'Lund')).toContain('Who runs the X-based group?');
  });

  test('end with the clause where a relative word opens it', () => {
    expect(rewritten('What is the capital of the country where Mount Vale lies, and why?', 'Mount Vale')).toContain(
      'What is the capital of X, and why?',
    );
  });

  test('always leave a content word', () => {
    expect(rewritten('Who was Silver Harbour?', 'Silver Harbour')).toEqual([]);
  });
});

describe('the anchor of an item', () => {
  const text = 'Where was the director of Silver Harbour born?';
  const words = wordsOf(text);
  const harbour = new ItemTexts().of(passage('Silver Harbour', 'Silver Harbour is a film.'));

  test('is the name that the item holds', () => {
    const names = [{ from: 5, to: 7 }];
    expect(anchorOf({ text, words, names }, harbour)).toEqual({ from: 5, to: 7 });
  });

  test('without a name is the window of words that the item holds', () => {
    expect(anchorOf({ text, words, names: [] }, harbour)).toEqual({ from: 5, to: 7 });
    const other = new ItemTexts().of(passage('Moss', 'A plant.'));
    expect(anchorOf({ text, words, names: [] }, other)).toBeUndefined();
  });
});

describe('bridges out of a passage', () => {
  const body = 'Silver Harbour was directed by Imogen Tarrant in Norway in March.';
  const node = passage('Silver Harbour', body);
  const mention = (key: string, name: string, token: number, length: number) => ({
    ...{ key, name, token, length, sentence: 0 },
  });
  const record: PassageRecord = {
    ...{ id: 'Silver Harbour', source_id: 's', title: 'Silver Harbour', text: body, about: [] },
    sentences: [[0, body.length]],
    mentions: [
      mention('silver harbour', 'Silver Harbour', 0, 2),
      mention('imogen tarrant', 'Imogen Tarrant', 5, 2),
      mention('norway', 'Norway', 8, 1),
      mention('march', 'March', 10, 1),
    ],
  };
  const names = bridgeNames(record);
  const info = (key: string, documentFrequency: number, about: string[] = []) => ({
    ...{ domain: 'd', key, titles: about.length, aliases: 0, documentFrequency, about },
  });
  const found = bridgesOf(
    { record, names, words: new ItemTexts().of(node), relative: 0, sentences: Float32Array.of(0.5) },
    {
      known: new Map([
        ['silver harbour', info('silver harbour', 2)],
        ['imogen tarrant', info('imogen tarrant', 2, ['tarrant'])],
        ['norway', info('norway', 2)],
        ['march', info('march', 9)],
      ]),
      holders: new Map([
        ['imogen tarrant', 2],
        ['norway', 2],
      ]),
      open: new Map([['direct', 1]]),
      question: new Set(['silver', 'harbour', 'direct', 'born']),
      isWanted: () => false,
      count: 5,
    },
  );

  test('leave out names of the question and dates, and put first what stands near its words', () => {
    expect(found.map((bridge) => bridge.name)).toEqual(['Imogen Tarrant', 'Norway']);
    expect(found[0]!.strength).toBeGreaterThan(found[1]!.strength);
    expect(found[0]).toMatchObject({ stems: ['imogen', 'tarrant'], about: ['tarrant'], sentence: 0 });
  });

  test('are names inside longer names too, and a title without its parenthesis', () => {
    const text = 'Buyende is a town in the Eastern Region of Uganda.';
    const town: PassageRecord = {
      ...record,
      ...{ title: 'Buyende (town)', text, about: [{ key: 'buyende', alias: false }], sentences: [[0, text.length]] },
      mentions: [mention('eastern region of uganda', 'Eastern Region of Uganda', 6, 4)],
    };
    expect(bridgeNames(town).map(({ key, token, length }) => [key, token, length])).toEqual([
      ['eastern region of uganda', 6, 4],
      ['eastern region', 6, 2],
      ['uganda', 9, 1],
      ['buyende', 0, 1],
    ]);
  });

  test('lead to passages that hold the words of a name, though the graph knows of no second mention', () => {
    const bridges = bridgesOf(
      { record, names, words: new ItemTexts().of(node), relative: 0, sentences: Float32Array.of(0.5) },
      {
        known: new Map([['norway', info('norway', 1)]]),
        holders: new Map([
          ['norway', 2],
          ['imogen tarrant', 1],
        ]),
        ...{ open: new Map(), question: new Set<string>(), isWanted: () => false, count: 5 },
      },
    );
    expect(bridges.map(({ name }) => name)).toEqual(['Norway']);
  });
});
