/** Combining marks by the sign or letter of the command that sets them. */
const MARKS = /** @type {Record<string, string>} */ ({
  '"': '\u0308',
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  '.': '\u0307',
  c: '\u0327',
  v: '\u030c',
  H: '\u030b',
  u: '\u0306',
  k: '\u0328',
  r: '\u030a',
  d: '\u0323',
  b: '\u0331',
});
const LETTER = '(?:\\\\[ij](?![A-Za-z])|\\p{L})';
const ACCENT = new RegExp(
  `\\\\(?:(?<sign>["'\`^~=.])[ \\t]{0,9}(?:\\{[ \\t]{0,9}(?<inSign>${LETTER})[ \\t]{0,9}\\}|(?<bySign>${LETTER}))` +
    `|(?<name>[cvHukrdb])(?:[ \\t]{0,9}\\{[ \\t]{0,9}(?<inName>${LETTER})[ \\t]{0,9}\\}|[ \\t]{1,9}(?<byName>${LETTER})))`,
  'uy',
);

/** Returns the letter with an accent that stands at a place, and where it ends: `\"o` is ö. @param {string} text @param {number} at */
export function accentAt(text, at) {
  ACCENT.lastIndex = at;
  const found = ACCENT.exec(text)?.groups;
  if (found === undefined) return undefined;
  const { sign, inSign, bySign, name, inName, byName } = found;
  const letter = (inSign ?? bySign ?? inName ?? byName).replace('\\', '');
  return { letter: (letter + MARKS[sign ?? name]).normalize('NFC'), end: ACCENT.lastIndex };
}

const UMLAUTS = /** @type {Record<string, string>} */ ({
  a: 'ä',
  o: 'ö',
  u: 'ü',
  A: 'Ä',
  O: 'Ö',
  U: 'Ü',
  s: 'ß',
  z: 'ß',
});
const QUOTES = /** @type {Record<string, string>} */ ({
  '`': '„',
  "'": '“',
  '<': '«',
  '>': '»',
  '-': '',
  '=': '-',
  '~': '-',
  '|': '',
  '"': '',
});

/** Returns what a letter behind `"` is in German LaTeX: `"u` is ü. @param {string} letter @returns {string | undefined} */
export function germanShorthand(letter) {
  return UMLAUTS[letter] ?? QUOTES[letter];
}
