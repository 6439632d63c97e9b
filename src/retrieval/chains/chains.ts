import type { Expansion } from '../../backends/graph/port.js';
import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import type { Copies } from '../expand/copies.js';
import type { Evidence } from '../expand/evidence.js';
import type { ItemTexts } from '../expand/item-words.js';
import { readableName } from '../present/content.js';
import type { Question } from '../seed/question.js';
import { type QuestionWord, questionWords } from '../seed/question-words.js';
import { anchorOf, type Wording } from './anchor.js';
import { bridgeNames } from './bridge-names.js';
import { type Bridge, type BridgeSource, bridgesOf, type FoundNames, strongest } from './bridges.js';
import { type Chains, NO_CHAINS } from './chain-types.js';
import { cutsAround, type WordSpan } from './cuts.js';
import { edgeBridges } from './edge-bridges.js';
import { type ChainHop, type ChainStep, hop } from './hop.js';
import { isOfKind, kindOf } from './kinds.js';
import { bestByEnd, byStrength, summary } from './summary.js';

/** Passages of one name that are read: of those that hold a common name the best of so many are as good. */
const MOST_HOLDERS = 2000;

/**
 * How far chains reach: passages they start from, bridges of each and of all together, and how many of these, the strongest,
 * replace two parts of the question in turn instead of one.
 */
interface Width {
  readonly sources: number;
  readonly each: number;
  readonly all: number;
  readonly twice: number;
}

const FIRST: Width = { sources: 8, each: 5, all: 6, twice: 3 };
const SECOND: Width = { sources: 3, each: 4, all: 4, twice: 0 };
/** What the second hop keeps of the first one's distance to its best. */
const FADING = 0.7;

/** A passage or concept where chains start; `relative`: its evidence less the best one's. */
export interface Start {
  readonly node: GraphNode;
  readonly relative: number;
}

/** Returns the typed edges at some concepts; others may be among them. */
type EdgesAt = (concepts: readonly string[]) => Promise<Expansion['edges']>;

/**
 * Follows bridges: takes a name out of a good passage, or one that a typed edge leads to from a good concept, puts it in place of what
 * that item explains of the question, and scores the items that hold the name against that shorter question; then once more from the best of them.
 */
export async function followChains(
  parts: RetrievalParts,
  starts: readonly Start[],
  found: {
    readonly question: Question;
    readonly evidence: Evidence;
    readonly texts: ItemTexts;
    readonly copies: Copies;
    /** Returns the typed edges at the items that the graph was expanded around. */
    readonly edges: EdgesAt;
    readonly domains: readonly string[] | undefined;
  },
): Promise<Chains> {
  const { question, evidence, texts, copies, edges, domains } = found;
  const wording: Wording = {
    text: question.text,
    words: question.words,
    names: question.parts.map(({ token, length }) => ({ from: token, to: token + length })),
  };
  const origins = starts.slice(0, FIRST.sources).flatMap((start) => {
    const anchor = anchorOf(wording, texts.of(start.node));
    return anchor === undefined ? [] : [{ ...start, anchor, wording, sentences: evidence.sentencesOf(start.node.id) }];
  });
  const steps = await stepsFrom(parts, { origins, width: FIRST, texts, edges });
  const first = await hop(parts, steps, { question: question.text, twice: FIRST.twice, copies });
  if (first.length === 0) return NO_CHAINS;
  const best = bestByEnd(first);
  const ranked = [...best.values()].sort(byStrength);
  const second = await secondHop(parts, ranked.slice(0, SECOND.sources), { texts, question, copies, domains });
  return summary(first, second);
}

interface Origin extends Start {
  readonly anchor: WordSpan;
  readonly wording: Wording;
  readonly sentences: Float32Array;
}

