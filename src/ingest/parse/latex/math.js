import { SYMBOLS } from './symbols.js';

/** Commands of formulas that say how they look. */
const SILENT = new Set(
  (
    'left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr displaystyle textstyle scriptstyle limits nolimits nonumber notag ' +
    'mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr boldsymbol bm text textrm textbf textit mbox operatorname ensuremath ' +
    'overline underline widehat widetilde overbrace underbrace phantom begin end aligned split cases'
  ).split(' '),
);
const LABEL = /\\(?:label|tag)\s{0,9}\{[^{}]{0,200}\}/gu;
const ENVIRONMENT = /\\(?:begin|end)\{[A-Za-z*]{1,30}\}(?:\{[^{}]{0,100}\})?/gu;
const FRACTION = /\\[dtc]?frac\s{0,9}\{([^{}]{1,300})\}\s{0,9}\{([^{}]{1,300})\}/gu;
const TOKEN = /\\([A-Za-z]+)\*?[ \t]?|\\([^A-Za-z])|([{}])/gu;
/** A letter with a sign above it. */
const ABOVE =
  /\\(hat|bar|vec|tilde|dot|ddot)\s{0,9}(?:\{\s{0,9}(\\[A-Za-z]{1,20}|[A-Za-z])\s{0,9}\}|[ \t]{1,9}([A-Za-z]))/gu;
const SIGNS = /** @type {Record<string, string>} */ ({
  hat: '\u0302',
  bar: '\u0304',
  vec: '\u20d7',
  tilde: '\u0303',
  dot: '\u0307',
  ddot: '\u0308',
});
/** Fractions in each other that are read. */
const DEEPEST = 4;

/**
 * Returns a formula as a line of text: "x^2 + α ≤ (a)/(b)". Groups keep their braces behind `^` and `_` where they hold several signs. Throws `LimitExceeded`.
 * @param {string} written @param {import('./macros.js').Macros} macros
 */
export function mathText(written, macros) {
  let text = written.replace(LABEL, '').replace(ENVIRONMENT, '');
  for (let i = 0; i < DEEPEST && text.includes('frac'); i += 1)
    text = text.replace(FRACTION, (_, above, below) => `${grouped(above)}/${grouped(below)}`);
  text = text.replace(ABOVE, (_, sign, inside, bare) => `${inside ?? bare}${SIGNS[sign]}`.normalize('NFC'));
  /** Whether each open brace is kept. @type {boolean[]} */
  const open = [];
  text = text.replace(TOKEN, (all, name, sign, brace, at) => {
    if (name !== undefined) {
      const macro = macros.byName.get(name);
      if (macro !== undefined && macro.count === 0) {
        macros.count(macro.text.length);
        return macro.text;
      }
      const spaced = all.endsWith(' ') || all.endsWith('\t') ? ' ' : '';
      return SILENT.has(name) ? '' : `${SYMBOLS.get(name) ?? name}${spaced}`;
    }
    if (sign !== undefined) return sign === '\\' ? '\n' : /[,;:!> ]/u.test(sign) ? ' ' : sign === '|' ? '‖' : sign;
    if (brace === '{') {
      const isKept =
        /[_^]\s?$/u.test(text.slice(Math.max(0, at - 2), at)) && !/^\{\\?\w+\}/u.test(text.slice(at, at + 12));
      open.push(isKept);
      return isKept ? '{' : '';
    }
    return open.pop() === true ? '}' : '';
  });
  return text
    .replace(/&/gu, ' ')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n[\s]*/gu, '\n')
    .trim();
}

/** @param {string} text */
function grouped(text) {
  return /^[\w.]+$/u.test(text.trim()) ? text.trim() : `(${text.trim()})`;
}
