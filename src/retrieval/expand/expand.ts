import type { Expansion, PprSeed } from '../../backends/graph/port.js';
import { conceptId } from '../../core/ids.js';
import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import type { Question } from '../seed/question.js';
import type { HeldUnit } from '../seed/rare.js';
import type { Copies } from './copies.js';
import type { Evidence } from './evidence.js';

/** Items with the best direct evidence, from which paths start. */
const SOURCES = 12;
/** Of these, how many PageRank restarts at. */
const RESTARTS = 10;
/** Weight of the items in PageRank's restart, beside the names of the question. */
const ITEM_RESTART = 0.05;
/**
 * The evidence of the item at this rank is what an item that has little to do with the question gets. Of fewer items the last may
 * well answer it: its share of evidence grows with their number.
 */
const BACKGROUND = 60;
/** Number of PageRank scores to compute: entities on the way take their share of them. */
const REACHED = 200;

export interface Source {
  readonly node: GraphNode;
  /** Direct evidence less the best item's: 0 for the best, negative for the others. */
  readonly relative: number;
}

/** What the graph says around the best items. */
export interface Expanded {
  readonly sources: readonly Source[];
  readonly expansion: Expansion;
  /** Best node = 1. */
  readonly pagerank: ReadonlyMap<string, number>;
  /** Best direct evidence of any item. */
  readonly best: number;
  readonly copies: Copies;
}

/**
 * Expands the seeds (the second verb of the line): one hop around the best items, and PageRank from them and from the
 * names of the question.
 */
export async function expand(
  parts: RetrievalParts,
  {
    question,
    units,
    evidence,
    nodes,
    copies,
  }: {
    readonly question: Question;
    /** Rare words and names of the question with the items that hold them. */
    readonly units: readonly HeldUnit[];
    readonly evidence: Evidence;
    /** Every item that has evidence, by id. */
    readonly nodes: ReadonlyMap<string, GraphNode>;
    readonly copies: Copies;
  },
  domains: readonly string[] | undefined,
): Promise<Expanded> {
  const sorted = [...evidence.entries()].sort((a, b) => b[1].base - a[1].base || (a[0] < b[0] ? -1 : 1));
  const ranked = copies.distinct(sorted, ([id]) => id);
  const best = ranked[0]?.[1].base ?? 0;
  const chosen = ranked.slice(0, SOURCES);
  const ids = chosen.map(([id]) => id);
  const places = Math.min(ranked.length, BACKGROUND);
  const background = ((ranked[places - 1]?.[1].base ?? 0) * places) / BACKGROUND;
  const items = ranked
    .slice(0, RESTARTS)
    .map(([id, direct]) => ({ id, weight: ITEM_RESTART * (direct.base - background) }));
  const within = domains === undefined ? {} : { domains };
  const [expansion, pagerank] = await Promise.all([
    parts.graph.expand(ids, within),
    parts.graph.personalizedPagerank([...nameSeeds(question, units), ...items.filter((seed) => seed.weight > 0)], {
      ...within,
      limit: REACHED,
    }),
  ]);
  return {
    sources: chosen.map(([id, direct]) => ({ node: nodes.get(id)!, relative: direct.base - best })),
    expansion,
    pagerank: pagerank.scores,
    best,
    copies,
  };
}

/**
 * Returns the seeds of names: each restarts at its entity with 1/document frequency, one that only titles carry at what
 * is about it, and one that a single passage mentions, which no entity links with others, where it is held.
 */
function nameSeeds(question: Question, units: readonly HeldUnit[]): PprSeed[] {
  const seeds: PprSeed[] = [];
  for (const { key, about, documentFrequency, renamed } of question.names) {
    for (const [domain, passages] of documentFrequency) {
      const id = renamed.get(domain) ?? conceptId(domain, key);
      if (passages >= 2) seeds.push({ id, weight: 1 / passages });
    }
    const alone = [...documentFrequency.values()].every((passages) => passages < 2);
    if (!alone) continue;
    const holders = about.length > 0 ? about : (units.find((unit) => unit.key === key)?.ids ?? []);
    for (const id of holders) seeds.push({ id, weight: 1 / holders.length });
  }
  return seeds;
}