/** Returns the strongest bridges out of the origins; one that two passages hold for the same words of the question counts once. */
async function stepsFrom(
  parts: RetrievalParts,
  {
    origins,
    width,
    texts,
    edges,
  }: {
    readonly origins: readonly Origin[];
    readonly width: Width;
    readonly texts: ItemTexts;
    readonly edges: EdgesAt;
  },
): Promise<ChainStep[]> {
  const byId = new Map(origins.map((origin) => [origin.node.id, origin]));
  const passages = origins.filter(({ node }) => node.kind === 'passage').map(({ node }) => node.id);
  const records = passages.length === 0 ? [] : await parts.graph.passageRecords(passages);
  const sources: BridgeSource[] = records.map((record) => {
    const { node, relative, sentences } = byId.get(record.id)!;
    return { record, names: bridgeNames(record), relative, sentences, words: texts.of(node) };
  });
  const found = await lookUp(parts, sources, byId);
  const kinds = new Map(origins.map((origin) => [origin.node.id, kindsIn(origin)]));
  const asked = [...kinds.values()].some((wanted) => wanted.size > 0);
  const subjects = asked ? await subjectsOf(parts, found) : new Map<string, GraphNode>();
  const bridges = sources.flatMap((source) => {
    const { wording, anchor, node } = byId.get(source.record.id)!;
    const { words } = wording;
    return bridgesOf(source, {
      ...found.get(node.domain)!,
      open: new Map(restOf(wording, anchor).map(({ stem, idf }) => [stem, idf])),
      question: new Set(words.map((word) => word.stem)),
      isWanted: ({ name, stems }, about) => {
        const subject = subjects.get(about[0] ?? '');
        const thing = { name, stems, ...(subject === undefined ? {} : { about: texts.of(subject) }) };
        return [...kinds.get(node.id)!].some((kind) => isOfKind(kind, thing));
      },
      count: width.each,
    });
  });
  const concepts = origins.flatMap(({ node, relative, wording, anchor }) =>
    node.kind === 'passage'
      ? []
      : [{ node, relative, open: restOf(wording, anchor), words: wording.words, kinds: kinds.get(node.id)! }],
  );
  if (concepts.length > 0)
    bridges.push(
      ...(await edgeBridges(parts, concepts, {
        edges: await edges(concepts.map(({ node }) => node.id)),
        texts,
        count: width.each,
      })),
    );
  const seen = new Set<string>();
  const distinct = strongest(bridges, bridges.length).filter(({ key, from }) => {
    const { anchor, wording } = byId.get(from)!;
    const step = `${key}\n${anchor.from} ${anchor.to}\n${wording.text}`;
    return !seen.has(step) && seen.add(step);
  });
  const chosen = distinct.slice(0, width.all);
  const holders = await holdersOf(parts, chosen, byId);
  return chosen.map((bridge, i) => {
    const { anchor, wording, node } = byId.get(bridge.from)!;
    return { bridge, holders: holders[i]!, anchor, wording, domain: node.domain, name: readableName(node) };
  });
}

/** Returns what the question asks outside names and outside what an item explains. */
function restOf({ words }: Wording, anchor: WordSpan): QuestionWord[] {
  return words.filter((word, i) => word.content && (i < anchor.from || i >= anchor.to) && !word.inName);
}

/** Returns what the question calls the thing that a cut around the anchor stands for. */
function kindsIn({ wording: { words, text }, anchor }: Origin): Set<string> {
  return new Set(cutsAround(words, text, anchor).flatMap((cut) => kindOf(words, cut, anchor) ?? []));
}

/** Returns the first item about each name: it says what the name is. */
async function subjectsOf(
  parts: RetrievalParts,
  found: ReadonlyMap<string, FoundNames>,
): Promise<Map<string, GraphNode>> {
  const ids = [...found.values()].flatMap(({ known }) => [...known.values()].flatMap(({ about }) => about.slice(0, 1)));
  return new Map((await parts.graph.getNodes([...new Set(ids)])).map((node) => [node.id, node]));
}

