import { readJson } from '../json/read-json.js';
import { LEFT_OUT, withoutPrivateKeys, withoutSecretForms } from './secret-forms.js';

/** @typedef {any} Tree A text, a list, or `pairs` of keys and values; leaves of JSON too. */

/** Words that a secret is called by, and what a column of its hash is called behind them. */
const WORDS =
  '(?:pass(?:[ _-]?words?|wds?|[ _-]?phrases?|codes?)|pwds?|passw(?:ort|örter)|kennw(?:ort|örter)|wachtwoord|contrase(?:ñ|n)a|mot[ _.-]?de[ _.-]?passe|secret|token|credentials?|(?:api|access|private|secret|encryption)[ _.-]?key|connection[ _.-]?string)(?:[ _.-]?(?:hash|digest|salt))?';
/** What a value is called below its key; whatever stands below a key of several passwords is one. */
const INNER =
  '(?:(?<=words|wds|phrases|codes|örter)\\.[^.]+|\\.(?:value|plain(?:text)?|clear(?:text)?|raw|text|data|content|current|previous|old|new|default|encrypted))?';
/** What has a pin that is no code, in names of two words and in joined ones such as `mapPin`; below a path (`map.pin`) a person's code may stand. */
const WITH_PIN = 'map|gpio|led|board|header|location|drop';
/** The same in joined names alone: a column `Signal PIN` is the code of a program. */
const JOINED_WITH_PIN = `${WITH_PIN}|data|clock|clk|signal|trigger|echo|input|output`;
/** Words that only some values are a secret below: the digits that open a card or a door, not `pin: D13` of a board; the header of a call, not the right to something. */
const BY_VALUE = `(?<![\\p{L}\\p{N}])(?:(?<!(?<![\\p{L}\\p{N}])(?:${WITH_PIN}) |(?:${JOINED_WITH_PIN})[_-])(?:pin|puk[12]?)(?:[ _-]?(?:code|number|nummer))?|authori[sz]ation)`;
const END = '(?:[^\\p{L}\\p{N}]{0,10}|\\s*\\([^()]{0,40}\\)\\s*)$';
const IS_BY_VALUE = new RegExp(`${BY_VALUE}${INNER}${END}`, 'iu');
/** The digits of a card or a door, and a remark behind them: "4021 (visa)". */
const CARD_DIGITS = /^\d{4,8}(?=(?:\s{0,9}\([^()]{0,40}\))?$)/u;
const SECRET_BY_VALUE = /^(?:(?:bearer|basic|digest|token|api-?key)\s+\S{4,}.*|(?!https?:)\S{20,})$/iu;
/** Where the post brings a letter in India: six digits below `pin code`. */
const IS_POSTAL = /pin[ _-]?code/iu;
const POSTAL = /^[1-9]\d{5}$/u;
/** Keys whose value is one: `POSTGRES_PASSWORD`, `clientSecret`, `password.value`; not `max_tokens` or `passwordPolicy`. */
const KEY = new RegExp(`(?:${WORDS}|${BY_VALUE})${INNER}${END}`, 'iu');
/** A word of a text is a token, too, and a credential may be a diploma: values of such a column are secrets where they look like one. */
const AMBIGUOUS = new RegExp(
  `(?<!(?:client|app|shared|webhook|signing|consumer|access|refresh|reset|auth|bearer|session|id)[ _.-]?)(?:token|secret|credentials?)${INNER}[^\\p{L}\\p{N}]{0,10}$`,
  'iu',
);
/** A number that is a password, not how many there are. */
const DIGITS = /^\d{4,}$/u;
const RANDOM = /^(?:(?=\S*\d)\S{8,}|\S{20,})$/u;
/** What no secret is: nothing, a number, yes or no, and the name of a variable or of another thing that holds it. */
const HARMLESS =
  /^(?:|\d{1,6}|true|false|yes|no|null|none|\$\{[\w.:-]+\}|\$[A-Z_]\w*|\{\{[^{}]*\}\}|![\w:.]+ [\w.:/-]+)$/iu;
