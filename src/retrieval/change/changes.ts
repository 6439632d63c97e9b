import type { GraphNode, MessageFields } from '../../core/model.js';
import { asksTime, temporalExpressions } from '../conversation/dates.js';
import { SITTING } from '../conversation/windows.js';
import { dot } from '../dot.js';
import type { ItemTexts } from '../expand/item-words.js';
import { ofAnotherThing } from './another-thing.js';
import { asksNow, corrects, isOwn, saysChange } from './change-words.js';
import { follow, statementsOf } from './one-at-a-time.js';
import { above, BEST, type Change, type Versions, WITHIN } from './versions.js';

/** A turn with what it is worth by itself, in log odds. */
interface Turn {
  readonly node: GraphNode;
  readonly order: number;
}

/** Versions of one thing up to a turn. */
interface TurnVersions extends Versions {
  /** Whether one of them is among the best turns: others may take its place by what they are like. */
  readonly among: boolean;
}

/** Likeness from which on a turn may speak of the same, and from which on it does: sum of two shares, 0..2. */
const LIKE = 0.45;
const ALIKE = 0.55;
/** Without a model the words alone tell: their share counts twice. */
const WORDS_ALONE = 2;

/**
 * Finds turns that say what holds since an earlier one: "the lock was changed, it is 9035 now" answers a question for the code as
 * well as "the code is 4471" does, and later. The later turn takes the earlier one's place where the question asks how things are
 * now, the turn says that something changes, and both speak of the same: not of another person's affairs, nor of another
 * thing. Of what a person has one of at a time, the later statement holds, whatever else both turns speak of. Returns gains by id.
 */
export async function changesAmong(
  turns: readonly Turn[],
  {
    question,
    vectors,
    texts,
  }: {
    readonly question: { readonly text: string; readonly language: string; readonly named: ReadonlySet<string> };
    readonly vectors: ReadonlyMap<string, Float32Array>;
    readonly texts: ItemTexts;
  },
): Promise<Map<string, Change>> {
  const changes = new Map<string, Change>();
  if (turns.length < 2 || !asksNow(question.text, question.language)) return changes;
  const nodes = turns.map(({ node }) => node);
  const isOther = await ofAnotherThing(question, nodes, texts);
  const best = [...turns].sort((a, b) => b.order - a.order || (a.node.id < b.node.id ? -1 : 1)).slice(0, BEST);
  const timed = inTime(turns.filter(({ node }) => !isOther(node)));
  const least = best[0]!.order - WITHIN;
  const stated = await statementsOf(question, nodes, texts);
  const replaceable = new Map<Timed, TurnVersions>();
  for (const one of timed) {
    const { node, order } = one.turn;
    const among = best.includes(one.turn) && order >= least;
    if (among || stated.has(node)) replaceable.set(one, { best: order, changes: 0, among });
  }
  const wantsTime = asksTime(question.text, question.language);
  const alike = likeness(turns, { vectors, texts });
  // In the order of time, so that the third version of a thing takes the place of the second.
  for (const later of timed) {
    const { node, order } = later.turn;
    const says = saysChange(node.description);
    if (!says && !stated.has(node)) continue;
    if (wantsTime && temporalExpressions(node.description, question.language) === 0) continue;
    let most: { of: GraphNode; place: number; versions: TurnVersions } | undefined;
    for (const [one, versions] of replaceable) {
      if (above(versions) <= order || !isNews(one, later)) continue;
      const { turn } = one;
      const share = follow(stated.get(turn.node), stated.get(node))
        ? 1
        : says && versions.among && !isAnothers(one, later, question.named.size > 0)
          ? Math.min(1, (alike(turn.node, node) - LIKE) / (ALIKE - LIKE))
          : 0;
      const place = order + share * (above(versions) - order);
      if (share <= 0 || place <= (most?.place ?? order)) continue;
      const reached = Math.max(order, Math.min(versions.best, place));
      most = { of: turn.node, place, versions: { best: reached, changes: versions.changes + 1, among: true } };
    }
    if (most === undefined) continue;
    changes.set(node.id, { of: most.of, gain: most.place - order });
    replaceable.set(later, most.versions);
  }
  return changes;
}

