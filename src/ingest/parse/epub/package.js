import { pathFrom } from '../xml/package.js';
import { descendants, readXml, textIn } from '../xml/tree.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */
/** @typedef {Map<string, Uint8Array>} Files */
/**
 * What the package document of a book says: its title, who wrote it, its chapters and its table of contents, by their paths in the archive.
 * @typedef {{ title: string, authors: string[], chapters: string[], contents: string | undefined }} Book
 */

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
/** How fonts are made unreadable outside of their book. */
const OF_FONTS = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']);
/** Roles of those who wrote a book; a creator without one wrote it. */
const AUTHORS = new Set([undefined, '', 'aut']);
const PAGE = /^(?:application\/xhtml\+xml|text\/html|application\/x-dtbook\+xml|)$/u;

/** Returns whether an entry says what the book is. @param {string} name */
export function isOfPackage(name) {
  return name === CONTAINER || name === ENCRYPTION || /\.opf$/iu.test(name);
}

/** Names with any prefix. @param {XmlElement} element @param {string} name @returns {XmlElement[]} */
export function named(element, name) {
  return descendants(element, name, { isLocal: true });
}

/** Returns what the package document of a book says. Throws where there is none. @param {Files} files @returns {Book} */
export function readPackage(files) {
  const listed = named(readXml(files.get(CONTAINER)), 'rootfile').map(
    ({ attributes }) => pathFrom('', attributes['full-path'] ?? '') ?? '',
  );
  const path = listed.find((one) => files.has(one)) ?? [...files.keys()].find((one) => /\.opf$/iu.test(one));
  if (path === undefined) throw new Error('has no package document');
  const root = readXml(files.get(path));
  const items = named(root, 'item').map(({ attributes }) => ({
    ...attributes,
    path: pathFrom(path, attributes.href ?? ''),
  }));
  const byId = new Map(items.map((item) => [item.id, item]));
  const [spine] = named(root, 'spine');
  const navigation = items.find(({ properties = '' }) => properties.split(/\s+/u).includes('nav'))?.path;
  const left = new Set([navigation, ...printedContents(root, path)]);
  const chapters = named(root, 'itemref').flatMap(({ attributes }) => {
    const item = byId.get(attributes.idref);
    const isRead = item?.path !== undefined && PAGE.test(item['media-type'] ?? '') && !left.has(item.path);
    return isRead ? [/** @type {string} */ (item.path)] : [];
  });
  return {
    title: textIn(named(root, 'title')[0]),
    authors: authorsOf(root),
    // A file may list a chapter very often.
    chapters: [...new Set(chapters)],
    contents: navigation ?? byId.get(spine?.attributes.toc)?.path,
  };
}

/** Returns the pages that print the table of contents, as books of EPUB 2 say it. @param {XmlElement} root @param {string} path */
function printedContents(root, path) {
  const references = named(root, 'reference').filter(({ attributes }) => attributes.type === 'toc');
  return references.map(({ attributes }) => pathFrom(path, attributes.href ?? ''));
}

/** @param {XmlElement} root */
function authorsOf(root) {
  const roles = new Map(
    named(root, 'meta')
      .filter(({ attributes }) => attributes.property === 'role')
      .map((meta) => [meta.attributes.refines, textIn(meta)]),
  );
  const creators = named(root, 'creator').filter(({ attributes }) =>
    AUTHORS.has(attributes['opf:role'] ?? roles.get(`#${attributes.id}`)),
  );
  return creators.map(textIn).filter((name) => name !== '');
}

/** Returns whether a book has chapters that only a key opens. @param {Files} files @param {Book} book */
export function isProtected(files, { chapters }) {
  const read = new Set(chapters);
  return named(readXml(files.get(ENCRYPTION)), 'EncryptedData').some((data) => {
    const method = named(data, 'EncryptionMethod')[0]?.attributes.Algorithm ?? '';
    const path = pathFrom('', named(data, 'CipherReference')[0]?.attributes.URI ?? '');
    return !OF_FONTS.has(method) && path !== undefined && read.has(path);
  });
}
