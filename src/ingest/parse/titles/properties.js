import { parse } from 'yaml';
import { treeOf, withoutSecrets } from '../../../core/wording/secrets.js';
import { linkWords } from '../markdown/wiki-links.js';
import { frontBlock, isShallow } from './front-matter.js';

/** @typedef {import('../parts.js').Part} Part */

/** Properties that are kept at most, and the length of a value in characters. */
const MOST = 40;
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

/**
 * Returns the properties in the YAML front matter of a text as a row has them: "role: Head of Marketing; birthday: 1984-03-17." Values stay as they are
 * written, lists with commas, links of wikis with their words. Undefined where the block is no YAML, or holds nothing besides tags and the days of the file.
 * @param {string} text
 * @returns {string | undefined}
 */
export function propertiesOf(text) {
  const block = frontBlock(text);
  if (block === undefined || !isShallow(block.body)) return undefined;
  let read;
  try {
    read = parse(block.body, { schema: 'failsafe', logLevel: 'silent' });
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
  const { pairs } = withoutSecrets(treeOf(read));
  const facts = pairs.flatMap((/** @type {{ key: string, value: unknown }} */ { key: name, value }) => {
    if (name.length > LONGEST_NAME || OF_PROGRAMS.test(name)) return [];
    const text = textOf(value);
    return text === '' ? [] : [{ name, text }];
  });
  if (facts.every((/** @type {{ name: string }} */ { name }) => OF_FILES.test(name))) return undefined;
  const cells = facts
    .slice(0, MOST)
    .map((/** @type {{ name: string, text: string }} */ { name, text }) => `${name}: ${text}`);
  return `${cells.join('; ')}.`;
}

/** Returns a value in a line; empty for one that is no text and no list of texts, or too long. @param {unknown} value */
function textOf(value) {
  const values = (Array.isArray(value) ? value : [value]).map((one) => {
    // A link without quotation marks, [[Page]], is a list in a list.
    const inner = Array.isArray(one) && one.length === 1 ? one[0] : one;
    return typeof inner === 'string' ? linkWords(inner).replace(/\s+/gu, ' ').trim() : '';
  });
  const text = values.filter((one) => one !== '').join(', ');
  return text.length > LONGEST_VALUE || TO_FILL.test(text) ? '' : text;
}

/**
 * Yields the parts of a text with its properties behind what stands below its title.
 * @param {Iterable<Part>} parts
 * @param {string | undefined} properties
 * @returns {Generator<Part>}
 */
export function* withProperties(parts, properties) {
  const own = properties === undefined ? [] : [/** @type {Part} */ ({ kind: 'prose', text: properties })];
  let isFirst = true;
  for (const part of parts) {
    const isTitle = isFirst && part.kind === 'heading' && part.level === 1;
    if (part.kind === 'heading' && !isTitle) yield* own.splice(0);
    isFirst = false;
    yield part;
  }
  yield* own;
}
