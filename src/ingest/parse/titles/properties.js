import { parseDocument, visit } from 'yaml';
import { treeOf, withoutSecrets } from '../../../core/wording/secrets.js';
import { linkWords } from '../markdown/wiki-links.js';
import { frontBlock, isShallow } from './front-matter.js';

/** @typedef {import('../parts.js').Part} Part */

/** Properties that are kept at most, how deep they lie below each other, and the length of a value in a line, in characters. */
const MOST = 40;
const MOST_LEVELS = 4;
const LONGEST_VALUE = 300;
const LONGEST_NAME = 60;

/** Names of properties that say how a program shows a page, or that are read as its names. */
const OF_PROGRAMS =
  /^(?:title|alias(?:es)?|layout|slug|url|permalink|(?:uu)?id|css_?class(?:es)?|draft|publish|hidden|nav_\w+|sidebar\w*|toc\w*|icon|banner\w*|cover\w*|image\w*|thumbnail\w*|hide_\w+|pagination_\w+|custom_\w+|redirect\w*|head|math|mathjax|kanban-\w+|excalidraw-\w+|lang|template\w*|color|colour)$/iu;
/** Names of properties that say something only beside others. */
const OF_FILES =
  /^(?:tags?|keywords?|categor(?:y|ies)|type|author|version|(?:date[ _-]?)?(?:created|updated|modified)(?:[ _-]?(?:at|on|date|time))?|last[ _-]?(?:edited|updated|modified)|lastmod)$/iu;
/** What a template has yet to fill in. */
const TO_FILL = /\{\{|<%/u;

/** @typedef {{ name: string, text: string }} Fact */

/**
 * Returns the properties in the YAML front matter of a text as a row has them: "role: Head of Marketing; birthday: 1984-03-17." Values stay as they are
 * written, lists with commas, links of wikis with their words; what lies below another property has the names of both ("address city: Oslo"). A long value
 * is a paragraph of its own behind the others; what an alias repeats stands where its anchor is. None where the block is no YAML, or holds nothing besides
 * tags and the days of the file.
 * @param {string} text
 * @returns {string[]}
 */
export function propertiesOf(text) {
  const block = frontBlock(text);
  if (block === undefined || !isShallow(block.body)) return [];
  const read = dataOf(block.body);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return [];
  /** @type {Fact[]} */
  const facts = [];
  const { pairs } = withoutSecrets(treeOf(read));
  for (const { key, value } of pairs) if (!OF_PROGRAMS.test(key)) collect(facts, value, [key]);
  if (facts.every(({ name }) => OF_FILES.test(name))) return [];
  const isLong = (/** @type {Fact} */ { text: value }) => value.length > LONGEST_VALUE;
  const cells = facts.filter((fact) => !isLong(fact)).map(({ name, text: value }) => `${name}: ${value}`);
  const paragraphs = facts.filter(isLong).map(({ name, text: value }) => `${name}: ${value}`);
  return cells.length === 0 ? paragraphs : [`${cells.join('; ')}.`, ...paragraphs];
}

/**
 * Returns what a block holds, without its aliases: one may stand below its own anchor, and a hundred repeat a long list. Undefined where it is no YAML.
 * @param {string} body @returns {unknown}
 */
function dataOf(body) {
  try {
    const document = parseDocument(body, { schema: 'failsafe', logLevel: 'silent' });
    visit(document, { Alias: () => visit.REMOVE });
    return document.toJS();
  } catch {
    return undefined;
  }
}

/**
 * Adds a value and what lies below it to the facts.
 * @param {Fact[]} facts @param {any} value A text, a list, or `pairs` of keys and values. @param {string[]} names
 */
function collect(facts, value, names) {
  const name = names.join(' ');
  if (facts.length >= MOST || names.length > MOST_LEVELS || name.length > LONGEST_NAME) return;
  const inner = [value].flat().filter((one) => one?.pairs !== undefined);
  for (const { key, value: below } of inner.flatMap(({ pairs }) => pairs)) collect(facts, below, [...names, key]);
  const text = textOf(value);
  if (text !== '' && facts.length < MOST) facts.push({ name, text });
}

/** Returns the texts of a value in a line; empty where there are none, or a template has yet to fill them in. @param {unknown} value */
function textOf(value) {
  const values = (Array.isArray(value) ? value : [value]).map((one) => {
    // A link without quotation marks, [[Page]], is a list in a list.
    const inner = Array.isArray(one) && one.length === 1 ? one[0] : one;
    return typeof inner === 'string' ? linkWords(inner).replace(/\s+/gu, ' ').trim() : '';
  });
  const text = values.filter((one) => one !== '').join(', ');
  return TO_FILL.test(text) ? '' : text;
}

/**
 * Yields the parts of a text with its properties behind what stands below its title.
 * @param {Iterable<Part>} parts
 * @param {readonly string[]} properties
 * @returns {Generator<Part>}
 */
export function* withProperties(parts, properties) {
  const own = properties.map((text) => /** @type {Part} */ ({ kind: 'prose', text }));
  let isFirst = true;
  for (const part of parts) {
    const isTitle = isFirst && part.kind === 'heading' && part.level === 1;
    if (part.kind === 'heading' && !isTitle) yield* own.splice(0);
    isFirst = false;
    yield part;
  }
  yield* own;
}
