import { germanShorthand } from './accents.js';

/**
 * Returns the text of a sign that LaTeX sets otherwise, and how many characters it takes: `---` is a dash.
 * @param {string} source @param {number} at @param {boolean} isGerman Whether `"u` is ü.
 */
export function signAt(source, at, isGerman) {
  const three = source.slice(at, at + 3);
  const [sign, letter = ''] = three;
  const german = isGerman && sign === '"' ? germanShorthand(letter) : undefined;
  if (german !== undefined) return { length: 2, text: german };
  if (sign === '~') return { length: 1, text: ' ' };
  if (three === '---') return { length: 3, text: '—' };
  if (three.startsWith('--')) return { length: 2, text: '–' };
  if (three.startsWith('``')) return { length: 2, text: '“' };
  if (three.startsWith("''")) return { length: 2, text: '”' };
  return { length: 1, text: sign === '`' ? '‘' : (sign ?? '') };
}
