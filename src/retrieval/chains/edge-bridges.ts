import type { Expansion } from '../../backends/graph/port.js';
import type { GraphNode } from '../../core/model.js';
import { PATH_SEPARATOR } from '../../core/text/about.js';
import { keyOf } from '../../core/text/keys.js';
import { tokenize } from '../../core/text/tokens.js';
import { wordsOf } from '../../core/text/words.js';
import type { RetrievalParts } from '../collaborators.js';
import type { ItemTexts } from '../expand/item-words.js';
import { likenessByTable } from '../expand/like-words.js';
import { TYPED } from '../expand/paths.js';
import { relationOf, wordsOfRelation } from '../expand/relations.js';
import { likeness } from '../expand/words-near.js';
import type { QuestionWord } from '../seed/question-words.js';
import { type Bridge, strengthOf, strongest } from './bridges.js';
import { isRowOf, isUnnamedRow } from './kinds.js';

/** From this likeness on a relation says a word of the question. */
const SAID = 0.4;
/** Relations that say less than this share of what the one that says most does are not meant. */
const SURE = 0.5;

/** A concept where typed edges lead on. */
export interface EdgeOrigin {
  readonly node: GraphNode;
  /** Evidence less the best start's: 0 or negative. */
  readonly relative: number;
  /** Words of the question outside names and outside what the concept explains. */
  readonly open: readonly QuestionWord[];
  readonly words: readonly QuestionWord[];
  /** What the question calls the thing that its concept stands for, as stems. */
  readonly kinds: ReadonlySet<string>;
}

type WeighedEdge = Expansion['edges'][number];

/** An edge as it is seen from one of its ends. */
interface Step {
  readonly to: string;
  readonly edge: string;
  readonly weight: number;
  /** Share of what the question asks that the relation says. */
  readonly near: number;
  /** Edges of this relation and direction at the concept. */
  readonly alike: number;
}

/** What a relation says of what the question asks. */
interface RelationMatch {
  /** Share by idf, 0..1; words that nearly mean it count in part. */
  readonly near: number;
  /** Words that it leaves for the other end to answer. */
  readonly left: number;
}

/**
 * Returns the strongest bridges over typed edges: the name at the other end of each, at most `count` for every concept. A relation
 * that the question speaks of comes before all others; one of many edges alike is a weak bridge. Where a relation leaves nothing of the question
 * over, as in "What does A require?", its edge is the answer and no bridge.
 */
export async function edgeBridges(
  parts: Pick<RetrievalParts, 'graph' | 'table'>,
  origins: readonly EdgeOrigin[],
  {
    edges,
    texts,
    count,
  }: { readonly edges: readonly WeighedEdge[]; readonly texts: ItemTexts; readonly count: number },
): Promise<Bridge[]> {
  const at = new Set(origins.map(({ node }) => node.id));
  const near = edges.filter(({ source_id, target_id }) => at.has(source_id) || at.has(target_id));
  const said = await saidBy(parts.table, origins, { edges: near, language: texts.language });
  const steps = origins.map((origin) => bestSteps(origin, { edges: near, said, count }));
  const ids = new Set(steps.flatMap((list) => list.map(({ to }) => to)));
  const ends = new Map((await parts.graph.getNodes([...ids])).map((node) => [node.id, node]));
  return origins.flatMap((origin, i) => {
    const stems = new Set(origin.words.map(({ stem }) => stem));
    const bridges = steps[i]!.flatMap(({ to, edge, weight, near, alike }): Bridge[] => {
      const end = ends.get(to);
      if (end === undefined || end.passage?.message !== undefined || isUnnamedRow(end)) return [];
      const name = end.name.split(PATH_SEPARATOR).at(-1)!;
      const tokens = tokenize(name);
      const own = [...new Set(wordsOf(name, texts.language).flatMap(({ stop, stem }) => (stop ? [] : [stem])))];
      if (own.length === 0 || own.every((stem) => stems.has(stem))) return [];
      const strength = strengthOf({
        ...{ relative: origin.relative, similarity: TYPED * weight, near, held: alike },
        isWanted: isRowOf(origin.kinds, end, texts.language),
      });
      return [
        {
          ...{ key: keyOf(tokens), name, stems: own, from: origin.node.id, sentence: -1, strength, about: [to], edge },
          isGuess: near === 0,
        },
      ];
    });
    return strongest(bridges, count);
  });
}

