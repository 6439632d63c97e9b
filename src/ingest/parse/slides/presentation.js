import { unpack } from '../archive.js';
import { openDocument, unpackDocument } from '../odf/archive.js';
import { odpParts } from './odp.js';
import { isOfPptx, pptxParts } from './pptx.js';

/**
 * Returns the parts of a presentation, of PowerPoint or of LibreOffice: what it is says the archive, not its name.
 * @param {Uint8Array} bytes
 * @returns {{ parts: Iterable<import('../parts.js').Part> }}
 */
export function presentationParts(bytes) {
  const files = unpackDocument(bytes);
  if (files.has('content.xml') || files.has('META-INF/manifest.xml')) return { parts: odpParts(openDocument(files)) };
  return { parts: pptxParts(new Map(Object.entries(unpack(bytes, isOfPptx)))) };
}
