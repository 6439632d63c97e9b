import { refuseBinary } from '../../read/decode.js';

/** Bytes by whose text a file is told. */
const LOOKED_AT = 4096;

/**
 * Returns what a file is that is called a spreadsheet, as programs name what they export so that Excel opens it: a page of HTML, lines of CSV, or XML that Excel 2003 wrote.
 * Undefined for a spreadsheet, and for what is none of these.
 */
export function typeByContent(bytes: Uint8Array): 'html' | 'csv' | 'xml' | undefined {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const head = Buffer.from(bytes.subarray(0, LOOKED_AT))
    .toString('latin1')
    .replace(isUtf16 ? /^..|\0/gsu : /^\u00ef\u00bb\u00bf/u, '')
    .trimStart();
  if (head.startsWith('<')) {
    if (head.includes('urn:schemas-microsoft-com:office:spreadsheet') && /<(?:\w+:)?Workbook\b/u.test(head))
      return 'xml';
    return /<(?:!doctype html|html|head|meta|table|style)\b/iu.test(head) ? 'html' : undefined;
  }
  if (!isUtf16 && !isText(bytes)) return undefined;
  return /^(?:[^\r\n]*[\t;,|]|sep=)/iu.test(head) && !/^MIME-Version:/iu.test(head) ? 'csv' : undefined;
}

function isText(bytes: Uint8Array): boolean {
  try {
    refuseBinary(bytes);
    return true;
  } catch {
    return false;
  }
}