/** Returns the edges at a concept that the question most likely means, one for each other end. */
function bestSteps(
  origin: EdgeOrigin,
  {
    edges,
    said,
    count,
  }: {
    readonly edges: readonly WeighedEdge[];
    readonly said: (relation: string, origin: EdgeOrigin) => RelationMatch;
    readonly count: number;
  },
): Step[] {
  const { node } = origin;
  const seen = edges.flatMap((edge) => {
    const leaves = edge.source_id === node.id;
    if (edge.weight <= 0 || edge.source_id === edge.target_id || (!leaves && edge.target_id !== node.id)) return [];
    return [{ edge, to: leaves ? edge.target_id : edge.source_id, label: `${leaves} ${relationOf(edge)}` }];
  });
  const alike = new Map<string, number>();
  for (const { label } of seen) alike.set(label, (alike.get(label) ?? 0) + 1);
  const matches = new Map<string, RelationMatch>();
  for (const { edge, label } of seen) if (!matches.has(label)) matches.set(label, said(relationOf(edge), origin));
  const most = Math.max(0, ...[...matches.values()].map(({ near }) => near));
  const best = new Map<string, Step>();
  for (const { edge, to, label } of seen) {
    const { near, left } = matches.get(label)!;
    if (most > 0 ? near < SURE * most || left === 0 : left < 2) continue;
    const step = {
      to,
      edge: edge.id,
      weight: Math.min(1, edge.weight),
      near,
      alike: alike.get(label)!,
    };
    const known = best.get(to);
    if (known === undefined || before(step, known) < 0) best.set(to, step);
  }
  return [...best.values()].sort(before).slice(0, count);
}

/** Returns a function that tells what a relation says of what the question asks. */
async function saidBy(
  table: RetrievalParts['table'],
  origins: readonly EdgeOrigin[],
  { edges, language }: { readonly edges: readonly WeighedEdge[]; readonly language: string },
): Promise<(relation: string, origin: EdgeOrigin) => RelationMatch> {
  const relations = new Map(
    [...new Set(edges.map(relationOf))].map((relation) => [
      relation,
      wordsOfRelation(relation, language).filter(({ stop }) => !stop),
    ]),
  );
  const words = new Set([...relations.values()].flatMap((list) => list.map(({ norm }) => norm)));
  const like = await likenessByTable(
    table,
    words,
    new Set(origins.flatMap(({ open }) => open.map(({ norm }) => norm))),
  );
  return (relation, { open, words: asked }) => {
    const kind = kindAsked(asked);
    const left = new Set<string>();
    let total = 0;
    let found = 0;
    for (const { norm, stem, idf } of open) {
      const likely = relations
        .get(relation)!
        .reduce((most, word) => Math.max(most, likeness(stem, word), like(word.norm, norm)), 0);
      const share = likely < SAID ? 0 : likely;
      total += idf;
      found += share * idf;
      if (share === 0 && !kind.has(stem)) left.add(stem);
    }
    return { near: total === 0 ? 0 : found / total, left: left.size };
  };
}

const WHICH = new Set('which what welche welcher welches welchen welchem welke quel quelle quels quelles'.split(' '));

/** Returns the words for the kind of thing asked for, as stems: "new component" of "Which new component needs A?". */
function kindAsked(words: readonly QuestionWord[]): Set<string> {
  const first = words.findIndex(({ norm }) => WHICH.has(norm));
  const kind = new Set<string>();
  if (first === -1) return kind;
  for (const { content, inName, stem } of words.slice(first + 1)) {
    if (!content || inName) break;
    kind.add(stem);
  }
  return kind;
}

function before(a: Step, b: Step): number {
  return b.near - a.near || a.alike - b.alike || b.weight - a.weight || (a.to < b.to ? -1 : 1);
}
