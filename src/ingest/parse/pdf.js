import { getDocumentProxy } from 'unpdf';
import { LIMITS, LimitExceeded } from './limits.js';
import { linesOf } from './pdf-lines.js';
import { pdfLineParts } from './pdf-parts.js';

/**
 * Returns the parts of a PDF, page by page. Headings are recognised by their larger type; running headers, footers and
 * page numbers are left out; words divided at a line's end are joined. Throws `LimitExceeded`, and what PDF.js throws.
 * @param {Uint8Array} bytes
 * @param {{ check(): void }} guard Throws when memory ran over its limit, which PDF.js may have passed over.
 */
export async function pdfParts(bytes, guard) {
  const document = await getDocumentProxy(bytes, { isEvalSupported: false, verbosity: 0 });
  try {
    if (document.numPages > LIMITS.pdfPages) {
      throw new LimitExceeded('pdfPages', `has more than ${LIMITS.pdfPages} pages; split it`);
    }
    const pages = [];
    let characters = 0;
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      guard.check();
      for (const { str } of items) characters += str?.length ?? 0;
      if (characters > LIMITS.characters) {
        throw new LimitExceeded('characters', `holds more than ${LIMITS.characters >> 20} Mi characters; split it`);
      }
      pages.push(linesOf(items, page.view[3] - page.view[1]));
      page.cleanup();
    }
    return { parts: pdfLineParts(pages) };
  } finally {
    await document.destroy();
  }
}
