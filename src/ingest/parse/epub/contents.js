import { pathFrom } from '../xml/package.js';
import { elementsOf, readXml, textIn } from '../xml/tree.js';
import { named } from './package.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */
/** An entry of a table of contents: its level from 1, its title, and the place that it leads to. @typedef {{ level: number, title: string, id: string }} Entry */

/** Deeper entries are as deep as this. */
const DEEPEST = 6;

/**
 * Returns the entries of the table of contents of a book, by the files that they lead to.
 * @param {Map<string, Uint8Array>} files @param {string | undefined} path
 * @returns {Map<string, Entry[]>}
 */
export function readContents(files, path) {
  /** @type {Map<string, Entry[]>} */
  const entries = new Map();
  if (path === undefined) return entries;
  const root = readXml(files.get(path));
  const add = (/** @type {number} */ level, /** @type {string} */ title, /** @type {string} */ written) => {
    const target = pathFrom(path, written);
    if (target === undefined || title === '') return;
    const found = entries.get(target) ?? [];
    entries.set(target, found);
    found.push({ level: Math.min(level, DEEPEST), title, id: written.split('#')[1] ?? '' });
  };
  if (root.name === 'ncx' || root.name.endsWith(':ncx')) {
    for (const map of named(root, 'navMap')) addPoints(map, 1, add);
  } else {
    const navigations = named(root, 'nav');
    const main = navigations.find(({ attributes }) => attributes['epub:type'] === 'toc') ?? navigations[0];
    for (const list of main === undefined ? [] : named(main, 'ol')) addItems(list, 1, add);
  }
  return entries;
}

/** Adds what a table of contents of EPUB 2 lists. @param {XmlElement} parent @param {number} level @param {(level: number, title: string, target: string) => void} add */
function addPoints(parent, level, add) {
  for (const point of elementsOf(parent)) {
    if (!/(?:^|:)navPoint$/u.test(point.name)) continue;
    const inside = elementsOf(point);
    const label = inside.find(({ name }) => /(?:^|:)navLabel$/u.test(name));
    const content = inside.find(({ name }) => /(?:^|:)content$/u.test(name));
    add(level, textIn(label), content?.attributes.src ?? '');
    addPoints(point, level + 1, add);
  }
}

/** Adds what one of EPUB 3 lists. @param {XmlElement} list @param {number} level @param {(level: number, title: string, target: string) => void} add */
function addItems(list, level, add) {
  for (const item of elementsOf(list, 'li')) {
    for (const element of elementsOf(item)) {
      if (element.name === 'ol') addItems(element, level + 1, add);
      else if (element.name === 'a') add(level, textIn(element), element.attributes.href ?? '');
    }
  }
}