/** Returns, for each bridge, the passages whose text holds all its words. */
async function holdersOf(
  parts: RetrievalParts,
  bridges: readonly Bridge[],
  origins: ReadonlyMap<string, Origin>,
): Promise<string[][]> {
  const holders: string[][] = bridges.map(() => []);
  const domains = bridges.map(({ from }) => origins.get(from)!.node.domain);
  await Promise.all(
    [...new Set(domains)].map(async (domain) => {
      const places = bridges.flatMap((_, i) => (domains[i] === domain ? [i] : []));
      const lists = places.map((i) => bridges[i]!.stems);
      const found = await parts.text.containingEach(domain, lists, { most: MOST_HOLDERS });
      places.forEach((i, at) => {
        holders[i] = found[at]!;
      });
    }),
  );
  return holders;
}

/** Returns, by domain, what the graph knows about the names of these passages, and how many passages hold them. */
async function lookUp(
  parts: RetrievalParts,
  sources: readonly BridgeSource[],
  origins: ReadonlyMap<string, Origin>,
): Promise<Map<string, FoundNames>> {
  const wanted = new Map<string, Map<string, readonly string[]>>();
  for (const { record, names } of sources) {
    const { domain } = origins.get(record.id)!.node;
    const stems = wanted.get(domain) ?? new Map<string, readonly string[]>();
    for (const name of names) stems.set(name.key, name.stems);
    wanted.set(domain, stems);
  }
  const found = [...wanted].map(async ([domain, stems]) => {
    const keys = [...stems.keys()];
    const [infos, counts] = await Promise.all([
      parts.graph.lookupKeys([domain], keys),
      parts.text.countContaining(domain, [...stems.values()], { most: MOST_HOLDERS }),
    ]);
    const known = new Map(infos.map((info) => [info.key, info]));
    return [domain, { known, holders: new Map(keys.map((key, i) => [key, counts[i]!])) }] as const;
  });
  return new Map(await Promise.all(found));
}

async function secondHop(
  parts: RetrievalParts,
  hops: readonly ChainHop[],
  {
    texts,
    question,
    copies,
    domains,
  }: {
    readonly texts: ItemTexts;
    readonly question: Question;
    readonly copies: Copies;
    readonly domains: readonly string[] | undefined;
  },
): Promise<ChainHop[]> {
  const nodes = new Map((await parts.graph.getNodes(hops.map((end) => end.to))).map((node) => [node.id, node]));
  const best = hops[0]?.strength ?? 0;
  const origins = hops.flatMap((end): Origin[] => {
    const node = nodes.get(end.to);
    if (node === undefined || node.kind === 'entity') return [];
    const wording = rewordedBy(end, question);
    const anchor = wording.names[0];
    if (anchor === undefined) return [];
    const sentences = end.item === undefined ? undefined : end.query?.sentencesOf(end.item);
    return [
      { node, relative: FADING * (end.strength - best), anchor, wording, sentences: sentences ?? new Float32Array(0) },
    ];
  });
  const edges: EdgesAt = async (concepts) =>
    (await parts.graph.expand(concepts, domains === undefined ? {} : { domains })).edges;
  const steps = await stepsFrom(parts, { origins, width: SECOND, texts, edges });
  return hop(parts, steps, { question: question.text, twice: SECOND.twice, copies });
}

/** Returns the question with the bridge in place of what its passage explains, the bridge as its only name. */
function rewordedBy(
  { onward: { text, offset }, bridge }: ChainHop,
  { terms: idf, language }: Pick<Question, 'terms' | 'language'>,
): Wording {
  const words = questionWords(text, [], { idf, language });
  const end = offset + bridge.name.length;
  const from = words.findIndex((word) => word.end > offset);
  let to = from;
  while (to < words.length && words[to]!.start < end) to += 1;
  const marked = words.map((word, i) => ({ ...word, inName: i >= from && i < to }));
  return { text, words: marked, names: from === -1 ? [] : [{ from, to }] };
}
