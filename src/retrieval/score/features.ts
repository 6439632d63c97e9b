import type { GraphNode } from '../../core/model.js';
import { ADDRESSES } from '../../core/text/connectors.js';
import { wordsOf } from '../../core/text/words.js';
import { isBareRow } from '../cells/cells.js';
import { lacksOf } from '../cells/lacks.js';
import type { Lack } from '../cells/row-labels.js';
import type { Chain, Chains } from '../chains/chain-types.js';
import type { Change } from '../change/versions.js';
import type { RetrievalParts } from '../collaborators.js';
import type { DateRange, MeantTime } from '../dates/calendar.js';
import type { ItemDays } from '../dates/item-days.js';
import type { AskedNames } from '../expand/asked-names.js';
import type { Direct, Evidence } from '../expand/evidence.js';
import type { Expanded } from '../expand/expand.js';
import { coverage, type ItemTexts, type LikeWords, TermShares } from '../expand/item-words.js';
import { forwardPaths, type Path } from '../expand/paths.js';
import type { AskedRelation } from '../expand/relations.js';
import { type Shared, sharedEntities } from '../expand/shared.js';
import { holdsCode, withCodes } from '../seed/codes.js';
import { asksExplanation } from '../seed/explanations.js';
import type { Question } from '../seed/question.js';

/** Words of the question that an item holds. */
export interface WordFeatures {
  /** Idf share of all content words in title and text, 0..1. */
  readonly coverage: number;
  /** The same for the words outside names; words that nearly mean them count in part, as far as the names are held. */
  readonly open: number;
  /** The largest share of all content words in one sentence together with the title, counted in the same way. */
  readonly sentence: number;
  /** 1/√n for the rarest word or name of the question that the item holds and n ≤ 8 documents hold, else 0. */
  readonly rare: number;
  /** Idf share, of all content words, of the names and numbers that neither the item holds nor what leads to it. */
  readonly unheld: number;
}

/** Chains that lead to an item or pass through it. */
export interface ChainFeatures {
  readonly first: Chain | undefined;
  readonly second: Chain | undefined;
  /** Strength of the best chain through the item. */
  readonly through: number | undefined;
  readonly bridges: number;
}

/** The answer that an item stands in: what the best candidate of each kind of evidence reaches. */
export interface AnswerContext {
  readonly cosine: number;
  readonly sentence: number;
  readonly contrast: number;
  readonly text: number;
  readonly base: number;
  readonly named: number;
  readonly coverage: number;
  /** The same, a typed edge that the question asks for counted with the item it is at. */
  readonly held: number;
  readonly sentenceCoverage: number;
  readonly rare: number;
  /** What the candidates reach on average, in log odds; 0 until all are known. */
  readonly mean: number;
  readonly chains: readonly [number, number];
}

/** Everything a scorer may use about one candidate. */
export interface Features {
  readonly node: GraphNode;
  readonly direct: Direct;
  /** Cosine of question and best sentence, both less what the best sentences of all candidates have in common; 0 without an embedding model. */
  readonly contrast: number;
  readonly words: WordFeatures;
  readonly forward: Path | undefined;
  readonly shared: Shared | undefined;
  /** Best candidate = 1. */
  readonly pagerank: number;
  readonly chains: ChainFeatures;
  readonly answer: AnswerContext;
  /** The earlier passage whose place it takes, by what holds now. */
  readonly change?: Change | undefined;
  /** The days that the question asks about, where the item is of one of them. */
  readonly days?: DateRange | undefined;
  /** What a time that counts from today is taken as there. */
  readonly meant?: MeantTime | undefined;
  /** How much one of these days says for it, 0 to 1; -1 for a row of another day. Absent where neither is known. */
  readonly dayFit?: number | undefined;
  /** How little a row of short values says of what the question wants explained, 0 to 1; 0 where it wants none. */
  readonly unexplained: number;
  /** What a row lacks of what the question asks for, or of what it wants things to lack. */
  readonly lacks?: Lack | undefined;
}

/** What the graph found, by item: candidates are chosen from these tables and features read from them. */
export interface GraphEvidence {
  readonly expanded: Expanded;
  readonly forward: ReadonlyMap<string, Path>;
  readonly shared: ReadonlyMap<string, Shared>;
  readonly pagerank: ReadonlyMap<string, number>;
}

