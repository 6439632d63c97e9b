import { Buffer } from 'node:buffer';
import { zipSync } from 'fflate';
import { unpack } from './archive.js';
import { LIMITS, LimitExceeded } from './limits.js';

/**
 * Returns a DOCX archive with nothing but its XML, stored without compression. Throws `LimitExceeded`.
 * @param {Uint8Array} bytes
 */
export function unpackDocx(bytes) {
  const unpacked = unpack(bytes, (name) => /\.(?:xml|rels)$/iu.test(name));
  checkParagraphs(unpacked['word/document.xml'] ?? new Uint8Array());
  return zipSync(unpacked, { level: 0 });
}

/**
 * @param {Uint8Array} xml
 */
function checkParagraphs(xml) {
  let paragraphs = 0;
  const document = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  for (let at = document.indexOf('</w:p>'); at !== -1; at = document.indexOf('</w:p>', at + 6)) paragraphs += 1;
  if (paragraphs > LIMITS.docxParagraphs) {
    throw new LimitExceeded('docxParagraphs', `holds more than ${LIMITS.docxParagraphs} paragraphs; split it`);
  }
}
