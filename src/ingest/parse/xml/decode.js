/** What the first line of an XML file declares. */
const DECLARED = /^<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/u;

/**
 * Returns the text of an XML file: in the charset of its byte order mark, else in the one that it declares, else in UTF-8.
 * @param {Uint8Array} bytes
 */
export function decodeXml(bytes) {
  const head = String.fromCharCode(...bytes.subarray(0, 256));
  const label = MARKS.find(([mark]) => head.startsWith(mark))?.[1] ?? DECLARED.exec(head)?.[1] ?? 'utf-8';
  return decoderOf(label).decode(bytes);
}

/** Marks of a byte order, and how UTF-16 without one begins. @type {ReadonlyArray<readonly [mark: string, label: string]>} */
const MARKS = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
  ['<\0?\0', 'utf-16le'],
  ['\0<\0?', 'utf-16be'],
];

/** @param {string} label */
function decoderOf(label) {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