/** Reads link paths and shared entities from the expansion. */
export function graphEvidence(
  expanded: Expanded,
  {
    question,
    evidence,
    names,
    relations,
  }: {
    readonly question: Question;
    readonly evidence: Evidence;
    readonly names: AskedNames;
    readonly relations: ReadonlyMap<string, AskedRelation>;
  },
): GraphEvidence {
  const sentencesOf = (id: string) => evidence.sentencesOf(id);
  return {
    expanded,
    forward: forwardPaths(expanded, { question, sentencesOf, names, relations }),
    shared: sharedEntities(expanded),
    pagerank: expanded.pagerank,
  };
}

/** Returns the features of the candidates that are items: a bare entity is a bridge, never an answer. */
export function featuresOf(
  nodes: readonly GraphNode[],
  found: {
    readonly question: Question;
    readonly evidence: Evidence;
    readonly texts: ItemTexts;
    readonly graph: GraphEvidence | null;
    readonly chains: Chains;
    /** Words of the items that stand for words of the question. */
    readonly like: LikeWords;
    readonly contrast: ReadonlyMap<string, number>;
    /** Item → 1/√n for the rarest unit of the question that it holds. */
    readonly rare: ReadonlyMap<string, number>;
    /** Of which days the question asks, and the items of such a day: they hold the words that say so, in whatever form. */
    readonly days: ItemDays | undefined;
    /** Whether English has a word; undefined where no table tells which words are alike. */
    readonly vocabulary: RetrievalParts['vocabulary'];
  },
): Features[] {
  const { question, evidence, texts, graph, chains, like, rare, days } = found;
  // A question that is nothing but names asks for these.
  const all = withoutAddresses(question);
  const namesOnly = question.open.size === 0;
  const wantsExplanation = asksExplanation(question.text, question.language);
  const codes = question.codes.filter((code) => nodes.some((node) => holdsCode(texts.of(node), code)));
  const coded = (some: Question['terms']): Question['terms'] => withCodes(some, codes, question.words);
  const terms = coded(all);
  const asked = namesOnly ? terms : coded(question.open);
  const dated = new Set(wordsOf(days?.asked.words ?? '', question.language).map(({ stem }) => stem));
  const undated = new Map([...terms].filter(([stem]) => !dated.has(stem)));
  const names = new Map(coded(namesOf(question, { terms: all, dated })));
  for (const { term } of codes) if (terms.has(term)) names.set(term, terms.get(term)!);
  const lacks = lacksOf(nodes, found);
  const shares = new TermShares(terms, asked, { names, like });
  /** Returns the idf share of the words besides those of a day that an item holds. */
  const otherwise = (node: GraphNode): number => coverage(undated, texts.of(node).all);
  const sharesOf = (node: GraphNode) => {
    const words = texts.of(node);
    const covered = [
      ...codes.flatMap((code) => (holdsCode(words, code) ? [code.term] : [])),
      ...(lacks.get(node.id)?.covered ?? []),
      ...question.numbers.flatMap(({ stem, forms }) => (forms.some((form) => words.all.has(form)) ? [stem] : [])),
    ];
    const ofDays = days?.items.get(node.id);
    // A long time singles out only what the question speaks of.
    const counts = ofDays !== undefined && (ofDays.isBrief || otherwise(node) > 0);
    return shares.of(words, counts ? [...dated, ...covered] : covered);
  };
  const held = new Map(graph?.expanded.sources.map(({ node }) => [node.id, sharesOf(node)]));
  for (const node of nodes) if (!held.has(node.id)) held.set(node.id, sharesOf(node));
  const namesIn = (id: string | undefined): number => (id === undefined ? 0 : (held.get(id)?.names ?? 0));
  const items = nodes.flatMap((node) => {
    const direct = evidence.get(node.id);
    if (node.kind === 'entity' || direct === undefined) return [];
    const { all, open, sentence, nearly } = held.get(node.id)!;
    const middle = chains.second.get(node.id)?.from;
    const ways = [graph?.forward.get(node.id)?.from, chains.first.get(node.id)?.from];
    if (middle !== undefined) ways.push(middle, chains.first.get(middle)?.from);
    const missing = shares.without(ways.reduce((bits, id) => bits | namesIn(id), namesIn(node.id)));
    // What nearly means what is asked says little where it is said of another.
    const ofNamed = 1 - missing.ofNames;
    const words: WordFeatures = {
      coverage: all,
      open: open + ofNamed * (nearly.open - open),
      sentence: sentence + ofNamed * (nearly.sentence - sentence),
      rare: rare.get(node.id) ?? 0,
      unheld: missing.ofTerms,
    };
    return [{ node, direct, contrast: found.contrast.get(node.id) ?? 0, words }];
  });
  const most = (value: (item: (typeof items)[number]) => number): number =>
    items.reduce((best, item) => Math.max(best, value(item)), 0);
  const answer: AnswerContext = {
    cosine: most((item) => item.direct.cosine),
    sentence: most((item) => item.direct.sentence),
    contrast: most((item) => item.contrast),
    text: most((item) => item.direct.text),
    base: most((item) => item.direct.base),
    named: most((item) => item.direct.named),
    coverage: most((item) => item.words.coverage),
    held: Math.max(
      most((item) => item.words.coverage),
      graph === null ? 0 : heldByEdges(graph, question.terms, texts),
    ),
    sentenceCoverage: most((item) => item.words.sentence),
    rare: most((item) => item.words.rare),
    mean: 0,
    chains: chains.best,
  };
  // An entity that the question names holds most of what restarts there, and answers nothing: items are told from each other.
  const highest = most(({ node }) => graph?.pagerank.get(node.id) ?? 0);
  return items.map(({ node, direct, contrast, words }) => ({
    node,
    direct,
    contrast,
    words,
    forward: graph?.forward.get(node.id),
    shared: graph?.shared.get(node.id),
    pagerank: highest === 0 ? 0 : (graph?.pagerank.get(node.id) ?? 0) / highest,
    chains: {
      first: chains.first.get(node.id),
      second: chains.second.get(node.id),
      through: chains.through.get(node.id),
      bridges: chains.bridges.get(node.id) ?? 0,
    },
    answer,
    unexplained: wantsExplanation && isBareRow(node, question.language) ? 1 - (namesOnly ? 0 : words.open) : 0,
    lacks: lacks.get(node.id),
    ...daysOf(node, days, otherwise),
  }));
}

