import type { GraphNode } from '../../core/model.js';
import type { ItemTexts } from '../expand/item-words.js';
import { asksNow, corrects, isOwn, saysChange } from './change-words.js';
import { asksTime, temporalExpressions } from './dates.js';
import { dot, inOneSitting } from './windows.js';

/** What a later turn gains by taking the place of an earlier one. */
export interface Change {
  /** The turn whose place it takes. */
  readonly of: GraphNode;
  /** Log odds, above 0. */
  readonly gain: number;
}

/** A turn with what it is worth by itself, in log odds. */
interface Turn {
  readonly node: GraphNode;
  readonly order: number;
}

/** Turns that others may take the place of: the best ones, no further below the best than `WITHIN`. */
const BEST = 5;
const WITHIN = 3;
/** How far above an earlier turn the later one stands that says what holds since then. */
const MARGIN = 0.3;
/** Likeness from which on a turn may speak of the same, and from which on it does: sum of two shares, 0..2. */
const LIKE = 0.45;
const ALIKE = 0.55;
/** Without a model the words alone tell: their share counts twice. */
const WORDS_ALONE = 2;

/**
 * Finds turns that say what holds since an earlier one: "the lock was changed, it is 9035 now" answers a question for the code as
 * well as "the code is 4471" does, and later. The later turn takes the earlier one's place where the question asks how things are
 * now, the turn says that something changes, both speak of the same, and nobody else's affairs are meant. Returns gains by id.
 */
export function changesAmong(
  turns: readonly Turn[],
  {
    question,
    vectors,
    texts,
  }: {
    readonly question: { readonly text: string; readonly language: string; readonly names: boolean };
    readonly vectors: ReadonlyMap<string, Float32Array>;
    readonly texts: ItemTexts;
  },
): Map<string, Change> {
  const changes = new Map<string, Change>();
  if (turns.length < 2 || !asksNow(question.text, question.language)) return changes;
  const best = [...turns].sort((a, b) => b.order - a.order || (a.node.id < b.node.id ? -1 : 1)).slice(0, BEST);
  const worth = new Map(best.filter(({ order }) => order >= best[0]!.order - WITHIN).map((turn) => [turn, turn.order]));
  const wantsTime = asksTime(question.text, question.language);
  const alike = likeness(turns, { vectors, texts });
  const times = new Map(turns.map(({ node }) => [node.id, timeOf(node)]));
  const time = (node: GraphNode): number => times.get(node.id)!;
  // In the order of time, so that the third version of a thing takes the place of the second.
  for (const turn of [...turns].sort((a, b) => time(a.node) - time(b.node) || (a.node.id < b.node.id ? -1 : 1))) {
    const { node, order } = turn;
    let most: { of: GraphNode; place: number } | undefined;
    for (const [earlier, reached] of worth) {
      const lowest = most?.place ?? order;
      if (time(earlier.node) > time(node) || reached + MARGIN <= lowest) continue;
      if (!mayReplace(earlier.node, node, question.names)) continue;
      const share = Math.min(1, (alike(earlier.node, node) - LIKE) / (ALIKE - LIKE));
      const place = order + share * (reached + MARGIN - order);
      if (share > 0 && place > lowest) most = { of: earlier.node, place };
    }
    if (most === undefined || !saysChange(node.description)) continue;
    if (wantsTime && temporalExpressions(node.description, question.language) === 0) continue;
    changes.set(node.id, { of: most.of, gain: most.place - order });
    worth.set(turn, most.place);
  }
  return changes;
}

/** Returns whether a turn may say what holds since another, which is no later: it is not another person's affair. */
function mayReplace(earlier: GraphNode, later: GraphNode, namesSpeaker: boolean): boolean {
  const [first, second] = [earlier.passage!.message!, later.passage!.message!];
  if (earlier.domain !== later.domain) return false;
  if ((namesSpeaker || isOwn(earlier.description)) && first.speaker !== second.speaker) return false;
  if (!inOneSitting(first.timestamp, second.timestamp)) return true;
  // What is said on the same occasion goes on with the subject, unless it takes something back.
  return first.session_id === second.session_id && first.turn < second.turn && corrects(later.description);
}

function timeOf({ passage }: GraphNode): number {
  const time = Date.parse(passage?.message?.timestamp ?? '');
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

/**
 * Returns how alike two turns are: how much nearer their vectors are than those of the other turns, plus the share of the first
 * one's words, by rarity among the turns, that the second holds.
 */
function likeness(
  turns: readonly Turn[],
  { vectors, texts }: { readonly vectors: ReadonlyMap<string, Float32Array>; readonly texts: ItemTexts },
): (a: GraphNode, b: GraphNode) => number {
  const stems = new Map(turns.map(({ node }) => [node.id, contentOf(node, texts)]));
  const holders = new Map<string, number>();
  for (const set of stems.values()) for (const stem of set) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  const rarity = (stem: string): number => Math.log(1 + turns.length / (holders.get(stem) ?? 1));
  const length = vectors.values().next().value?.length ?? 0;
  const sum = new Float32Array(length);
  let count = 0;
  for (const { node } of turns) {
    const vector = vectors.get(node.id);
    if (vector === undefined) continue;
    count += 1;
    for (let i = 0; i < length; i += 1) sum[i]! += vector[i]!;
  }
  /** Returns the mean cosine of a turn with the others. */
  const usual = (vector: Float32Array): number => (dot(vector, sum) - 1) / Math.max(1, count - 1);
  return (a, b) => {
    const [own, other] = [stems.get(a.id)!, stems.get(b.id)!];
    let all = 0;
    let shared = 0;
    for (const stem of own) {
      all += rarity(stem);
      if (other.has(stem)) shared += rarity(stem);
    }
    const words = all === 0 ? 0 : shared / all;
    const [from, to] = [vectors.get(a.id), vectors.get(b.id)];
    if (from === undefined || to === undefined) return WORDS_ALONE * words;
    const mean = usual(from);
    return words + Math.max(0, (dot(from, to) - mean) / Math.max(1e-6, 1 - mean));
  };
}

function contentOf(node: GraphNode, texts: ItemTexts): Set<string> {
  const content = texts.of(node).sentences.flatMap((words) => words.filter(({ stop }) => !stop));
  return new Set(content.map(({ stem }) => stem));
}
