import { Buffer } from 'node:buffer';
import { unzipSync, zipSync } from 'fflate';
import { LIMITS, LimitExceeded } from './limits.js';

const MIB = 1 << 20;

/**
 * Returns a DOCX archive with nothing but its XML, stored without compression. Number, size and ratio of the entries are
 * checked by the archive's directory before anything is unpacked, and no entry unpacks to more than its size there. Throws
 * `LimitExceeded`.
 * @param {Uint8Array} bytes
 */
export function unpackDocx(bytes) {
  let entries = 0;
  let total = 0;
  const unpacked = unzipSync(bytes, {
    filter: ({ name, size, originalSize }) => {
      entries += 1;
      if (entries > LIMITS.entries) {
        throw new LimitExceeded('entries', `holds more than ${LIMITS.entries} archive entries; save it again`);
      }
      if (!/\.(?:xml|rels)$/iu.test(name)) return false;
      total += originalSize;
      if (total > LIMITS.unpackedMib * MIB) {
        throw new LimitExceeded('unpackedMib', `unpacks to more than ${LIMITS.unpackedMib} MiB of XML; split it`);
      }
      if (originalSize > MIB && originalSize > LIMITS.ratio * size) {
        throw new LimitExceeded('ratio', `holds an entry compressed by more than ${LIMITS.ratio} to 1; save it again`);
      }
      return true;
    },
  });
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
