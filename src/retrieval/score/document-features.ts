import type { Chain } from '../chains/chain-types.js';
import type { Direct } from '../expand/evidence.js';
import type { Features } from './features.js';

/**
 * What a feature stands on: parts of the score are reported, credited and moved by feedback by group. The group "answer" is
 * the same for all items of an answer: it moves their probability, never their order.
 */
export type FeatureGroup = 'direct' | 'answer' | 'forward' | 'shared' | 'pagerank' | 'chain';

export interface Feature<T> {
  readonly name: string;
  readonly group: FeatureGroup;
  readonly meaning: string;
  /** The value of an item that has nothing to do with the question; 0 where absent. */
  readonly nothing?: number;
  /** True for what an item lacks: that says nothing of how much the candidates of an answer match on average. */
  readonly lacks?: boolean;
  /** Returns the value of a feature; 0 where there is no evidence of the kind. */
  readonly value: (item: T) => number;
}

/** Returns a strength or distance above −1, at which it proves nothing: 0 there and without one. */
function aboveNothing(value: number | undefined): number {
  return value === undefined ? 0 : Math.max(0, value + 1);
}

/** What documents, concepts and rows are scored by. */
export const DOCUMENT_FEATURES: ReadonlyArray<Feature<Features>> = [
  direct('cosine', 'cosine of question and item', ({ direct }) => direct.cosine),
  direct('sentence', 'cosine of question and best sentence', ({ direct }) => direct.sentence),
  direct(
    'contrast',
    'the same, both less what the best sentences of all candidates have in common',
    ({ contrast }) => contrast,
  ),
  direct(
    'named',
    '1/√n where the question names what the item and n - 1 others are about',
    ({ direct }) => direct.named,
  ),
  direct(
    'open_coverage',
    "idf share of the question's words outside names that title and text hold or nearly mean; of all where there are none",
    ({ words }) => words.open,
  ),
  direct(
    'sentence_coverage',
    "the largest share of the question's words in one sentence and the title, or nearly meant there",
    ({ words }) => words.sentence,
  ),
  direct(
    'rare',
    '1/√n for the rarest word of the question that the item and n - 1 others hold',
    ({ words }) => words.rare,
  ),
  {
    ...direct(
      'unheld',
      'idf share of names and numbers in the question that neither the item holds nor what leads to it',
      ({ words }) => words.unheld,
    ),
    lacks: true,
  },
  direct('concept', '1 for a concept, 0 for a passage', ({ node }) => (node.kind === 'concept' ? 1 : 0)),
  direct('name_only', '1 for a concept without a description', ({ node }) =>
    node.kind === 'concept' && node.description === '' ? 1 : 0,
  ),
  graph('forward', 'forward', 'strength of the best link path from a good item', ({ forward }) =>
    aboveNothing(forward?.strength),
  ),
  graph('forward_words', 'forward', "the question's words near that link", ({ forward }) => forward?.words ?? 0),
  graph('shared', 'shared', 'a rare name shared with a good item', ({ shared }) => shared?.value ?? 0),
  graph('pagerank', 'pagerank', 'personalized PageRank, best candidate 1', ({ pagerank }) => pagerank),
  graph(
    'pagerank_log',
    'pagerank',
    'its logarithm, 0..1',
    ({ pagerank }) => Math.log1p(100 * pagerank) / Math.log(101),
  ),
  chain('chain_gap', "1 less its distance to the answer's best", ({ chains, answer }) =>
    aboveNothing(gapOf(chains.first?.strength, answer.chains[0])),
  ),
  chain('chain_gain', 'how much the rewritten question matches better than the question', ({ chains, direct }) =>
    gainOf(chains.first, direct),
  ),
  chain('second_chain', 'chain over two bridges: 1 less its distance to the best', ({ chains, answer }) =>
    aboveNothing(gapOf(chains.second?.strength, answer.chains[1])),
  ),
  chain('second_gain', 'how much that matches better than the question', ({ chains, direct }) =>
    gainOf(chains.second, direct),
  ),
  chain('through', 'best chain through the item: 1 less its distance to the best', ({ chains, answer }) =>
    aboveNothing(gapOf(chains.through, Math.max(...answer.chains))),
  ),
  chain('bridges', 'ln(1 + bridges that lead to the item)', ({ chains }) => Math.log1p(chains.bridges)),
  answer('answer_cosine', "the best candidate's cosine", ({ answer }) => answer.cosine),
  answer('answer_sentence', "the best candidate's best sentence", ({ answer }) => answer.sentence),
  answer('answer_contrast', 'the largest of contrast', ({ answer }) => answer.contrast),
  answer('answer_text', "the best candidate's BM25 share", ({ answer }) => answer.text),
  answer('answer_named', 'the largest of named', ({ answer }) => answer.named),
  answer(
    'answer_coverage',
    "the largest idf share of the question's words in title and text",
    ({ answer }) => answer.coverage,
  ),
  answer('answer_sentence_coverage', 'the largest of sentence_coverage', ({ answer }) => answer.sentenceCoverage),
  answer('answer_rare', 'the largest of rare', ({ answer }) => answer.rare),
  answer('answer_mean', 'what the candidates reach on average, in log odds', ({ answer }) => answer.mean),
];

/** Returns how much better an item matches the rewritten question than the one that was asked, by the same vectors. */
function gainOf(chain: Chain | undefined, { words, base }: Direct): number {
  if (chain === undefined) return 0;
  return Math.max(0, chain.match - (chain.asked === undefined ? base : chain.asked + words));
}

/** What a chain counts where the question names nothing that a candidate is about: it started from mere likeness. */
const UNNAMED_CHAIN = 0.5;

function gapOf(strength: number | undefined, best: number): number | undefined {
  return strength === undefined ? undefined : strength - best;
}

function direct(name: string, meaning: string, value: (item: Features) => number): Feature<Features> {
  return { name, group: 'direct', meaning, value };
}

/**
 * Makes a feature that came over the graph. It counts as far as the best candidate holds the words of the question:
 * paths that start at items which have nothing to do with the question prove nothing. A path to what the question names
 * itself discovers nothing.
 */
function graph(
  name: string,
  group: FeatureGroup,
  meaning: string,
  value: (item: Features) => number,
): Feature<Features> {
  return { name, group, meaning, value: (item) => (item.direct.named > 0 ? 0 : item.answer.held * value(item)) };
}

/** Makes a feature of chains: they count in full where they may start from something that the question names. */
function chain(name: string, meaning: string, value: (item: Features) => number): Feature<Features> {
  return graph(name, 'chain', meaning, (item) => (item.answer.named > 0 ? 1 : UNNAMED_CHAIN) * value(item));
}

function answer(name: string, meaning: string, value: (item: Features) => number): Feature<Features> {
  return { name, group: 'answer', meaning, value };
}
