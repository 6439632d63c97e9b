import type { Expansion } from '../../backends/graph/port.js';
import { wordsOf } from '../../core/text/words.js';
import { readableName } from '../present/content.js';
import type { Question } from '../seed/question.js';
import { type AskedNames, holdsAll, namesOfOthers, shareOfOthers } from './asked-names.js';
import type { Expanded, Source } from './expand.js';
import { linkId } from './link-ids.js';
import { type AskedRelation, askedEdges, columnOf } from './relations.js';
import { SentenceWords, wordsNear } from './words-near.js';

/** Weights within a path's strength, from the design page: sentence, words near the mention, ln weight, ln inlinks. */
const SENTENCE = 0.5;
const WORDS = 0.5;
const RARITY = 0.1;
const INLINKS = 0.05;
/** A typed edge has no sentence: its weight, 1 for a certain one, stands for this similarity. */
export const TYPED = 0.4;
/** What its relation says of the question: words near a mention only suggest that this link is meant. */
const STATED = 1.3;

/** A way from a good item to another. */
export interface Path {
  /** −1 or less proves nothing; 0 is a link of the best item that matches about as well as links do. */
  readonly strength: number;
  readonly words: number;
  readonly from: string;
  /** Name of the item it starts from. */
  readonly name: string;
  readonly to: string;
  /** Edge or link id, for feedback. */
  readonly edge: string;
  /** Relation type of a typed edge; absent for a mention. */
  readonly relation?: string;
  /** Column of the foreign key that a typed edge stands for; of a key of several, their names with commas between. */
  readonly column?: string;
  /** Stems of the question that a typed edge accounts for, where the question asks for it. */
  readonly asked?: ReadonlySet<string>;
  /** Sentence of the passage that holds the mention. */
  readonly sentence?: number;
}

export interface PathContext {
  readonly question: Question;
  readonly sentencesOf: (id: string) => Float32Array;
  readonly names: AskedNames;
  /** Relation type → words of the question that mean it. */
  readonly relations: ReadonlyMap<string, AskedRelation>;
}

/** Returns the best path to each item: links that leave the sources, and typed edges in both directions. */
export function forwardPaths(expanded: Expanded, context: PathContext): Map<string, Path> {
  const { question, sentencesOf, names } = context;
  const best = new Map<string, Path>();
  const sources = new Map(expanded.sources.map((source) => [source.node.id, source]));
  const texts = new Map<string, SentenceWords>();
  const isAsked = heldNames(question);
  for (const link of expanded.expansion.out) {
    const source = sources.get(link.from);
    if (source === undefined || expanded.copies.areSame(link.from, link.to) || isAsked(link.key)) continue;
    let tokens = texts.get(link.from);
    if (tokens === undefined) {
      tokens = new SentenceWords(source.node.description, source.node.passage?.sentences ?? [], question.language);
      texts.set(link.from, tokens);
    }
    const near = tokens.of(link.sentence);
    const others = namesOfOthers(names, [link.from, link.to]);
    const words = wordsNear(question.open, near, link, others);
    const strength =
      source.relative +
      SENTENCE * (sentencesOf(link.from)[link.sentence] ?? 0) +
      WORDS * words +
      RARITY * Math.log(link.weight) -
      INLINKS * Math.log1p(expanded.expansion.inlinks.get(link.to) ?? 0);
    keep(best, {
      ...{ strength: lessened(strength, shareOfOthers(question.terms, near, others)), words },
      ...{ from: link.from, name: readableName(source.node), to: link.to, edge: linkId(link.from, link.to) },
      sentence: link.sentence,
    });
  }
  const { edges } = expanded.expansion;
  const asked = askedEdges(edges, context);
  for (const edge of edges) typedPaths(edge, { sources, best, asked });
  return best;
}

/** Tells the names of which the question holds all words: a link by one of them leads to what is asked about already. */
function heldNames({ terms, language }: Question): (key: string) => boolean {
  const held = new Map<string, boolean>();
  return (key) => {
    let is = held.get(key);
    if (is === undefined) {
      const words = wordsOf(key, language);
      is = words.some(({ stop }) => !stop) && holdsAll(terms, words);
      held.set(key, is);
    }
    return is;
  };
}

/** Returns a strength above −1, which proves nothing, less what belongs to other items. */
function lessened(strength: number, share: number): number {
  return Math.min(strength, (1 + strength) * (1 - share) - 1);
}

function typedPaths(
  edge: Expansion['edges'][number],
  found: {
    readonly sources: ReadonlyMap<string, Source>;
    readonly best: Map<string, Path>;
    readonly asked: ReturnType<typeof askedEdges>;
  },
): void {
  if (edge.source_id === edge.target_id || edge.weight <= 0) return;
  const weight = Math.min(1, edge.weight);
  const column = columnOf(edge);
  for (const [from, to] of [
    [edge.source_id, edge.target_id],
    [edge.target_id, edge.source_id],
  ] as const) {
    const source = found.sources.get(from);
    if (source === undefined) continue;
    const { words, stems } = found.asked(from, edge);
    const strength = source.relative + SENTENCE * TYPED * weight + STATED * words + RARITY * Math.log(weight);
    keep(found.best, {
      ...{ strength, words, from, name: readableName(source.node), to, edge: edge.id, relation: edge.relation_type },
      ...(words === 0 ? {} : { asked: stems }),
      ...(column === undefined ? {} : { column }),
    });
  }
}

function keep(best: Map<string, Path>, path: Path): void {
  const known = best.get(path.to);
  const better =
    known === undefined ||
    path.strength > known.strength ||
    (path.strength === known.strength && path.edge < known.edge);
  if (better) best.set(path.to, path);
}
