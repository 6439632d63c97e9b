import { withoutSecrets } from '../../../core/wording/secrets.js';
import { BrokenRecord, tableOf } from '../table/record-table.js';
import { rowParts } from '../table/rows.js';
import { spelledOut } from '../titles/spelled-out.js';

/** @typedef {import('../parts.js').Part} Part */
/**
 * What settings and the like are read into: texts, lists, and keys with their values, each with what a comment says of it.
 * @typedef {string | Tree[] | { pairs: Pair[] }} Tree
 * `repeatedOn` returns the line of a key that stands twice.
 * @typedef {{ key: string, value: Tree, above?: string, beside?: string, repeatedOn?: () => number }} Pair
 */

/** A longer value is a paragraph of its own, in characters. */
const LONGEST_FACT = 160;
/** What says more than so many characters has a heading of its own; less stands as lines with its path. */
const SMALL = 600;
/** Headings below each other at most: what lies deeper stands as lines with its path. */
const MOST_HEADINGS = 5;
/** Records of so many keys each, and of so much of all their keys, are alike. */
const FEWEST_KEYS = 3;
const ALIKE = 0.6;
/** Keys whose value names what they stand in. */
const NAMING = ['name', 'title', 'id', 'key'];

/**
 * Yields keys and values as a person reads them: a line each, "server.port: 8080", below a heading for each key that holds much. A list of records is
 * a table; secrets are left out. Throws `BrokenRecord` for what is nested too deeply.
 * @param {() => Tree} read Returns what is to be read. @param {number} [level] Of the first headings.
 * @returns {Generator<Part>}
 */
export function* structureParts(read, level = 2) {
  try {
    yield* partsOf({ key: '', value: withoutSecrets(read()) }, level);
  } catch (error) {
    if (error instanceof RangeError) throw new BrokenRecord('is nested too deeply; flatten it');
    throw error;
  }
}

/** @param {Pair} pair @param {number} level @returns {Generator<Part>} */
function* partsOf({ key, value }, level) {
  if (Array.isArray(value) && isTable(value, key)) {
    for (const part of rowParts(tableOf(value.map(recordOf))))
      yield part.kind === 'heading' ? { ...part, level } : part;
    return;
  }
  const pairs = pairsOf(value, key);
  const [small, large] = [[], []];
  for (const pair of pairs) (isSmall(pair) || level > MOST_HEADINGS + 1 ? small : large).push(pair);
  for (const pair of small) yield* linesOf(pair, '');
  for (const pair of large) {
    yield { kind: 'heading', level, text: spelledOut(pair.key) };
    if (plainText(pair.value) !== undefined) {
      yield* linesOf(pair, '');
      continue;
    }
    yield* commentOf(pair);
    yield* partsOf(pair, level + 1);
  }
}

/** Yields a value as lines, each with its path. @param {Pair} pair @param {string} path @returns {Generator<Part>} */
function* linesOf(pair, path) {
  const { key, value, above, beside } = pair;
  const own = [path, spelledOut(key)].filter((one) => one !== '').join('.');
  const text = plainText(value);
  if (text === undefined) {
    yield* commentOf(pair);
    // The path says what a member of a list calls itself.
    const inner = Array.isArray(value) ? pairsOf(value, '').map(withoutName) : value.pairs;
    for (const one of inner) yield* linesOf(one, own);
    return;
  }
  if (above !== undefined) yield { kind: 'prose', text: above };
  if ((own === '' || key === '') && text === '') return;
  const remark = beside === undefined ? '' : ` # ${beside}`;
  const isLong = text.length > LONGEST_FACT || text.includes('\n');
  const line = `${own === '' ? '' : `${own}: `}${text}${remark}`.trimEnd();
  yield isLong ? { kind: 'prose', text: line } : { kind: 'list', text: `- ${line}` };
}

/** @param {Pair} pair @returns {Generator<Part>} */
function* commentOf({ above, beside }) {
  for (const text of [above, beside]) if (text !== undefined) yield { kind: 'prose', text };
}

/** Returns a value that holds no keys as one text: a list with commas, lists in it in brackets. @param {Tree} value @returns {string | undefined} */
function plainText(value) {
  if (typeof value === 'string') return value.trim();
  if (!Array.isArray(value)) return value.pairs.length === 0 ? '' : undefined;
  return holdsKeys(value) ? undefined : joined(value);
}

/** Returns the members of a list that say something. @param {Tree[]} list @returns {string} */
function joined(list) {
  return list.map(bracketed).filter(Boolean).join(', ');
}

/** @param {Tree} value @returns {string} */
function bracketed(value) {
  if (!Array.isArray(value)) return /** @type {string} */ (value);
  const inner = joined(value);
  return inner === '' ? '' : `[${inner}]`;
}

