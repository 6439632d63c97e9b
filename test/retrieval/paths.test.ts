import { describe, expect, test } from '@jest/globals';
import { Copies } from '../../src/retrieval/expand/copies.js';
import type { Expanded } from '../../src/retrieval/expand/expand.js';
import { linkId } from '../../src/retrieval/expand/link-ids.js';
import { forwardPaths } from '../../src/retrieval/expand/paths.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';
import { expansion, passage, question } from './literals.js';

const text = 'The film was directed by Raoul Walsh.';
const link = { from: 'a', to: 'b', key: 'raoul walsh', sentence: 0, token: 5, length: 2, weight: 1 };
const nothing = { names: new Map<string, Set<string>>(), relations: new Map<string, Map<number, number>>() };
const similarity = (value: number) => (id: string) => (id === 'a' ? Float32Array.of(value) : new Float32Array(0));

function expanded(over: Parameters<typeof expansion>[0], relative = 0): Expanded {
  return {
    sources: [{ node: passage('a', text), relative }],
    expansion: expansion(over),
    pagerank: new Map(),
    best: 1,
    copies: new Copies(),
  };
}

describe('forward paths', () => {
  const open = new Map([['direct', 1]]);

  test('strength follows the formula of the design page', () => {
    const paths = forwardPaths(expanded({ out: [link], inlinks: new Map([['b', 3]]) }, -0.2), {
      ...nothing,
      question: question({ open }),
      sentencesOf: similarity(0.4),
    });
    const path = paths.get('b')!;
    const near = Math.exp(-2 / 6);
    expect(path.words).toBeCloseTo(near, 6);
    expect(path.strength).toBeCloseTo(-0.2 + 0.5 * 0.4 + 0.5 * near + 0 - 0.05 * Math.log(4), 5);
    expect(path).toMatchObject({ from: 'a', name: 'a', to: 'b', edge: linkId('a', 'b'), sentence: 0 });
  });

  test('a key that many nodes are about weighs less', () => {
    const one = forwardPaths(expanded({ out: [link] }), {
      ...nothing,
      question: question(),
      sentencesOf: similarity(0.4),
    });
    const many = forwardPaths(expanded({ out: [{ ...link, weight: 0.1 }] }), {
      ...nothing,
      question: question(),
      sentencesOf: similarity(0.4),
    });
    expect(many.get('b')!.strength).toBeLessThan(one.get('b')!.strength);
  });

  test('a link by a name that the question holds whole is none: it leads to what is asked about already', () => {
    const linked = (key: string, terms: readonly string[]) =>
      forwardPaths(expanded({ out: [{ ...link, key }] }), {
        ...nothing,
        question: question({ open, terms: new Map(terms.map((term) => [term, 1])) }),
        sentencesOf: similarity(0.4),
      }).has('b');
    expect(linked('raoul walsh', ['raoul', 'walsh', 'direct'])).toBe(false);
    expect(linked('raoul walsh', ['walsh', 'direct'])).toBe(true);
    expect(linked('copper kettles', ['copper', 'kettl'])).toBe(false);
    expect(linked('the who', ['direct'])).toBe(true);
  });

  test('a typed edge is a path in both directions, stronger where the question speaks of its relation', () => {
    const edge = {
      id: 'a|REQUIRES|c',
      source_id: 'a',
      target_id: 'c',
      relation_type: 'REQUIRES',
      confidence: 1,
      properties: {},
      weight: 1,
    };
    const backward = { ...edge, id: 'c|REQUIRES|a', source_id: 'c', target_id: 'a' };
    const along = forwardPaths(expanded({ edges: [edge] }), {
      ...nothing,
      question: question(),
      sentencesOf: similarity(0),
    });
    const against = forwardPaths(expanded({ edges: [backward] }), {
      ...nothing,
      question: question({ words: questionWords('requires', [], { idf: new Map([['requir', 1]]) }) }),
      relations: new Map([['REQUIRES', new Map([[0, 1]])]]),
      sentencesOf: similarity(0),
    });
    expect(along.get('c')).toMatchObject({ relation: 'REQUIRES', edge: 'a|REQUIRES|c' });
    expect(against.get('c')!.strength).toBeGreaterThan(along.get('c')!.strength);
  });

  test('a sentence proves nothing of its other links by what it shares with the question only as a name', () => {
    const index = 'See Backups and Firewall.';
    const mention = { sentence: 0, length: 1, weight: 1, from: 'home' };
    const out = [
      { ...mention, to: 'b', key: 'backups', token: 1 },
      { ...mention, to: 'f', key: 'firewall', token: 3 },
    ];
    const around: Expanded = { ...expanded({ out }), sources: [{ node: passage('home', index), relative: 0 }] };
    const idf = new Map([['backup', 1]]);
    const asked = { question: question({ open: idf, terms: idf }), sentencesOf: () => Float32Array.of(0.6) };
    const before = forwardPaths(around, { ...nothing, ...asked });
    const paths = forwardPaths(around, { ...nothing, ...asked, names: new Map([['backup', new Set(['b'])]]) });
    expect(before.get('f')!.words).toBeGreaterThan(0.5);
    expect(paths.get('f')).toMatchObject({ words: 0, strength: -1 });
    expect(paths.get('b')).toEqual(before.get('b'));
  });

  test('self-loops and edges without weight lead nowhere', () => {
    const edge = { id: 'x', relation_type: 'USES', confidence: 1, properties: {} };
    const paths = forwardPaths(
      expanded({
        edges: [
          { ...edge, source_id: 'a', target_id: 'a', weight: 1 },
          { ...edge, source_id: 'a', target_id: 'c', weight: 0 },
        ],
      }),
      { ...nothing, question: question(), sentencesOf: similarity(0) },
    );
    expect(paths.size).toBe(0);
  });
});
