import { tokenize } from '../../core/text/tokens.js';
import { dateIn } from '../dates/dates.js';
import type { Question } from './question.js';

/** A whole number, as tables may write it with decimal places; longer ones are no amounts. 2.0 may be a version, as 1.1 and 1.10 are two. */
const WHOLE = /^(\d{1,9})(?:\.00)?$/u;

/** A number of a question in the other forms that it may have in a cell. */
export interface EqualNumber {
  readonly stem: string;
  /** "30.0" and "30.00" for "30". */
  readonly forms: readonly string[];
}

/** Returns the whole numbers of a question that mean no day, each with other numbers that are equal to it. Pure. */
export function equalNumbers({ text, language, words }: Pick<Question, 'text' | 'language' | 'words'>): EqualNumber[] {
  // Any day will do: only its words count.
  const dated = new Set(tokenize(dateIn(text, 0, language)?.words ?? '').map(({ norm }) => norm));
  return words.flatMap(({ norm, stem, content }) => {
    const whole = WHOLE.exec(norm)?.[1];
    if (whole === undefined || !content || dated.has(norm)) return [];
    const forms = [whole, `${whole}.0`, `${whole}.00`];
    return [{ stem, forms: forms.filter((form) => form !== norm) }];
  });
}
