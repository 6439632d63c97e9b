import { LONGEST_LINE } from '../lines.js';
import { germanShorthand } from './accents.js';

/**
 * Returns the text of a sign that LaTeX sets otherwise, and how many characters it takes: `---` is a dash.
 * @param {string} source @param {number} at @param {boolean} hasUmlauts Whether `"u` is ü.
 */
export function signAt(source, at, hasUmlauts) {
  const three = source.slice(at, at + 3);
  const [sign, letter = ''] = three;
  const german = hasUmlauts && sign === '"' ? germanShorthand(letter) : undefined;
  if (german !== undefined) return { length: 2, text: german };
  if (sign === '~') return { length: 1, text: ' ' };
  if (three === '---') return { length: 3, text: '—' };
  if (three.startsWith('--')) return { length: 2, text: '–' };
  if (three.startsWith('``')) return { length: 2, text: '“' };
  if (three.startsWith("''")) return { length: 2, text: '”' };
  return { length: 1, text: sign === '`' ? '‘' : (sign ?? '') };
}

/** Returns whether a source writes `"u` for ü. @param {string} source */
export function isGerman(source) {
  return /\\usepackage\s*\[[^\]]{0,200}german[^\]]{0,200}\]\s*\{babel\}|\\usepackage\{n?german\}/u.test(
    source.slice(0, LONGEST_LINE),
  );
}
