import { spelledOut } from '../titles/spelled-out.js';

/** What stands between the parts of a title, which a name of code may hold: `describe('a > b')`. */
const SEPARATOR = ' > ';
/** The same for the eye and for words, with spaces that no title is divided at. */
const WITHIN = '\u00a0>\u00a0';

/** Returns the heading of a piece of code with a name. @param {string} name @returns {import('../parts.js').Part} */
export function headingOf(name) {
  return { kind: 'heading', level: 2, text: spelledOut(name).replaceAll(SEPARATOR, WITHIN) };
}
