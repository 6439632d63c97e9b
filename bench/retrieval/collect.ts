import { byCosine, byGraph, type RankedItem } from '../../src/retrieval/rank.js';
import { asMarkdown, type DevelopmentSet, locator } from './data.js';
import type { World } from './world.js';

/** One candidate of one question, as numbers: what fitting needs, without the texts. */
export interface Row {
  /** Position of its passage in the set, −1 for a concept. */
  readonly place: number;
  readonly gold: boolean;
  /** A concept without a description. */
  readonly bare: boolean;
  readonly cosine: number;
  readonly sentence: number;
  readonly text: number;
  readonly named: number;
  /** −1 or less, or null, proves nothing. */
  readonly forward: number | null;
  readonly words: number;
  readonly reverse: number | null;
  readonly shared: number;
  readonly pagerank: number;
}

export interface Asked {
  readonly gold: readonly number[];
  readonly answerable: boolean;
  /** Candidates in the order of the present weights. */
  readonly rows: readonly Row[];
  /** Nearest items by cosine; empty without a model. */
  readonly near: ReadonlyArray<{ readonly cosine: number; readonly gold: boolean; readonly place: number }>;
}

export const DOMAIN = 'bench';

/** The set as one Markdown document in a domain of its own. */
export async function ingestSet(world: World, set: DevelopmentSet): Promise<void> {
  await world.ingest.text({ text: asMarkdown(set.passages), domain: DOMAIN, format: 'markdown', name: set.name });
}

/**
 * Asks the questions of the set, and those of another one as questions without an answer here, and keeps every
 * candidate's evidence.
 */
export async function collect(world: World, set: DevelopmentSet, strangers: DevelopmentSet): Promise<Asked[]> {
  const place = locator(set.passages);
  const asked: Asked[] = [];
  const all = [
    ...set.questions.map((question) => ({ ...question, answerable: true })),
    ...strangers.questions.map((question) => ({ ...question, gold: [], answerable: false })),
  ];
  for (const { question, gold, answerable } of all) {
    const scope = { domains: [DOMAIN], topK: 20, factors: new Map<string, number>() };
    const placeOf = ({ node }: RankedItem) => (node.kind === 'passage' ? place(node.name, node.description) : -1);
    const isGold = (at: number) => gold.includes(at);
    const graph = await byGraph(world.parts, question, scope);
    const near = world.parts.embedding === null ? [] : (await byCosine(world.parts, question, scope)).items;
    asked.push({
      gold,
      answerable,
      rows: graph.items.map((item) => rowOf(item, placeOf(item), isGold)),
      near: near.map((item) => ({ cosine: item.cosine, place: placeOf(item), gold: isGold(placeOf(item)) })),
    });
  }
  return asked;
}

function rowOf(item: RankedItem, place: number, isGold: (at: number) => boolean): Row {
  const { node, features } = item;
  const { direct, forward, reverse, shared, pagerank } = features!;
  return {
    place,
    gold: isGold(place),
    bare: node.kind === 'concept' && node.description === '',
    cosine: direct.cosine,
    sentence: direct.sentence,
    text: direct.text,
    named: direct.named,
    forward: forward?.strength ?? null,
    words: forward?.words ?? 0,
    reverse: reverse?.strength ?? null,
    shared: shared?.value ?? 0,
    pagerank,
  };
}
