import type { Ingest } from '../../src/ingest/ingest.js';
import { chatTime, lihua } from './data.js';
import { turnQuestions } from './lihua-turns.js';
import { type Talk, type TalkQuestion, twoPeople } from './two-people.js';

/** One way in which conversations lie in a domain. */
export interface Arrangement {
  readonly domain: string;
  readonly talks: readonly Talk[];
  readonly questions: readonly TalkQuestion[];
  /** Whether all conversations are one session, as where a program has one channel. */
  readonly oneSession: boolean;
}

/** Returns the conversations in the ways that they are measured in: in sessions, in one session, and both sets together. */
export function arrangements(): Arrangement[] {
  const world = lihuaTalks();
  const two = twoPeople();
  const talks = [...world.talks, ...two.talks];
  const questions = [...world.questions, ...two.questions];
  return [
    { domain: 'lihua', ...world, oneSession: false },
    { domain: 'lihua-one', ...world, oneSession: true },
    { domain: 'two', ...two, oneSession: false },
    { domain: 'two-one', ...two, oneSession: true },
    { domain: 'together', talks, questions, oneSession: false },
  ];
}

/** Ingests every turn as a message; its id is `conversation turn`. */
export async function ingestTalks(ingest: Ingest, { domain, talks, oneSession }: Arrangement): Promise<void> {
  const inOrder = [...talks].sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  for (const { id, time, turns } of inOrder) {
    for (const [i, { speaker, text }] of turns.entries()) {
      const session_id = oneSession ? 'all' : id;
      const message_id = `${id} ${i}`;
      await ingest.message({ domain, text, speaker, session_id, message_id, role: 'user', timestamp: time });
    }
  }
}

/** LiHua-World with evidence turns where the data gives them; the kind says so. */
function lihuaTalks(): { readonly talks: Talk[]; readonly questions: TalkQuestion[] } {
  const { chats, questions } = lihua();
  const known = new Map(turnQuestions(chats, questions).map((one) => [one.question, one.turns]));
  return {
    talks: chats.map(({ id, turns }) => ({ id, turns, time: chatTime(id) })),
    questions: questions.map(({ question, type, gold }) => ({
      kind: type === 'Null' ? 'nobody' : type.toLowerCase(),
      question,
      turns: type === 'Single' ? (known.get(question) ?? []) : [],
      conversations: gold,
    })),
  };
}
