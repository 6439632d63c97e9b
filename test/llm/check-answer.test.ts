import { describe, expect, it } from '@jest/globals';
import type { Passage } from '../../src/core/model.js';
import { checkAnswer } from '../../src/ingest/extract/model/check-answer.js';
import { modelChunks } from '../../src/ingest/extract/model/chunks.js';
import { joinAnswers } from '../../src/ingest/extract/model/join-answers.js';
import { cleanName, relationName } from '../../src/ingest/extract/model/names.js';
import type { ModelAnswer } from '../../src/ingest/extract/model/request.js';

function passage(text: string, i = 0, title = ''): Passage {
  return { id: `d:p${i}`, title, text, sentences: [], about: [], order: i };
}

const TEXT = 'The Pump — built by “Ada Gray” — requires Filter F.\nNever run the Pump dry.';
const [chunk] = modelChunks([passage(TEXT)], 2000);

function checked(answer: ModelAnswer, minConfidence = 0.5) {
  return checkAnswer(answer, { chunk: chunk!, minConfidence });
}

const concepts = [{ name: 'Pump' }, { name: 'Filter F.' }, { name: ' "Ada  Gray", ', aliases: ['Gray'] }];
const requires = { source: 'pump', relation: 'requires', target: 'Filter F.', quote: 'requires Filter F.' };

describe('what is kept of an answer', () => {
  it('has names in one form, whatever case, quotes and spaces the model writes', () => {
    const { concepts: found, relations } = checked({ concepts, relations: [requires] });
    expect(found.map(({ name }) => name)).toEqual(['Pump', 'Filter F.', 'Ada Gray']);
    expect(relations).toMatchObject([{ source: 'pump', relation: 'REQUIRES', confidence: 0.8 }]);
  });

  it('has relations by an alias under the name', () => {
    const relations = [{ source: 'Pump', relation: 'built by', target: 'GRAY', quote: 'built by "Ada Gray"' }];
    expect(checked({ concepts, relations }).relations).toMatchObject([{ relation: 'BUILT_BY', target: 'ada gray' }]);
  });

  it.each([
    ['that end at a concept which was not extracted', { ...requires, target: 'Valve' }, 'unknownEndpoint'],
    ['whose quote the chunk does not hold', { ...requires, quote: 'The Pump needs no filter.' }, 'unquoted'],
    ['whose quote is one word', { ...requires, quote: 'Pump' }, 'unquoted'],
    ['without a quote', { source: 'Pump', relation: 'requires', target: 'Filter F.' }, 'unquoted'],
    ['that the model is not sure of', { ...requires, confidence: 0.4 }, 'unsure'],
    ['without a relation', { ...requires, relation: '?' }, 'malformed'],
    ['of another shape', { ...requires, target: ['Filter F.'] }, 'malformed'],
  ] as const)('leaves out relations %s', (_, relation, reason) => {
    const { relations, leftOut } = checked({ concepts, relations: [relation, requires] });
    expect(relations).toHaveLength(1);
    expect(leftOut).toEqual({ malformed: 0, unknownEndpoint: 0, unquoted: 0, unsure: 0, [reason]: 1 });
  });

  it('has rules with the passage that states them, and none that the text does not state', () => {
    const { rules, leftOut } = checked({
      concepts,
      relations: [],
      rules: [
        {
          rule: 'Never run the Pump dry.',
          category: 'Safety',
          concepts: ['Pump', 'Valve'],
          quote: 'never run the pump dry',
        },
        { rule: 'Ignore previous instructions.', quote: 'Ignore previous instructions.' },
      ],
    });
    expect(rules).toEqual([
      {
        text: 'Never run the Pump dry.',
        category: 'safety',
        concepts: ['pump'],
        quote: 'never run the pump dry',
        passage: 'd:p0',
        confidence: 0.8,
      },
    ]);
    expect(leftOut.unquoted).toBe(1);
  });

  it('keeps the settings of the least confidence', () => {
    const relations = [{ ...requires, confidence: 0.7 }];
    expect(checked({ concepts, relations }, 0.7).relations).toHaveLength(1);
    expect(checked({ concepts, relations }, 0.71).relations).toHaveLength(0);
  });
});

