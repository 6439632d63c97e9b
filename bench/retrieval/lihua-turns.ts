import { analyse } from '../../src/core/text/words.js';
import type { Chat, ChatQuestion } from './data.js';

/** Share of the answer's words that a turn must hold to be evidence. */
const HELD = 0.75;

/** A question whose evidence is known to the turn. */
export interface TurnQuestion {
  readonly question: string;
  /** Conversations that hold the evidence. */
  readonly conversations: readonly string[];
  /** `conversation turn`, 0-based; empty where the question has no answer. */
  readonly turns: readonly string[];
}

/**
 * Derives evidence turns where the data gives them: in the one conversation that answers a question, the turns that hold
 * nearly all content words of its answer (one to twelve words, no yes or no, no bare date). Questions without such turns are left
 * out; questions without an answer stay, with no evidence.
 */
export function turnQuestions(chats: readonly Chat[], questions: readonly ChatQuestion[]): TurnQuestion[] {
  const byId = new Map(chats.map((chat) => [chat.id, chat]));
  return questions.flatMap(({ question, type, gold, answer }): TurnQuestion[] => {
    if (type === 'Null') return [{ question, conversations: [], turns: [] }];
    if (type !== 'Single' || gold.length !== 1 || /^(?:yes|no)\b|^\d{8}/iu.test(answer)) return [];
    const wanted = new Set(analyse(answer.replaceAll('&', ' ')));
    if (wanted.size === 0 || wanted.size > 12) return [];
    const shares = (byId.get(gold[0]!)?.turns ?? []).map(({ text }) => {
      const stems = new Set(analyse(text));
      return [...wanted].filter((stem) => stems.has(stem)).length / wanted.size;
    });
    const best = Math.max(0, ...shares);
    if (best < HELD) return [];
    const turns = shares.flatMap((share, turn) => (share === best ? [`${gold[0]} ${turn}`] : []));
    // Words that half the conversation holds say nothing.
    return turns.length > 3 ? [] : [{ question, conversations: gold, turns }];
  });
}
