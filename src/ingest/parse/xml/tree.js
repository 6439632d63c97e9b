import { Parser } from 'htmlparser2';
import { LIMITS, LimitExceeded } from '../limits.js';
import { decodeXml } from './decode.js';

/**
 * An element of an XML file; names stand as they are written, with their prefix.
 * @typedef {{ name: string, attributes: Record<string, string>, children: Array<XmlElement | string> }} XmlElement
 */

/**
 * Returns the root of an XML file, with all that it holds; an empty element for a file without one. Entities that the file declares itself stay as they
 * are written. Throws `LimitExceeded` where elements are too many, or nested too deep.
 * @param {Uint8Array | undefined} bytes
 * @returns {XmlElement}
 */
export function readXml(bytes) {
  /** @type {XmlElement} */
  const top = { name: '', attributes: {}, children: [] };
  const open = [top];
  let count = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        count += 1;
        checkSize(count, open.length);
        /** @type {XmlElement} */
        const element = { name, attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(text) {
        const siblings = /** @type {XmlElement} */ (open.at(-1)).children;
        siblings.push(text);
      },
      onclosetag() {
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.write(bytes === undefined ? '' : decodeXml(bytes));
  parser.end();
  return elementsOf(top)[0] ?? top;
}

/** @param {number} count @param {number} depth */
function checkSize(count, depth) {
  if (count > LIMITS.elements)
    throw new LimitExceeded('elements', `holds more than ${LIMITS.elements} elements in a file of XML; split it`);
  if (depth > LIMITS.depth)
    throw new LimitExceeded('depth', `nests elements deeper than ${LIMITS.depth}; simplify it or convert it to text`);
}

/** Returns the elements in an element, those of a name where one is given. @param {XmlElement | undefined} element @param {string} [name] @returns {XmlElement[]} */
export function elementsOf(element, name) {
  /** @type {XmlElement[]} */
  const found = [];
  for (const child of element?.children ?? [])
    if (typeof child !== 'string' && (name === undefined || child.name === name)) found.push(child);
  return found;
}

/** Returns the element at the end of a path of names; undefined where there is none. @param {XmlElement | undefined} element @param {...string} path */
export function elementAt(element, ...path) {
  let at = element;
  for (const name of path) at = elementsOf(at, name)[0];
  return at;
}

/**
 * Returns the elements of a name at any depth, in order, none within another one.
 * @param {XmlElement | undefined} element @param {string} name @param {{ isLocal?: boolean }} [options] Whether the name may have any prefix.
 */
export function descendants(element, name, { isLocal = false } = {}) {
  /** @type {XmlElement[]} */
  const found = [];
  /** @param {XmlElement | undefined} at */
  const look = (at) => {
    for (const child of elementsOf(at)) {
      if (child.name === name || (isLocal && child.name.endsWith(`:${name}`))) found.push(child);
      else look(child);
    }
  };
  look(element);
  return found;
}

/** Returns all text in an element. @param {XmlElement | undefined} element @returns {string} */
export function textIn(element) {
  /** @type {string[]} */
  const texts = [];
  collect(element, texts);
  return texts.join('').replace(/\s+/gu, ' ').trim();
}

/** @param {XmlElement | undefined} element @param {string[]} texts */
function collect(element, texts) {
  for (const child of element?.children ?? []) {
    if (typeof child === 'string') texts.push(child);
    else collect(child, texts);
  }
}

/** Returns a text as it is written in HTML. @param {string} text */
export function escaped(text) {
  return text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;').replace(/"/gu, '&quot;');
}
