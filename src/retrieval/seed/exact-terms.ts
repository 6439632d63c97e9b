import { ADDRESSES } from '../../core/text/connectors.js';
import { wordsOf } from '../../core/text/words.js';
import { dateIn } from '../conversation/dates.js';
import type { Question } from './question.js';

/** Numbers of fewer digits are written as words too. */
const NUMBER = /^\p{N}{3}/u;

/**
 * Returns the names and numbers of the question that what answers it writes as it does: days and months may stand in any form,
 * and names without the form of address.
 */
export function exactTerms({ text, language, terms, open, words }: Question): Map<string, number> {
  const date = dateIn(text, undefined, language);
  const inDate = date === undefined || date.precision === 'year' ? '' : date.words;
  const dated = new Set(wordsOf(inDate, language).map(({ stem }) => stem));
  const addresses = new Set(words.filter(({ norm }) => ADDRESSES.has(norm)).map(({ stem }) => stem));
  const isName = (stem: string): boolean =>
    !dated.has(stem) && !addresses.has(stem) && (!open.has(stem) || NUMBER.test(stem));
  return new Map([...terms].filter(([stem]) => isName(stem)));
}
