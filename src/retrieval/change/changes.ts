import type { GraphNode, MessageFields } from '../../core/model.js';
import { SITTING } from '../conversation/windows.js';
import { asksTime, temporalExpressions } from '../dates/dates.js';
import type { ItemTexts } from '../expand/item-words.js';
import { ofAnotherThing } from './another-thing.js';
import { asksNow, corrects, isOwn, saysChange } from './change-words.js';
import { type Content, contentsOf, nearerThanUsual, shared, WORDS_ALONE } from './likeness.js';
import { movesMeeting } from './meetings.js';
import { follow, lackBeside, statementsOf } from './one-at-a-time.js';
import { restates } from './restated.js';
import { BEST, type Change, changesOf, type Versions, WITHIN, type Worth } from './versions.js';

/** Likeness from which on a turn may speak of the same, and from which on it does: sum of two shares, 0..2. */
const LIKE = 0.45;
const ALIKE = 0.55;
/** The same for a turn that says anew what the earlier one says, without a word of change. */
const LIKE_ANEW = 0.6;
const ALIKE_ANEW = 0.8;
/** How far below the earlier turn such a one may be, in log odds. */
const FURTHEST = 5;

/**
 * Finds turns that say what holds since an earlier one: "the lock was changed, it is 9035 now" answers a question for the code as
 * well as "the code is 4471" does, and later. The later turn takes the earlier one's place where the question asks how things are
 * now, the turn says that something changes, and both speak of the same: not of another person's affairs, nor of another
 * thing. Of what a person has one of at a time, the later statement holds, whatever else both turns speak of. Returns gains by id.
 */
export async function changesAmong(
  turns: readonly Worth[],
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
  if (turns.length < 2 || !asksNow(question.text, question.language)) return new Map();
  const nodes = turns.map(({ node }) => node);
  const isOther = await ofAnotherThing(question, nodes, texts);
  const ranked = [...turns].sort((a, b) => b.order - a.order || (a.node.id < b.node.id ? -1 : 1));
  const best = new Set(ranked.slice(0, BEST).map(({ node }) => node.id));
  const timed = inTime(turns.filter(({ node }) => !isOther(node)));
  const least = ranked[0]!.order - WITHIN;
  const stated = await statementsOf(question, nodes, texts);
  const replaceable = new Map<Timed, Versions>();
  for (const one of timed) {
    const { node, order } = one;
    const among = best.has(node.id) && order >= least;
    if (among || stated.has(node)) replaceable.set(one, { best: order, changes: 0, among });
  }
  const wantsTime = asksTime(question.text, question.language);
  const alike = likeness(turns, { vectors, texts });
  const says = new Set(timed.filter(({ node }) => saysChange(node.description)));
  const isAnew = restates(question, texts);
  const moves = movesMeeting(question.text);
  const later = timed.filter(({ node }) => !wantsTime || temporalExpressions(node.description, question.language) > 0);
  return changesOf(later, replaceable, (earlier, one, { among }) => {
    if (!isNews(earlier, one)) return 0;
    const [before, after] = [stated.get(earlier.node), stated.get(one.node)];
    if (follow(before, after)) return 1;
    if (lackBeside(before, after)) return 0;
    if (!among || isAnothers(earlier, one, question.named.size > 0)) return 0;
    const share = (like: number, sure: number) => Math.min(1, (alike(earlier.node, one.node) - like) / (sure - like));
    if (says.has(one)) return wantsTime && moves(earlier.node, one.node) ? 1 : share(LIKE, ALIKE);
    if (one.order < earlier.order - FURTHEST || speakerOf(earlier) !== speakerOf(one)) return 0;
    return isAnew(earlier.node, one.node) ? share(LIKE_ANEW, ALIKE_ANEW) : 0;
  });
}

/** A turn with its time, in milliseconds since 1970; before all others where it has none. */
interface Timed extends Worth {
  readonly time: number;
}

/** Returns turns from the first to the last; those of one time by session and turn. */
function inTime(turns: readonly Worth[]): Timed[] {
  const timed = turns.map((turn) => {
    const time = Date.parse(turn.node.passage?.message?.timestamp ?? '');
    return { ...turn, time: Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time };
  });
  return timed.sort((a, b) => {
    if (a.time !== b.time) return a.time < b.time ? -1 : 1;
    const [first, second] = [messageOf(a), messageOf(b)];
    if (first.session_id !== second.session_id) return first.session_id < second.session_id ? -1 : 1;
    return first.turn - second.turn || (a.node.id < b.node.id ? -1 : 1);
  });
}

function messageOf({ node }: Timed): MessageFields {
  return node.passage!.message!;
}

/** Returns whether a turn is later than another, and of another sitting unless it takes something back. */
function isNews(earlier: Timed, later: Timed): boolean {
  const [first, second] = [messageOf(earlier), messageOf(later)];
  const [one, other] = [earlier.node, later.node];
  if (one === other || one.domain !== other.domain || earlier.time > later.time) return false;
  if (Number.isFinite(earlier.time) && later.time - earlier.time > SITTING) return true;
  return first.session_id === second.session_id && first.turn < second.turn && corrects(other.description);
}

/** Returns whether a turn is another person's affair than an earlier one. */
function isAnothers(earlier: Timed, later: Timed, namesSpeaker: boolean): boolean {
  return speakerOf(earlier) !== speakerOf(later) && (namesSpeaker || isOwn(earlier.node.description));
}

function speakerOf(turn: Timed): string {
  const { speaker, role } = messageOf(turn);
  return speaker ?? role;
}

/**
 * Returns how alike two turns are: how much nearer their vectors are than those of the other turns, plus the share of the first
 * one's words, by rarity among the turns, that the second holds.
 */
function likeness(
  turns: readonly Worth[],
  { vectors, texts }: { readonly vectors: ReadonlyMap<string, Float32Array>; readonly texts: ItemTexts },
): (a: GraphNode, b: GraphNode) => number {
  let known: ReadonlyMap<string, Content> | undefined;
  const nearer = nearerThanUsual(turns.flatMap(({ node }) => vectors.get(node.id) ?? []));
  return (a, b) => {
    known ??= contents(turns, texts);
    const own = known.get(a.id)!;
    const words = own.all === 0 ? 0 : shared(own, known.get(b.id)!) / own.all;
    const [from, to] = [vectors.get(a.id), vectors.get(b.id)];
    return from === undefined || to === undefined ? WORDS_ALONE * words : words + nearer(from, to);
  };
}

/** Returns the content words of turns, with their rarity among all turns. */
function contents(turns: readonly Worth[], texts: ItemTexts): Map<string, Content> {
  const stems = turns.map(({ node }) => {
    const words = texts.of(node).sentences.flatMap((sentence) => sentence.filter(({ stop }) => !stop));
    return new Set(words.map(({ stem }) => stem));
  });
  const found = contentsOf(stems);
  return new Map(turns.map(({ node }, i) => [node.id, found[i]!]));
}