/** @param {Tree} value @returns {boolean} */
function holdsKeys(value) {
  return Array.isArray(value) ? value.some(holdsKeys) : typeof value !== 'string';
}

/** Returns the keys of a value; the members of a list by their names, else by their numbers. @param {Tree} value @param {string} key @returns {Pair[]} */
function pairsOf(value, key) {
  if (typeof value === 'string') return [{ key, value }];
  if (!Array.isArray(value)) return value.pairs;
  return value.map((one, i) => ({ key: nameOf(one) ?? `${key} ${i + 1}`.trim(), value: one }));
}

/** Returns a pair without the key whose value it is called by. @param {Pair} pair @returns {Pair} */
function withoutName(pair) {
  const { key, value } = pair;
  if (typeof value === 'string' || Array.isArray(value) || value.pairs.length === 1) return pair;
  const pairs = value.pairs.filter((one) => one.value !== key || !NAMING.includes(one.key) || one.above || one.beside);
  return { ...pair, value: { pairs } };
}

/** Returns what an object calls itself, or the first object in it does, as `metadata` of Kubernetes. @param {Tree} value @returns {string | undefined} */
function nameOf(value) {
  const ownName = (/** @type {Tree} */ tree) =>
    typeof tree === 'string' || Array.isArray(tree)
      ? undefined
      : tree.pairs.find((pair) => NAMING.includes(pair.key) && typeof pair.value === 'string' && pair.value !== '');
  if (typeof value === 'string' || Array.isArray(value)) return undefined;
  const found = ownName(value) ?? value.pairs.map((pair) => ownName(pair.value)).find((one) => one !== undefined);
  return /** @type {string | undefined} */ (found?.value)?.slice(0, LONGEST_FACT);
}

/** Returns whether a value takes little as lines. @param {Pair} pair */
function isSmall(pair) {
  const plain = plainText(pair.value);
  // A long list is cut into several passages: each shall say whose it is.
  if (plain !== undefined) return !Array.isArray(pair.value) || plain.length <= SMALL || pair.key === '';
  let size = 0;
  for (const { text } of linesOf(pair, '')) {
    size += text.length;
    if (size > SMALL) return false;
  }
  return true;
}

/**
 * Returns whether a list is one of several records: of plain values alone, or with lists and objects in them, where they have mostly the same keys and take
 * more than a few lines.
 * @param {Tree[]} list @param {string} key
 */
function isTable(list, key) {
  const records = list.map(fieldsOf);
  if (list.length < 2 || !records.every((fields) => fields !== undefined)) return false;
  if (records.flat().every(({ value }) => plainText(value) !== undefined)) return true;
  return areAlike(records) && !isSmall({ key, value: list }) && list.every(isBare);
}

/** Returns the pairs of an object without comments. @param {Tree} tree @returns {Pair[] | undefined} */
function fieldsOf(tree) {
  if (typeof tree === 'string' || Array.isArray(tree)) return undefined;
  return tree.pairs.some(({ above, beside }) => (above ?? beside) !== undefined) ? undefined : tree.pairs;
}

/** @param {Pair[][]} records */
function areAlike(records) {
  const keys = new Set(records.flat().map(({ key }) => key));
  return !keys.has('') && records.every(({ length }) => length >= FEWEST_KEYS && length >= ALIKE * keys.size);
}

/** Returns whether nothing in a value has a comment, marks of its own or a key twice. @param {Tree} tree @returns {boolean} */
function isBare(tree) {
  if (typeof tree === 'string') return true;
  if (Array.isArray(tree)) return tree.every(isBare);
  return (
    fieldsOf(tree)?.every(({ key, value, repeatedOn }) => key !== '' && repeatedOn === undefined && isBare(value)) ??
    false
  );
}

/** @param {Tree} tree @returns {Record<string, unknown>} */
function recordOf(tree) {
  const { pairs } = /** @type {{ pairs: Pair[] }} */ (tree);
  const repeated = pairs.find((pair) => pair.repeatedOn !== undefined);
  if (repeated?.repeatedOn !== undefined)
    throw new BrokenRecord(
      `has the key ${repeated.key} twice in one record, the second time on line ${repeated.repeatedOn()}; remove or rename one of them`,
    );
  return Object.fromEntries(pairs.map(({ key, value }) => [key, cellOf(value)]));
}

/** Returns a value of a record as tables take it. @param {Tree} value @returns {unknown} */
function cellOf(value) {
  const plain = plainText(value);
  if (plain !== undefined) return plain;
  return Array.isArray(value) ? value.map(cellOf) : recordOf(value);
}
