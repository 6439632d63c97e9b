const PREFIX = '(?:nano|mi[ck]ro|milli|[cz]enti|de[cz]i|hecto|kilo|mega|giga)?';
/** What stands before a unit that belongs to a quantity: a number, or "per". */
const PER = '(?<!\\p{L})(?:per|pro|par|por)\\s|/\\s?';

/** Units of length. */
const LENGTH = new RegExp(`(?<!\\p{L})(?:${PREFIX}m(?:et(?:er|re)|ètre)s?|inch(?:es)?|yards?|miles?|foot|feet)$`, 'iu');
/** Units that are names or other words too: they count after a number, or after "per". */
const IN_QUANTITY = new RegExp(
  `(?:\\d\\s?|${PER})(?:${PREFIX}(?:amp[eè]res?|volts?|watts?|newtons?|pascals?|joules?|kelvins?|ohms?|teslas?|hertz|radians?|` +
    'coulombs?|farads?|moles?|gram(?:me)?s?|lit(?:er|re)s?|metros?)|[åa]ngstr[öo]ms?|Zoll|Fuß|Meilen?|pouces?|pieds?|pulgadas?)$',
  'iu',
);
/** Times have powers in accelerations; "within 30 seconds²" has a note. */
const TIME = new RegExp(`(?:${PER})(?:seconds?|minutes?|hours?|Sekunden?|Stunden?|secondes?|segundos?)$`, 'iu');
/** What is squared already has no power. */
const SQUARED = /(?<!\p{L})(?:sq\.?|square|cubic|cu\.?|carrés?|cubes?)\s\p{L}+$/iu;

/**
 * Returns whether a text ends with a unit that can have the power: inch², metres per second².
 * @param {string} digits
 * @param {string} before
 */
export function canBePower(digits, before) {
  if (!/^[2-4]$/u.test(digits) || SQUARED.test(before)) return false;
  return LENGTH.test(before) || IN_QUANTITY.test(before) || TIME.test(before);
}

const SYMBOL =
  /^\s*(?:(?:[pnµμmcdhkMGT]|da)?(?:m|g|s|A|K|N|J|W|V|Ω|F|H|T|C|L|l|Pa|Hz|mol|cd|lm|lx|Bq|Gy|Sv|eV|bar|cal|rad|Wb)|sr|dB|kat|°C)(?![\p{L}\p{N}'’])/u;

/** Returns whether a text begins with the symbol of a unit, such as N or kPa. @param {string} after */
export function isUnitSymbol(after) {
  return SYMBOL.test(after);
}

const NUMBER = /(?:^|[\s(=+×·])\d(?:[\d.,]*\d)?$/u;
/** The year 2019 before a word is no number to calculate with. */
const YEAR = /(?:^|\D)(?:1[5-9]|20)\d\d$/u;
const OPERATION =
  /^\s+(?:plus|minus|times|divided\sby|multiplied\sby|mal|geteilt\sdurch|fois|divisé\spar|más|menos)\s/iu;
const EQUAL = /^\s+(?:is|equals?|makes|gives|ist|gleich|ergibt|macht|est|égale|vaut|fait|es)\s/iu;
/** What a result is written as. */
const RESULT = /^\s+\p{L}+\s(?:equal\sto\s|gleich\s|égal\sà\s|igual\sa\s)?[-−]?\d/iu;
/** A sentence that begins with the number. */
const FIRST = /(?:^|[.:;?!,(]\s?)\d[\d.,]*$/u;
/** A second number with a power, and no currency after it. */
const SECOND = /^\s+(?:and|or|und|oder|et|ou|y|o)\s\d{1,4}\u0001([23])\u0003(?!\s*[\p{L}\p{Sc}%])/u;

/**
 * Returns whether the text says how to calculate with a number and its power: "7² is 49", "5² plus 6", "3² and 4²".
 * @param {string} digits
 * @param {string} before
 * @param {string} after
 */
export function isCalculated(digits, before, after) {
  if (!/^\d{1,2}$/u.test(digits) || !NUMBER.test(before) || YEAR.test(before)) return false;
  if (OPERATION.test(after)) return true;
  if (EQUAL.test(after)) return RESULT.test(after) || FIRST.test(before);
  return SECOND.exec(after)?.[1] === digits;
}
