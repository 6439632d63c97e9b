import { tokenize } from '../../core/text/tokens.js';
import { dateIn } from '../dates/dates.js';
import type { Question } from './question.js';

/** A number that tables may write with more decimal places; longer ones are no amounts. */
const NUMBER = /^(\d{1,9})(?:\.(\d)0?)?$/u;

/** A number of a question in the other forms that it may have in a cell. */
export interface EqualNumber {
  readonly stem: string;
  /** "30.0" and "30.00" for "30". */
  readonly forms: readonly string[];
}

/** Returns the numbers of a question that mean no day, each with other numbers that are equal to it. Pure. */
export function equalNumbers({ text, language, words }: Pick<Question, 'text' | 'language' | 'words'>): EqualNumber[] {
  // Any day will do: only its words count.
  const dated = new Set(tokenize(dateIn(text, 0, language)?.words ?? '').map(({ norm }) => norm));
  return words.flatMap(({ norm, stem, content }) => {
    const [, whole, tenths = '0'] = NUMBER.exec(norm) ?? [];
    if (whole === undefined || !content || dated.has(norm)) return [];
    const forms = [`${whole}.${tenths}`, `${whole}.${tenths}0`, ...(tenths === '0' ? [whole] : [])];
    return [{ stem, forms: forms.filter((form) => form !== norm) }];
  });
}