/** Whether there is a password. */
const FLAG =
  /^(?:|[01xy✓✗–-]|y(?:es)?|no?|true|false|ja|nein|nee|oui|non|s[ií]|n\/a|null|none|(?:not |un)?set|(?:nicht )?gesetzt)$/iu;
const DATE =
  /^(?:\d{4}([-/])\d\d\1\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?|\d{1,2}([./])\d{1,2}\2\d{2,4})$/u;
/** Words that can be spoken: a vowel after five letters at most. */
const SPOKEN = /^(?!.*[^aeiouyäöüáàâéèêíîóôúæøåAEIOUYÄÖÜ\s'-]{6})\p{L}\p{Ll}{0,40}(?:[ '-]\p{L}\p{Ll}{0,40}){0,4}$/u;
/** How a list of an environment or of headers, or a table of settings, calls the name of a thing, and what it is: `{ name: DB_PASSWORD, value: … }`. */
const PAIR_NAME =
  /^(?:name|key|setting|option|variable|parameter|property|config(?:uration)?|env|einstellung|schlüssel)$/iu;
const PAIR_VALUE = /^(?:(?:current |default )?value|(?:aktueller )?wert)$/iu;
/** A key of JSON and its text, where the JSON is cut off or no JSON. */
const MEMBER = /("((?:[^"\\]|\\.){1,200})"\s*:\s*)("[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\d[\d.eE+-]*|\[[^[\]{}]*\])/g;
/** Characters of JSON that are parsed: more would hold up others. */
const LONGEST_JSON = 50_000;
/** A secret in a text, as lists of an environment have it, and a line of settings. */
const ASSIGNED = new RegExp(
  `((?:^|[\\s;,])["']?[\\w.-]{0,80}${WORDS}["']?=)(?:"[^"\\n]*"|'[^'\\n]*'|[^\\s;,&]+)`,
  'giu',
);
const LINE = new RegExp(`^([-#/*; \\t]{0,40}["']?[\\w.-]{0,80}${WORDS}["']?[ \\t]*[:=][ \\t]*)(\\S.*)$`, 'gimu');
/** A secret of a line that other text follows: one in quotation marks, or a word with a digit before a comma or the like. */
const BEFORE_TEXT = /^(?:"[^"\n]{1,200}"|'[^'\n]{1,200}'|(?=\S*\d)\S{4,200}?(?=[,;.]\s|\s+[(–—|-]))/u;
const CODE = /(?<!\S)(?=\S*\d)\S{4,}/gu;

/** Returns a key with such a word apart: `card_Pin` of `cardPin`. @param {string} key */
function divided(key) {
  return key.replace(/\p{Ll}(?=P(?:in|IN|uk|UK))/gu, '$&_');
}

/** @param {string} key */
function isByValue(key) {
  return IS_BY_VALUE.test(divided(key));
}

/** Returns whether words that are no secrets may stand below a key of one: below `token`, not below `accessToken`. @param {string} key */
export function isAmbiguousKey(key) {
  return AMBIGUOUS.test(key);
}

/** Returns whether a key says that its value is a password, a token or a key. @param {string} key */
export function isSecretKey(key) {
  return mayHoldSecret(key) && !isByValue(key);
}

/** Returns whether a key says that its value is one of these, or may be. @param {string} key */
export function mayHoldSecret(key) {
  return KEY.test(divided(key));
}

/** Returns whether a column that is called after a secret holds flags alone, or one of tokens words and dates. @param {string} key @param {() => string[]} values */
export function isOrdinary(key, values) {
  if (!mayHoldSecret(key)) return true;
  const isToken = /(?:^|\.)token[^\p{L}\p{N}]*$/iu.test(key);
  return values().every((one) => FLAG.test(one) || (isToken && (DATE.test(one) || SPOKEN.test(one))));
}

/**
 * Returns the cell of a table without the secret that it is by the name of its column, or that its text or a member of its JSON is.
 * @param {string} column @param {string} cell
 */
