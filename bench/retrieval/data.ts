import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Passage {
  readonly title: string;
  readonly text: string;
}

export interface Question {
  readonly question: string;
  /** Positions of the passages that hold the evidence. */
  readonly gold: readonly number[];
  /** Kind of question: hops, bridge or comparison. */
  readonly kind: string;
}

export interface DevelopmentSet {
  readonly name: string;
  readonly passages: readonly Passage[];
  readonly questions: readonly Question[];
}

/** The folder with the development data; see its README. */
export function dataFolder(): string {
  return process.env.BENCH_DATA ?? '../shared/data';
}

export function musique(folder = dataFolder()): DevelopmentSet {
  const at = (file: string) => join(folder, 'musique-train', file);
  const passages = JSON.parse(readFileSync(at('musique_train_corpus.json'), 'utf8')) as Passage[];
  const questions = lines(at('musique_train_eval.jsonl')).map((row) => ({
    question: row.question as string,
    gold: row.gold_idx as number[],
    kind: row.hop as string,
  }));
  return { name: 'MuSiQue-train', passages, questions };
}

export function hotpot(folder = dataFolder()): DevelopmentSet {
  const at = (file: string) => join(folder, 'hotpotqa-train', file);
  const corpus = JSON.parse(readFileSync(at('hotpotqa_train_corpus.json'), 'utf8')) as Record<string, string[]>;
  const passages = Object.entries(corpus).map(([title, sentences]) => ({
    title: unescaped(title),
    text: sentences.join(''),
  }));
  const questions = lines(at('hotpotqa_train_eval.jsonl')).map((row) => ({
    question: row.question as string,
    gold: row.gold_idx as number[],
    kind: row.type as string,
  }));
  return { name: 'HotpotQA-train', passages, questions };
}

export interface Chat {
  readonly id: string;
  readonly turns: ReadonlyArray<{ readonly speaker: string; readonly text: string }>;
}

export interface ChatQuestion {
  readonly question: string;
  readonly type: string;
  readonly answer: string;
  /** Ids of the conversations that hold the evidence. */
  readonly gold: readonly string[];
}

export function lihua(folder = dataFolder()): {
  readonly chats: readonly Chat[];
  readonly questions: readonly ChatQuestion[];
} {
  const at = (file: string) => join(folder, 'lihua-world', file);
  return {
    chats: lines(at('lihua_chats.jsonl')) as unknown as Chat[],
    questions: lines(at('lihua_eval.jsonl')) as unknown as ChatQuestion[],
  };
}

function lines(path: string): Array<Record<string, unknown>> {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The set as one Markdown document: a section with its title for each passage. */
export function asMarkdown(passages: readonly Passage[]): string {
  return passages.map(({ title, text }) => `# ${title}\n\n${text}\n`).join('\n');
}

/** Letters by which a text is found without its title. */
const LONG = 60;

/** Finds which passage of a set an item is (a piece of), by title and letters; −1 for anything else. */
export function locator(passages: readonly Passage[]): (name: string, text: string) => number {
  const byTitle = new Map<string, number[]>();
  const letters = passages.map((passage) => lettersOf(passage.text));
  passages.forEach((passage, i) => {
    const key = lettersOf(passage.title);
    byTitle.set(key, [...(byTitle.get(key) ?? []), i]);
  });
  return (name, text) => {
    const places = byTitle.get(lettersOf(name)) ?? [];
    const wanted = lettersOf(text);
    if (wanted === '') return -1;
    const titled = places.find((i) => letters[i]!.includes(wanted));
    if (titled !== undefined) return titled;
    // Without a title, or with a wrong one, a long text tells.
    const held = wanted.length >= LONG ? letters.findIndex((text) => text.includes(wanted)) : -1;
    return held === -1 && places.length === 1 ? places[0]! : held;
  };
}

/** The corpus escapes its titles for HTML, its texts not. */
function unescaped(title: string): string {
  return title.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the time that a conversation's id carries ("20260121_1300"), as ISO 8601; noon where it has none. */
export function chatTime(id: string): string {
  const [, year, month, day, hour = '12', minute = '00'] = /^(\d{4})(\d\d)(\d\d)(?:_(\d\d)(\d\d))?/u.exec(id) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}:00Z`;
}