/** Part of what its day says for an item that holds no other word of the question; the rest comes with these words. Chosen by bench/retrieval/days.ts. */
const ALONE = 0.1;

/**
 * Returns the asked days that an item is of, as far as it is. `otherwise`: idf share of the question's other words that an item holds. Where the days end a
 * time, none says anything for or against an item.
 */
function daysOf(
  node: GraphNode,
  days: ItemDays | undefined,
  otherwise: (node: GraphNode) => number,
): Pick<Features, 'days' | 'meant' | 'dayFit'> {
  if (days === undefined) return {};
  const { asked } = days;
  const of = days.items.get(node.id);
  if (of === undefined) return days.others.has(node.id) && asked.isLimit !== true ? { dayFit: -1 } : {};
  const dayFit = asked.isLimit === true ? undefined : of.fit * (ALONE + (1 - ALONE) * otherwise(node));
  const found = { days: of.days, dayFit };
  if (asked.from === undefined) return found;
  return { ...found, meant: { ...of.days, words: asked.words, day: asked.from, isToday: true } };
}

/** Returns the terms without forms of address: what tells of Dr. Vossen may write Vossen. All of them where there are no others. */
function withoutAddresses({ terms, words }: Question): Question['terms'] {
  const addresses = new Set(words.filter(({ norm }) => ADDRESSES.has(norm)).map(({ stem }) => stem));
  const others = new Map([...terms].filter(([stem]) => !addresses.has(stem)));
  return others.size === 0 ? terms : others;
}

/** Numbers of fewer digits are written as words too, */
const NUMBER = /^\p{N}{3}/u;
/** but not as the end of a code, such as the 33 of "E-33". */
const DIGITS = /^\p{N}+$/u;
const CODE = /\p{L}[-_]$/u;

/** Returns the names and numbers of the question that what answers it writes as it does: days and months may stand in any form, and names without the form of address. */
function namesOf(
  { text, open, words }: Question,
  { terms, dated }: { readonly terms: Question['terms']; readonly dated: ReadonlySet<string> },
): Map<string, number> {
  const coded = words.filter(
    ({ norm, start }) => DIGITS.test(norm) && CODE.test(text.slice(Math.max(0, start - 2), start)),
  );
  const codes = new Set(coded.map(({ stem }) => stem));
  const isName = (stem: string): boolean =>
    !dated.has(stem) && (!open.has(stem) || NUMBER.test(stem) || codes.has(stem));
  return new Map([...terms].filter(([stem]) => isName(stem)));
}

/** Returns the largest share of the question's words that an item and an edge at it hold together. */
function heldByEdges(
  { expanded, forward }: GraphEvidence,
  terms: ReadonlyMap<string, number>,
  texts: ItemTexts,
): number {
  const sources = new Map(expanded.sources.map(({ node }) => [node.id, node]));
  let most = 0;
  for (const { from, asked } of forward.values()) {
    const node = sources.get(from);
    if (asked === undefined || node === undefined) continue;
    most = Math.max(most, coverage(terms, new Set([...texts.of(node).all, ...asked])));
  }
  return most;
}
