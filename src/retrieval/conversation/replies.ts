import { groupBy } from '../../core/group-by.js';
import type { GraphNode } from '../../core/model.js';
import { asksWhoAsked, isPolar, saysSomething, wantsToKnow } from './asking-words.js';
import type { MessageItem, Reply } from './message-features.js';
import { placeOf, type Turns } from './windows.js';

/** Turns behind a question among which its answer is looked for. */
const BEHIND = 5;
/** Log odds that each further turn between a question and what may answer it costs. */
const STEP = 0.4;
/** Likeness of what asks in a turn to the question from which on it may ask the same, and from which on it does. */
const LIKE = 0.3;
const SAME = 0.55;
/** Share of a turn that asks from which on it may do nothing else, and from which on it does not. */
const BESIDE = 0.2;
const MOSTLY = 0.5;
/** Log odds that a turn loses which only asks the same, and that it gains where the question asks who asked. */
const ASKER = 1.5;
/** Log odds by which each further turn behind it stays below the one before. */
const BELOW = 0.7;
/** Log odds that a turn behind it reaches at most (0.73): that it stands there is no proof. What asked the same stays below that. */
const MOST = 1;
const ASIDE = 0.5;

/**
 * Finds turns that answer what somebody asked in the conversation as it is asked now. "Who has the gate key?" holds all words of the same question and
 * answers nothing; a turn behind it does, and has none of them. That turn takes the place of the one that asked, and where nothing answers it, the
 * question alone is no answer. A turn that proposes or tells something by a question ("Shall we meet at Luigi's?") keeps its place. Returns gains by id. Pure.
 *
 * `order`: the score of a turn by itself, in log odds. `likeness`: how much it is like the question from where it asks on: what stands before tells
 * something ("Tom has the gate key. Who has the pump?"), what follows belongs to it.
 */
export function repliesAmong(
  items: readonly MessageItem[],
  {
    question,
    turns,
    order,
    likeness,
  }: {
    readonly question: string;
    readonly turns: Turns;
    readonly order: (item: MessageItem) => number;
    readonly likeness: (node: GraphNode, from: number) => number;
  },
): Map<string, Reply> {
  const replies = new Map<string, Reply>();
  const pieces = groupBy(items, ({ node }) => placeOf(node));
  const asked = { wantsAsker: asksWhoAsked(question), isPolar: isPolar(question) };
  for (const item of items) {
    // No part of a turn is more like the question than its best sentence.
    if (item.sentence <= LIKE) continue;
    const { share, from } = wantsToKnow(item.node.description, asked);
    const asks = rising(share, BESIDE, MOSTLY);
    const same = asks === 0 ? 0 : asks * rising(likeness(item.node, from), LIKE, SAME);
    if (same === 0) continue;
    const { id } = item.node;
    if (asked.wantsAsker) {
      replies.set(id, { gain: ASKER * same });
      continue;
    }
    // A turn that asks may answer an earlier one.
    const own = order(item);
    const most = Math.min(own, MOST);
    if (!replies.has(id)) replies.set(id, { gain: -same * Math.max(ASKER, own - most + ASIDE) });
    const answers = answersBehind(item, { pieces, turns, order });
    // Where one stands above what asked by itself, the others answer something else.
    const open = answers.some(({ worth }) => worth >= most) ? [] : answers;
    open.forEach(({ other, worth }, place) => {
      const gain = same * (most - BELOW * place - worth);
      if (gain > (replies.get(other.id)?.gain ?? 0)) replies.set(other.id, { to: item.node, gain });
    });
  }
  return replies;
}

/** Returns how far a value is on the way from nothing to all, 0..1. */
function rising(value: number, nothing: number, all: number): number {
  return Math.max(0, Math.min(1, (value - nothing) / (all - nothing)));
}

/** Returns the turns behind one that say something of their own, the likeliest answer first; of a long turn its best piece. */
function answersBehind(
  { node }: MessageItem,
  {
    pieces,
    turns,
    order,
  }: {
    readonly pieces: ReadonlyMap<string, readonly MessageItem[]>;
    readonly turns: Turns;
    readonly order: (item: MessageItem) => number;
  },
): Array<{ readonly other: GraphNode; readonly worth: number }> {
  const found = turns.around(node, 1, BEHIND).flatMap((turn, at) => {
    const [best] = (pieces.get(placeOf(turn)) ?? [])
      .filter((item) => item.questions < 1 && saysSomething(item.node.description))
      .map((item) => ({ other: item.node, worth: order(item) }))
      .sort((a, b) => b.worth - a.worth);
    return best === undefined ? [] : [{ ...best, likely: best.worth - STEP * at }];
  });
  return found.sort((a, b) => b.likely - a.likely);
}
