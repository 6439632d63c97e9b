import { tokenize } from '../src/core/text/tokens.js';

export interface Passage {
  readonly title: string;
  readonly text: string;
}

export interface Question {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  readonly type: string;
  readonly gold_idx: readonly [number, number];
}

export interface SampleQuestion {
  readonly question: string;
  readonly answer: string;
  readonly type: string;
  /** Titles of the two passages that answer it together. */
  readonly titles: readonly string[];
}

const QUESTIONS = 44;
const PASSAGES = 100;
const LONGEST = 220;

/**
 * Questions that two passages answer together, in the order of the data: bridge questions whose answer stands in a gold
 * passage before comparisons, no passage over 220 words. Then passages from beside theirs, until there are 100.
 */
export function chooseSample(passages: readonly Passage[], questions: readonly Question[]) {
  const good = questions.filter((question) => isAnswerable(question, passages));
  const chosen = [...good.filter((q) => q.type === 'bridge'), ...good.filter((q) => q.type !== 'bridge')].slice(
    0,
    QUESTIONS,
  );
  const indices = new Set(chosen.flatMap((question) => question.gold_idx));
  for (let step = 1; indices.size < PASSAGES && step < 10; step += 1) {
    for (const { gold_idx } of chosen) {
      const beside = gold_idx[1] + step;
      if (indices.size < PASSAGES && beside < passages.length && words(passages[beside]!.text) <= LONGEST)
        indices.add(beside);
    }
  }
  return {
    passages: [...indices].sort((a, b) => a - b).map((index) => passages[index]!),
    questions: chosen.map(
      ({ question, answer, type, gold_idx }): SampleQuestion => ({
        question: question.replace(/\s+/gu, ' ').trim(),
        answer,
        type,
        titles: gold_idx.map((index) => passages[index]!.title),
      }),
    ),
  };
}

function isAnswerable(question: Question, passages: readonly Passage[]): boolean {
  const gold = question.gold_idx.map((index) => passages[index]!);
  if (new Set(question.gold_idx).size !== 2 || gold.some(({ text }) => words(text) > LONGEST)) return false;
  if (gold.some(({ title }) => /[#<>]|&\w+;/u.test(title))) return false;
  if (question.type !== 'bridge') return true;
  const answer = normal(question.answer);
  return gold.some(({ title, text }) => normal(`${title} ${text}`).includes(` ${answer.trim()} `));
}

function normal(text: string): string {
  return ` ${tokenize(text)
    .map((token) => token.norm)
    .join(' ')} `;
}

function words(text: string): number {
  return text.split(/\s+/u).length;
}
