import { Buffer } from 'node:buffer';
import mammoth from 'mammoth';
import { htmlParts } from './html.js';

/**
 * Parts of a Word document, by way of HTML: headings by their styles, lists and tables kept, pictures left out.
 * @param {Uint8Array} bytes
 */
export async function docxParts(bytes) {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
    {
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
      externalFileAccess: false,
    },
  );
  return htmlParts(value);
}
