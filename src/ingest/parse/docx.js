import { Buffer } from 'node:buffer';
import mammoth from 'mammoth';
import { unpackDocx } from './docx-archive.js';
import { htmlParts } from './html.js';
import { withPairs } from './questions/pairs.js';
import { withBoldHeadings } from './word/bold-headings.js';

/**
 * Returns the parts of a Word document, by way of HTML: headings by their styles, or in bold where it has no such styles, lists and tables kept, pictures left
 * out. Throws `LimitExceeded` for an archive that unpacks to too much.
 * @param {Uint8Array} bytes
 */
export async function docxParts(bytes) {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(unpackDocx(bytes)) },
    {
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
      transformDocument: withBoldHeadings,
      externalFileAccess: false,
    },
  );
  const { parts, ...names } = htmlParts(value);
  return { ...names, parts: withPairs(parts) };
}
