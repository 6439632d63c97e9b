import { elementAt, elementsOf } from '../xml/tree.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */

/** Styles from which one may be derived, one from another: a chain may lead back into itself. */
const MOST_PARENTS = 20;
/** Levels that a style of lists may have. */
const MOST_LEVELS = 10;

/** Knows what the styles of an OpenDocument file say of its text. */
export class Styles {
  /** Styles of paragraphs, of words and of pages by family and name. @type {Map<string, XmlElement>} */
  styles = new Map();
  /** Numbered levels of the styles of lists, by name. @type {Map<string, Set<number>>} */
  numbered = new Map();
  /** What was looked up already: a style may be long, and stand at every word. @type {Map<string, string | undefined>} */
  said = new Map();

  /** @param {Array<XmlElement | undefined>} files `content.xml` and `styles.xml`. */
  constructor(files) {
    for (const group of files.flatMap((root) => elementsOf(root))) {
      if (group.name !== 'office:automatic-styles' && group.name !== 'office:styles') continue;
      for (const style of elementsOf(group)) this.add(style);
    }
  }

  /** @param {XmlElement} style */
  add(style) {
    const { name, attributes } = style;
    const called = attributes['style:name'] ?? '';
    if (name === 'style:style') {
      const key = keyOf(attributes['style:family'], called);
      if (!this.styles.has(key)) this.styles.set(key, style);
    } else if (name === 'text:list-style' && !this.numbered.has(called))
      this.numbered.set(called, numberedLevels(style));
  }

  /** Returns a style and those that it is derived from, nearest first. @param {string} family @param {string | undefined} name */
  chain(family, name) {
    /** @type {XmlElement[]} */
    const found = [];
    let next = name;
    while (next !== undefined && found.length < MOST_PARENTS) {
      const style = this.styles.get(keyOf(family, next));
      if (style === undefined) break;
      found.push(style);
      next = style.attributes['style:parent-style-name'];
    }
    return found;
  }

  /** Returns what a style says of its text, or the nearest one that it is derived from and says it. @param {string} family @param {string | undefined} name @param {string} attribute */
  textProperty(family, name, attribute) {
    return this.property(family, name, ['style:text-properties', attribute]);
  }

  /** @param {string} family @param {string | undefined} name @param {[element: string, attribute: string]} property */
  property(family, name, property) {
    const key = [keyOf(family, name ?? ''), ...property].join(' ');
    if (!this.said.has(key)) this.said.set(key, this.look(family, name, property));
    return this.said.get(key);
  }

  /** @param {string} family @param {string | undefined} name @param {[element: string, attribute: string]} property */
  look(family, name, [element, attribute]) {
    for (const style of this.chain(family, name)) {
      const said = elementAt(style, element)?.attributes[attribute];
      if (said !== undefined) return said;
    }
    return undefined;
  }

  /** Returns the style of a paragraph and the names of those that it is derived from. @param {string | undefined} name */
  namesOf(name = '') {
    return [name, ...this.chain('paragraph', name).map(({ attributes }) => attributes['style:name'] ?? '')];
  }

  /** Returns whether a level of a list, from 1, is numbered. @param {string | undefined} name @param {number} level */
  isNumbered(name, level) {
    return this.numbered.get(name ?? '')?.has(Math.min(level, MOST_LEVELS)) ?? false;
  }
}

/** @param {string | undefined} family @param {string} name */
function keyOf(family, name) {
  return `${family} ${name}`;
}

/** @param {XmlElement} style */
function numberedLevels(style) {
  const levels = elementsOf(style, 'text:list-level-style-number').filter(
    ({ attributes }) => (attributes['style:num-format'] ?? '') !== '',
  );
  return new Set(levels.map(({ attributes }) => Number(attributes['text:level'])));
}
