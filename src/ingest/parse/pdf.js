import { getDocumentProxy } from 'unpdf';
import { linesOf } from './pdf-lines.js';
import { pdfLineParts } from './pdf-parts.js';

/**
 * Parts of a PDF, page by page. Headings are recognised by their larger type; running headers, footers and page numbers
 * are left out; words divided at a line's end are joined. Throws what PDF.js throws.
 * @param {Uint8Array} bytes
 */
export async function pdfParts(bytes) {
  const document = await getDocumentProxy(bytes, { isEvalSupported: false, verbosity: 0 });
  try {
    const pages = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(linesOf(items, page.view[3] - page.view[1]));
      page.cleanup();
    }
    return { parts: pdfLineParts(pages) };
  } finally {
    await document.destroy();
  }
}
