import { tokenize } from '../../core/text/tokens.js';
import { dateIn } from '../dates/dates.js';
import type { QuestionWord } from './question-words.js';

/** A whole number, as tables may write it with decimal places; longer ones are no amounts. 2.0 may be a version, as 1.1 and 1.10 are two. */
const WHOLE = /^(\d{1,9})(?:\.00)?$/u;

/** A number that may have periods of thousands, and the languages that write these: there "1.250" is 1250, or a decimal. */
const IN_THOUSANDS = /^[1-9]\d{0,2}(?:\.\d{3}){1,2}$/u;
const WITH_PERIODS: ReadonlySet<string> = new Set(['german', 'dutch', 'spanish', 'italian', 'portuguese']);

/** A question of more numbers asks for none of them. */
const MOST = 20;

/** A number of a question in the other forms that it may have in a cell. */
export interface EqualNumber {
  readonly stem: string;
  /** "30.0" and "30.00" for "30", "1.250" as well for "1250": "1.250,00" is two words. */
  readonly forms: readonly string[];
}

/** Returns the whole numbers of a question that mean no day, each once, with other numbers that are equal to it; none of a question of very many. Pure. */
export function equalNumbers({
  text,
  language,
  words,
}: {
  readonly text: string;
  readonly language: string;
  readonly words: readonly QuestionWord[];
}): EqualNumber[] {
  // Any day will do: only its words count.
  const dated = new Set(tokenize(dateIn(text, 0, language)?.words ?? '').map(({ norm }) => norm));
  const found = new Map<string, EqualNumber>();
  for (const { norm, stem, content } of words) {
    const whole = WHOLE.exec(norm)?.[1] ?? withoutPeriods(norm, language);
    if (whole === undefined || !content || dated.has(norm)) continue;
    const forms = [whole, `${whole}.0`, `${whole}.00`, inThousands(whole)];
    found.set(norm, { stem, forms: [...new Set(forms)].filter((form) => form !== norm) });
    if (found.size > MOST) return [];
  }
  return [...found.values()];
}

/** Returns a whole number as many languages write it, with a period before each thousand: "1.250". Commas of thousands are no part of a word. */
export function inThousands(whole: string): string {
  return whole.replace(/\d(?=(?:\d{3})+$)/gu, '$&.');
}

/** Returns the whole number that one is where its periods are those of thousands, as they may be in the language: 1250 of "1.250". */
export function withoutPeriods(written: string, language: string): string | undefined {
  return WITH_PERIODS.has(language) && IN_THOUSANDS.test(written) ? written.replaceAll('.', '') : undefined;
}
