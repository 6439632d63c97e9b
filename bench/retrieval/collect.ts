import { byCosine, byGraph, type RankedItem } from '../../src/retrieval/score/rank.js';
import { asMarkdown, type DevelopmentSet, locator } from './data.js';
import type { World } from './world.js';

/** One candidate of one question, as numbers. */
export interface Row {
  /** Its baseline score with the present weights. */
  readonly baseline: number;
  /** Whether it holds evidence. */
  readonly gold: boolean;
}

export interface RankedQuestion {
  readonly answerable: boolean;
  /** Candidates, best first. */
  readonly rows: readonly Row[];
  /** Nearest items by cosine; empty without a model. */
  readonly near: ReadonlyArray<{ readonly cosine: number; readonly gold: boolean }>;
}

export const DOMAIN = 'bench';

/** The set as one Markdown document in a domain of its own. */
export async function ingestSet(world: World, set: DevelopmentSet): Promise<void> {
  await world.ingest.text({ text: asMarkdown(set.passages), domain: DOMAIN, format: 'markdown', name: set.name });
}

/**
 * Asks the questions of the set, and those of another one as questions without an answer here.
 */
export async function collect(world: World, set: DevelopmentSet, unrelated: DevelopmentSet): Promise<RankedQuestion[]> {
  const place = locator(set.passages);
  const ranked: RankedQuestion[] = [];
  const all = [
    ...set.questions.map((question) => ({ ...question, answerable: true })),
    ...unrelated.questions.map((question) => ({ ...question, gold: [], answerable: false })),
  ];
  for (const { question, gold, answerable } of all) {
    const scope = { domains: [DOMAIN], topK: 20, factors: new Map<string, number>() };
    const isGold = ({ node }: RankedItem) =>
      node.kind === 'passage' && gold.includes(place(node.name, node.description));
    const graph = await byGraph(world.parts, question, scope);
    const near = world.parts.embedding === null ? [] : (await byCosine(world.parts, question, scope)).items;
    ranked.push({
      answerable,
      rows: graph.items.map((item) => ({ baseline: item.baseline?.total ?? 0, gold: isGold(item) })),
      near: near.map((item) => ({ cosine: item.cosine, gold: isGold(item) })),
    });
  }
  return ranked;
}