/** A turn with its time, in milliseconds since 1970; before all others where it has none. */
interface Timed {
  readonly turn: Turn;
  readonly time: number;
}

/** Returns turns from the first to the last; those of one time by session and turn. */
function inTime(turns: readonly Turn[]): Timed[] {
  const timed = turns.map((turn) => {
    const time = Date.parse(turn.node.passage?.message?.timestamp ?? '');
    return { turn, time: Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time };
  });
  return timed.sort((a, b) => {
    if (a.time !== b.time) return a.time < b.time ? -1 : 1;
    const [first, second] = [messageOf(a), messageOf(b)];
    if (first.session_id !== second.session_id) return first.session_id < second.session_id ? -1 : 1;
    return first.turn - second.turn || (a.turn.node.id < b.turn.node.id ? -1 : 1);
  });
}

function messageOf({ turn }: Timed): MessageFields {
  return turn.node.passage!.message!;
}

/** Returns whether a turn is later than another, and of another sitting unless it takes something back. */
function isNews(earlier: Timed, later: Timed): boolean {
  const [first, second] = [messageOf(earlier), messageOf(later)];
  const [one, other] = [earlier.turn.node, later.turn.node];
  if (one === other || one.domain !== other.domain || earlier.time > later.time) return false;
  if (Number.isFinite(earlier.time) && later.time - earlier.time > SITTING) return true;
  return first.session_id === second.session_id && first.turn < second.turn && corrects(other.description);
}

/** Returns whether a turn is another person's affair than an earlier one. */
function isAnothers(earlier: Timed, later: Timed, namesSpeaker: boolean): boolean {
  const [first, second] = [messageOf(earlier), messageOf(later)];
  const areOthers = (first.speaker ?? first.role) !== (second.speaker ?? second.role);
  return areOthers && (namesSpeaker || isOwn(earlier.turn.node.description));
}

/**
 * Returns how alike two turns are: how much nearer their vectors are than those of the other turns, plus the share of the first
 * one's words, by rarity among the turns, that the second holds.
 */
function likeness(
  turns: readonly Turn[],
  { vectors, texts }: { readonly vectors: ReadonlyMap<string, Float32Array>; readonly texts: ItemTexts },
): (a: GraphNode, b: GraphNode) => number {
  let known: ReadonlyMap<string, Content> | undefined;
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
    known ??= contents(turns, texts);
    const [own, other] = [known.get(a.id)!, known.get(b.id)!];
    let shared = 0;
    for (const [stem, rarity] of own.stems) if (other.stems.has(stem)) shared += rarity;
    const words = own.all === 0 ? 0 : shared / own.all;
    const [from, to] = [vectors.get(a.id), vectors.get(b.id)];
    if (from === undefined || to === undefined) return WORDS_ALONE * words;
    const mean = usual(from);
    return words + Math.max(0, (dot(from, to) - mean) / Math.max(1e-6, 1 - mean));
  };
}

/** The content words of a turn with their rarity among all turns, and the sum of these. */
interface Content {
  readonly stems: ReadonlyMap<string, number>;
  readonly all: number;
}

function contents(turns: readonly Turn[], texts: ItemTexts): Map<string, Content> {
  const stems = turns.map(({ node }) => {
    const words = texts.of(node).sentences.flatMap((sentence) => sentence.filter(({ stop }) => !stop));
    return new Set(words.map(({ stem }) => stem));
  });
  const holders = new Map<string, number>();
  for (const set of stems) for (const stem of set) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  return new Map(
    turns.map(({ node }, i) => {
      const own = new Map([...stems[i]!].map((stem) => [stem, Math.log(1 + turns.length / holders.get(stem)!)]));
      return [node.id, { stems: own, all: [...own.values()].reduce((sum, rarity) => sum + rarity, 0) }];
    }),
  );
}