export function cellWithoutSecret(column, cell) {
  if (mayHoldSecret(column) && isSecretValue(column, cell, true)) return leftOut(column, cell);
  if (!/^\s*[[{]/u.test(cell)) return masked(cell, true);
  try {
    if (cell.length > LONGEST_JSON) throw new RangeError('is too long');
    const value = readJson(cell);
    const clean = JSON.stringify(jsonOf(memberWithoutSecrets(column, treeOf(value), true)));
    // A key may stand twice, and the first value is lost in parsing.
    return clean === JSON.stringify(value) ? withoutMembers(cell) : clean;
  } catch {
    return masked(withoutMembers(cell), true);
  }
}

/**
 * Returns a function that leaves the secrets out of a row of a table: by the names of the columns and, where these are a name and a value, by the name in the
 * row.
 * @param {string[]} columns @returns {(cells: string[]) => string[]}
 */
export function rowWithoutSecrets(columns) {
  const byColumns = (/** @type {string[]} */ cells) =>
    cells.map((cell, i) => cellWithoutSecret(columns[i] ?? '', cell));
  if (!arePair(columns)) return byColumns;
  const isValue = columns.map((column) => PAIR_VALUE.test(column));
  return (cells) => {
    const secret = secretOfPair(cells.map((value, i) => ({ key: columns[i] ?? '', value })));
    if (secret === undefined) return byColumns(cells);
    return cells.map((cell, i) => cellWithoutSecret(isValue[i] ? secret : (columns[i] ?? ''), cell));
  };
}

/** Returns whether columns are a name and a value beside each other. @param {string[]} columns */
export function arePair(columns) {
  return columns.some((column) => PAIR_NAME.test(column)) && columns.some((column) => PAIR_VALUE.test(column));
}

/** Returns what a name and a value beside each other call the value, where that is a secret. @param {Array<{ key: string, value: Tree }>} pairs @returns {string | undefined} */
function secretOfPair(pairs) {
  return pairs.find(({ key, value }) => PAIR_NAME.test(key) && typeof value === 'string' && mayHoldSecret(value))
    ?.value;
}

/** @param {string} json */
function withoutMembers(json) {
  return json.replace(MEMBER, (written, before, key, value) =>
    mayHoldSecret(key) && isSecretValue(key, value.replace(/^"|"$/gu, ''), true)
      ? `${before}"${leftOut(key, value.replace(/^"|"$/gu, ''))}"`
      : written,
  );
}

/** Returns JSON as a tree. @param {unknown} value @param {(leaf: unknown) => unknown} [leaf] @returns {Tree} */
export function treeOf(value, leaf = (one) => one) {
  if (Array.isArray(value)) return value.map((one) => treeOf(one, leaf));
  if (typeof value !== 'object' || value === null) return leaf(value);
  return { pairs: Object.entries(value).map(([key, one]) => ({ key, value: treeOf(one, leaf) })) };
}

/** @param {Tree} tree @returns {unknown} */
function jsonOf(tree) {
  if (Array.isArray(tree)) return tree.map(jsonOf);
  return tree?.pairs === undefined
    ? tree
    : Object.fromEntries(tree.pairs.map(({ key, value }) => [key, jsonOf(value)]));
}

/**
 * Returns keys and values without passwords, tokens and private keys: settings are full of them, and what is ingested is shown to
 * whoever may ask. Known by the key, by the form of the value, and as what a `Secret` of Kubernetes holds.
 * @param {Tree} tree @param {boolean} [isRow] @param {string} [above] The key of a secret that the tree stands below.
 * @returns {Tree}
 */
export function withoutSecrets(tree, isRow = false, above = '') {
  if (typeof tree === 'string') return masked(tree, isRow);
  if (Array.isArray(tree)) return tree.map((one) => withoutSecrets(one, isRow));
  if (tree?.pairs === undefined) return tree;
  const isSecret = tree.pairs.some(({ key, value }) => key === 'kind' && value === 'Secret');
  const secret = secretOfPair(tree.pairs);
  return {
    pairs: tree.pairs.map((pair) => ({
      ...pair,
      value:
        isSecret && /^(?:data|stringData)$/u.test(pair.key)
          ? allMasked(pair.value)
          : memberWithoutSecrets(
              secret !== undefined && PAIR_VALUE.test(pair.key) ? secret : `${above}${pair.key}`,
              pair.value,
              isRow,
            ),
    })),
  };
}

/** @param {string} key @param {Tree} value @param {boolean} isRow @returns {Tree} */
function memberWithoutSecrets(key, value, isRow) {
  // "api: { key: … }" holds what "api.key: …" does.
  if (!mayHoldSecret(key)) return withoutSecrets(value, isRow, `${key.slice(key.lastIndexOf('.') + 1)}.`);
  if (Array.isArray(value)) return value.map((one) => memberWithoutSecrets(key, one, isRow));
  if (value?.pairs !== undefined) return withoutSecrets(value, isRow, `${key}.`);
  const written = String(value ?? '');
  return isSecretValue(key, written, isRow) ? leftOut(key, written) : withoutSecrets(value, isRow);
}

/** Returns a text without the secrets that its form tells. @param {string} text @param {boolean} [isRow] */
export function masked(text, isRow = false) {
  // Without one of these no line gives a name a value.
  if (!/[:=]/u.test(text)) return withoutSecretForms(text);
  const clean = withoutPrivateKeys(text)
    .replace(ASSIGNED, `$1${LEFT_OUT}`)
    .replace(LINE, (line, key, value) => {
      const [secret, rest] = isRow ? secretAndRest(value) : [value, ''];
      return isSecretValue(key, secret, isRow) ? `${key}${LEFT_OUT}${rest}` : line;
    });
  return withoutSecretForms(clean);
}

/**
 * Divides what a line of a cell says behind a word for a secret: "hunter22, call Bo". Where nothing tells the end of the secret, as in a
 * passphrase, all of it is one. The rest comes without codes, which may be secrets too.
 * @param {string} value @returns {[secret: string, rest: string]}
 */
function secretAndRest(value) {
  const secret = BEFORE_TEXT.exec(value)?.[0];
  if (secret === undefined) return [value, ''];
  const rest = value.slice(secret.length);
  return [secret, rest.replace(CODE, (word) => (DATE.test(word.replace(/[.,;]$/u, '')) ? word : LEFT_OUT))];
}

/** @param {Tree} value @returns {Tree} */
function allMasked(value) {
  if (Array.isArray(value)) return value.map(allMasked);
  if (value?.pairs === undefined) return value === '' ? '' : LEFT_OUT;
  return { pairs: value.pairs.map((pair) => ({ ...pair, value: allMasked(pair.value) })) };
}

/** Returns what stands for a secret: of the digits of a card with the remark behind them, where that has none. @param {string} key @param {string} written */
function leftOut(key, written) {
  const value = written.trim();
  const digits = isByValue(key) ? CARD_DIGITS.exec(value)?.[0] : undefined;
  const remark = digits === undefined ? '' : value.slice(digits.length);
  return /\d/u.test(remark) ? LEFT_OUT : `${LEFT_OUT}${remark}`;
}

/** Returns whether a value is a secret by its key; of a row, where words are tokens too, by what it looks like. @param {string} key @param {string} written @param {boolean} isRow */
function isSecretValue(key, written, isRow) {
  const value = written.trim();
  if (isByValue(key)) {
    const digits = CARD_DIGITS.exec(value)?.[0];
    if (digits !== undefined) return !(IS_POSTAL.test(key) && POSTAL.test(digits));
    return SECRET_BY_VALUE.test(value);
  }
  const isAmbiguous = isAmbiguousKey(key);
  if (HARMLESS.test(value)) return !isAmbiguous && DIGITS.test(value);
  return !isRow || !isAmbiguous || RANDOM.test(value);
}
