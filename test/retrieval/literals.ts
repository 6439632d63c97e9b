import type { Expansion } from '../../src/backends/graph/port.js';
import type { GraphNode } from '../../src/core/model.js';
import type { MessageItem } from '../../src/retrieval/conversation/message-features.js';
import type { Direct } from '../../src/retrieval/expand/evidence.js';
import type { Features } from '../../src/retrieval/score/features.js';
import type { Question } from '../../src/retrieval/seed/question.js';

/** Values written out for tests of the pure verbs. */
export function node(id: string, over: Partial<GraphNode> = {}): GraphNode {
  return {
    id,
    kind: 'passage',
    name: id,
    description: `text of ${id}`,
    domain: 'd',
    confidence: 1,
    properties: {},
    ...over,
  };
}

export function passage(id: string, text: string, over: Partial<GraphNode> = {}): GraphNode {
  return node(id, {
    description: text,
    passage: { source_id: 's', order: 0, sentences: [[0, text.length]], about: [] },
    ...over,
  });
}

export function question(over: Partial<Question> = {}): Question {
  return {
    text: 'question',
    searched: 'question',
    compounds: [],
    language: 'english',
    vector: null,
    names: [],
    named: new Map(),
    terms: new Map(),
    open: new Map(),
    documentFrequencies: new Map(),
    words: [],
    parts: [],
    codes: [],
    numbers: [],
    attainable: 10,
    ...over,
  };
}

export function expansion(over: Partial<Expansion> = {}): Expansion {
  return { out: [], in: [], inlinks: new Map(), entities: [], shared: new Map(), edges: [], ...over };
}

export function direct(base: number, over: Partial<Direct> = {}): Direct {
  return { cosine: base / 2, sentence: base / 2, text: 0, named: 0, words: 0, base, ...over };
}

export function features(id: string, over: Partial<Features> = {}): Features {
  return {
    node: node(id),
    direct: direct(0.5),
    contrast: 0,
    words: { coverage: 0, open: 0, sentence: 0, rare: 0, unheld: 0 },
    chains: { first: undefined, second: undefined, through: undefined, bridges: 0 },
    answer: {
      cosine: 0,
      sentence: 0,
      contrast: 0,
      text: 0,
      base: 1,
      named: 0,
      coverage: 1,
      held: 1,
      sentenceCoverage: 1,
      rare: 0,
      mean: 0,
      chains: [0, 0],
    },
    forward: undefined,
    unexplained: 0,
    shared: undefined,
    pagerank: 0,
    ...over,
  };
}

/** A turn that has nothing to do with the question. */
export function turn(id: string, over: Partial<MessageItem> = {}): MessageItem {
  return {
    node: node(id),
    ...{ cosine: 0, sentence: 0, around: 0, before: 0, window: 0, windowShare: 0, session: 0, speaker: 0 },
    ...{ date: 0, time: 0, quantity: 0, lead: 0, length: 0, questions: 0 },
    ...{ text: 0, involved: 0, clause: 0, clauseShare: 0 },
    answer: { sentence: 0, share: 0, mean: 0 },
    ...over,
  };
}
