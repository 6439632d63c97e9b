import { expect, it } from '@jest/globals';
import { DOCUMENT_EXTENSIONS, kindsRead } from '../../src/core/wording/document-types.js';

it('what can be read is named with mail, which is read by its extensions', () => {
  expect(DOCUMENT_EXTENSIONS).toEqual(expect.arrayContaining(['.eml', '.mbox']));
  expect(kindsRead('and')).toBe(
    'text, mail, Markdown, Org, AsciiDoc, LaTeX, PDF, HTML, DOCX, ODT, EPUB, presentations, spreadsheets, CSV, JSON, JSON Lines, YAML, notebooks, JSON Canvas, OPML, calendars, contacts, literature, Evernote, feeds, captions and source code',
  );
  expect(kindsRead('or')).toBe(
    'text, mail, Markdown, Org, AsciiDoc, LaTeX, PDF, HTML, DOCX, ODT, EPUB, presentation, spreadsheet, CSV, JSON, JSON Lines, YAML, notebook, JSON Canvas, OPML, calendar, contacts, literature, Evernote, feed, captions or source code',
  );
});
