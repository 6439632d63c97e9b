import { Buffer } from 'node:buffer';
import { StreamedDecoder } from '../mail/western-decoder.js';

/** Labels of code pages that are not called after their numbers. */
const LABELS = new Map([
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [866, 'ibm866'],
  [10_000, 'macintosh'],
  [10_007, 'x-mac-cyrillic'],
  [1200, 'utf-16le'],
  [65_001, 'utf-8'],
]);

/** @type {Map<string, StreamedDecoder>} */
const decoders = new Map();

/** @param {number} page */
function decoderOf(page) {
  const label = LABELS.get(page) ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252');
  const known = decoders.get(label);
  if (known !== undefined) return known;
  const decoder = new StreamedDecoder(label, { ignoreBOM: true });
  decoders.set(label, decoder);
  return decoder;
}

/** The code pages of Windows and the Macintosh that Node knows, as the library wants them. Another one is read as that of Western languages. */
export const codePages = {
  utils: {
    /** @param {number} page @param {ArrayLike<number>} bytes */
    decode: (page, bytes) => decoderOf(page).decode(Buffer.from(bytes)),
    /** Nothing is written. @param {number} _page @param {string} text */
    encode: (_page, text) => Buffer.from(text, 'latin1'),
  },
};