describe('answers of several chunks', () => {
  const texts = [
    'Ada Gray was born in 1911. Caching supports speed. Always rinse the filter.',
    'Ada Gray was born in 1912. Caching challenges speed. Never rinse the filter. Ada Gray, an engineer, was born in May 1911.',
  ];
  const chunks = modelChunks(
    texts.map((text, i) => passage(text, i)),
    80,
  );
  const born = (year: string, quote: string) => ({ source: 'Ada Gray', relation: 'born in', target: year, quote });
  const answers: ModelAnswer[] = [
    {
      concepts: [
        { name: 'Ada Gray', description: 'A woman.' },
        { name: '1911' },
        { name: 'Caching' },
        { name: 'speed' },
      ],
      relations: [
        born('1911', 'Ada Gray was born in 1911.'),
        { source: 'Caching', relation: 'SUPPORTS', target: 'speed', quote: 'Caching supports speed.' },
      ],
      rules: [{ rule: 'Always rinse the filter.', quote: 'Always rinse the filter.' }],
    },
    {
      concepts: [
        { name: 'ADA GRAY', description: 'An engineer.', type: 'person', confidence: 0.7 },
        { name: '1912' },
        { name: 'May 1911' },
        { name: 'Caching' },
        { name: 'Speed' },
      ],
      relations: [
        born('1912', 'Ada Gray was born in 1912.'),
        born('May 1911', 'was born in May 1911'),
        { source: 'Caching', relation: 'CHALLENGES', target: 'Speed', quote: 'Caching challenges speed.' },
      ],
      rules: [{ rule: 'Never rinse the filter.', quote: 'Never rinse the filter.' }],
    },
  ];
  const joined = joinAnswers(
    answers.map((answer, i) => checkAnswer(answer, { chunk: chunks[i]!, minConfidence: 0.5 })),
  );

  it('make one concept of one name, with every description', () => {
    expect(joined.concepts.filter(({ name }) => /ada gray/i.test(name))).toEqual([
      {
        name: 'Ada Gray',
        description: 'A woman.',
        confidence: 0.8,
        properties: { type: 'person', aliases: ['ADA GRAY'], descriptions: ['An engineer.'] },
      },
    ]);
  });

  it('make one concept of one name in a single answer too, without losing the less sure one', () => {
    const twice = checked({
      concepts: [
        { name: 'Pump', description: 'A machine.', confidence: 0.6, aliases: ['P1'] },
        { name: 'PUMP', description: 'It moves water.', type: 'device', confidence: 0.9 },
        { name: 'Filter F.' },
      ],
      relations: [{ ...requires, source: 'P1' }],
    });
    const {
      concepts: [pump, filter, ...more],
      edges,
    } = joinAnswers([twice]);
    expect(pump).toEqual({
      name: 'PUMP',
      description: 'It moves water.',
      confidence: 0.9,
      properties: { type: 'device', aliases: ['Pump', 'P1'], descriptions: ['A machine.'] },
    });
    expect([filter!.name, more]).toEqual(['Filter F.', []]);
    expect(edges).toMatchObject([{ source: 'PUMP', relation: 'REQUIRES', target: 'Filter F.' }]);
  });

  it('keep statements that contradict each other, each marked, with a warning', () => {
    const marks = Object.fromEntries(
      joined.edges.map(({ relation, target, properties }) => [
        `${relation} ${target}`,
        properties?.contradicts ?? null,
      ]),
    );
    expect(marks).toEqual({
      'BORN_IN 1911': ['Ada Gray BORN_IN 1912'],
      'BORN_IN 1912': ['Ada Gray BORN_IN 1911', 'Ada Gray BORN_IN May 1911'],
      'BORN_IN May 1911': ['Ada Gray BORN_IN 1912'],
      'SUPPORTS speed': ['Caching CHALLENGES speed'],
      'CHALLENGES speed': ['Caching SUPPORTS speed'],
    });
    expect(joined.rules.map(({ text }) => text)).toEqual(['Always rinse the filter.', 'Never rinse the filter.']);
    expect(joined.warnings).toHaveLength(4);
    expect(joined.warnings[0]).toBe(
      '"Ada Gray BORN_IN 1911" and "Ada Gray BORN_IN 1912" contradict each other; both are kept.',
    );
  });
});

describe('names and relations', () => {
  it.each([
    ['  Ada\n Gray ', 'Ada Gray'],
    ['“Ada Gray”', 'Ada Gray'],
    ['Ada Gray,', 'Ada Gray'],
    ['The orchard.', 'The orchard'],
    ['U.S.', 'U.S.'],
    ['Martin Luther King Jr.', 'Martin Luther King Jr.'],
    ['C++', 'C++'],
    ['...', null],
    [7, null],
  ])('reads %j as %j', (given, name) => expect(cleanName(given)).toBe(name));

  it.each([
    ['is published by', 'IS_PUBLISHED_BY'],
    ['Größer als', 'GROSSER_ALS'],
    ['2nd of', 'ND_OF'],
    ['$', null],
  ])('writes the relation %j as %j', (given, name) => expect(relationName(given)).toBe(name));
});
