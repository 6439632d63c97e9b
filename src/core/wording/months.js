/** January to December in lower case, by language as `languageOf` names it. */
export const MONTHS = {
  english: list('january february march april may june july august september october november december'),
  german: list('januar februar märz april mai juni juli august september oktober november dezember'),
  french: list('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
  spanish: list('enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'),
  italian: list('gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'),
  portuguese: list('janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'),
  dutch: list('januari februari maart april mei juni juli augustus september oktober november december'),
};

/** The English names as they stand in a sentence. */
export const ENGLISH_MONTHS = MONTHS.english.map((name) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`);

/** @type {Readonly<Record<string, readonly string[]>>} */
const BY_LANGUAGE = MONTHS;
/** Letters of a month's short name. */
const SHORT = 3;
/** A longer name is shortened in a table. */
const LONGEST_WHOLE = 5;
/** Short names that are not the first letters, or more of them, by language and month. @type {Readonly<Record<string, Readonly<Record<number, string>>>>} */
const OTHER_SHORT = {
  english: { 9: 'sept' },
  german: { 3: 'mrz', 9: 'sept' },
  french: { 1: 'janv', 2: 'févr', 7: 'juil juillet', 9: 'sept' },
  spanish: { 9: 'sept' },
  italian: { 9: 'sett' },
  dutch: { 3: 'mrt', 9: 'sept' },
};

/**
 * Returns what a month, 1 to 12, is called where it is written short, in lower case: by its first letters, where no other month begins with them, by
 * its whole name if that is no longer than five, and otherwise: `mär`, `märz` and `mrz`.
 * @param {string} language @param {number} month @returns {string[]}
 */
export function shortMonths(language, month) {
  const names = BY_LANGUAGE[language] ?? [];
  const name = names[month - 1] ?? '';
  const first = name.slice(0, SHORT);
  const isAlone = names.filter((one) => one.startsWith(first)).length === 1;
  const others = OTHER_SHORT[language]?.[month]?.split(' ') ?? [];
  return [...new Set([...(isAlone ? [first] : []), ...(name.length <= LONGEST_WHOLE ? [name] : []), ...others])];
}

/** Returns the month, 1 to 12, that a name of it in a language means, whole or short; 0 for another word. @param {string} language @param {string} written */
export function monthOf(language, written) {
  const name = written.toLowerCase();
  const names = BY_LANGUAGE[language] ?? MONTHS.english;
  return names.findIndex((one, i) => one === name || shortMonths(language, i + 1).includes(name)) + 1;
}

/** Every name of a month in any language, without marks. */
const ALL = new Set(
  Object.entries(MONTHS).flatMap(([language, names]) =>
    names.flatMap((name, i) => [name, ...shortMonths(language, i + 1)].map(unmarked)),
  ),
);

/** Returns whether a word is the name of a month in any language, whole or short. @param {string} word */
export function isMonth(word) {
  return ALL.has(unmarked(word.toLowerCase()));
}

/** @param {string} word */
function unmarked(word) {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}

/** @param {string} words */
function list(words) {
  return words.split(' ');
}
