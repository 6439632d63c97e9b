import { PasswordException, unpack } from '../archive.js';
import { descendants, readXml } from '../xml/tree.js';
import { Styles } from './styles.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */

const CONTENT = 'content.xml';
const STYLES = 'styles.xml';
const META = 'meta.xml';
const MANIFEST = 'META-INF/manifest.xml';

/**
 * Returns what an OpenDocument file holds: its content, its styles, what it says of itself. Throws where it is encrypted, or unpacks to too much.
 * @param {Map<string, Uint8Array>} files
 * @returns {{ content: XmlElement, styles: Styles, meta: XmlElement }}
 */
export function openDocument(files) {
  const manifest = files.get(MANIFEST);
  if (manifest !== undefined && descendants(readXml(manifest), 'manifest:encryption-data').length > 0)
    throw new PasswordException('is encrypted');
  const content = readXml(files.get(CONTENT));
  return { content, styles: new Styles([content, readXml(files.get(STYLES))]), meta: readXml(files.get(META)) };
}

/** Unpacks what is read of an OpenDocument file. @param {Uint8Array} bytes @returns {Map<string, Uint8Array>} */
export function unpackDocument(bytes) {
  const wanted = new Set([CONTENT, STYLES, META, MANIFEST]);
  return new Map(Object.entries(unpack(bytes, (name) => wanted.has(name))));
}
