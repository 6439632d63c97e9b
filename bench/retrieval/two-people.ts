import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf } from './own-text.js';

const FOLDER = 'bench/retrieval/two-people';

/** One conversation with its turns in order. */
export interface Talk {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly turns: ReadonlyArray<{ readonly speaker: string; readonly text: string }>;
}

/** A question about conversations. */
export interface TalkQuestion {
  readonly kind: string;
  readonly question: string;
  /** `conversation turn`, 0-based; empty where nobody said it or the data does not tell. */
  readonly turns: readonly string[];
  /** Conversations that hold the evidence. */
  readonly conversations: readonly string[];
}

/** Reads the dialogue of two people: sessions are called `two 1`, `two 2`, … */
export function twoPeople(folder = FOLDER): { readonly talks: Talk[]; readonly questions: TalkQuestion[] } {
  const talks = readTalks(readFileSync(join(folder, 'dialogue.txt'), 'utf8'), 'two');
  const [answerable = '', unanswerable = ''] = readFileSync(join(folder, 'questions.txt'), 'utf8').split('\n---\n');
  const questions = linesOf(answerable).map((line): TalkQuestion => {
    const [, kind = '', question = '', evidence = ''] = /^(\w+) \| (.+) => (.+)$/u.exec(line) ?? [];
    const places = evidence.split(' ').map((place) => place.split(':').map(Number));
    return {
      kind,
      question,
      turns: places.map(([session, turn]) => `two ${session} ${turn! - 1}`),
      conversations: [...new Set(places.map(([session]) => `two ${session}`))],
    };
  });
  const others = linesOf(unanswerable).map((question) => ({ kind: 'nobody', question, turns: [], conversations: [] }));
  return { talks, questions: [...questions, ...others] };
}

/** Reads conversations whose sessions open with `@session time`; they are called `name 1`, `name 2`, … */
export function readTalks(text: string, name: string): Talk[] {
  const talks: Array<Talk & { turns: Array<{ speaker: string; text: string }> }> = [];
  for (const line of linesOf(text)) {
    const session = /^@session (.+)$/u.exec(line);
    if (session !== null) talks.push({ id: `${name} ${talks.length + 1}`, time: session[1]!, turns: [] });
    else {
      const [, speaker = '', said = ''] = /^([^:]+): (.+)$/u.exec(line) ?? [];
      talks.at(-1)!.turns.push({ speaker, text: said });
    }
  }
  return talks;
}
