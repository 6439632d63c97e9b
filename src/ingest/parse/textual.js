import { cleanText } from '../../core/text/clean.js';
import { canvasParts } from './canvas/canvas.js';
import { captionParts } from './captions/captions.js';
import { evernoteParts } from './evernote/evernote.js';
import { feedParts } from './feeds/feed.js';
import { areBookmarks, bookmarkParts } from './html/bookmarks.js';
import { htmlParts } from './html.js';
import { latexParts } from './latex/latex.js';
import { literatureParts } from './literature/literature.js';
import { notebookParts } from './markdown/notebook.js';
import { withPropertyRow } from './markdown/property-lines.js';
import { markdownParts } from './markdown.js';
import { opmlParts } from './opml/opml.js';
import { orgParts } from './org/org.js';
import { areClippings, clippingParts } from './plain/clippings.js';
import { textParts } from './plain-text.js';
import { mayHoldPairs, withPairs } from './questions/pairs.js';
import { restructuredParts } from './restructured-text.js';
import { yamlParts } from './structure/yaml.js';
import { csvParts } from './table/csv.js';
import { recordParts } from './table/records.js';
import { frontMatter } from './titles/front-matter.js';
import { propertiesOf, withProperties } from './titles/properties.js';

/**
 * Parses what is text already.
 * @param {{ type: 'text' | 'rst' | 'markdown' | 'org' | 'latex' | 'literature' | 'opml' | 'html' | 'csv' | 'json' | 'jsonl' | 'yaml' | 'notebook' | 'canvas' | 'captions' | 'evernote' | 'feed', text: string }} job
 * @returns {{ title?: string, aliases?: string[], parts: Iterable<import('./parts.js').Part> }}
 */
export function parseTextual({ type, text: written }) {
  // A line end within a text would be none of JSON.
  if (type === 'json' || type === 'jsonl') return recordParts({ type, text: written });
  if (type === 'yaml') return yamlParts(written);
  if (type === 'canvas') return canvasParts(written);
  if (type === 'notebook') return notebookParts(written);
  const text = cleanText(written);
  if (type === 'html' && areBookmarks(text)) return bookmarkParts(text);
  if (type === 'html') return paired(htmlParts(text));
  if (type === 'text' && areClippings(text)) return { parts: clippingParts(text) };
  if (type === 'text') return pairedIn(text, { parts: textParts(text) });
  if (type === 'rst') return { parts: restructuredParts(text) };
  if (type === 'org') return pairedIn(text, orgParts(text));
  if (type === 'latex') return latexParts(text);
  if (type === 'literature') return literatureParts(text);
  if (type === 'evernote') return evernoteParts(text);
  if (type === 'feed') return feedParts(text);
  if (type === 'opml') return opmlParts(text);
  if (type === 'csv') return csvParts(text);
  if (type === 'captions') return captionParts(text);
  const { end: _, ...names } = frontMatter(text);
  return pairedIn(text, { ...names, parts: withProperties(markdownParts(withPropertyRow(text)), propertiesOf(text)) });
}

/** @typedef {{ title?: string, aliases?: string[], parts: Iterable<import('./parts.js').Part> }} Read */

/** Only the parts of a text that may hold questions and answers lie in memory as a whole. @param {string} text @param {Read} read @returns {Read} */
function pairedIn(text, read) {
  return mayHoldPairs(text) ? paired(read) : read;
}

/** @param {Read} read @returns {Read} */
function paired(read) {
  return { ...read, parts: withPairs(read.parts) };
}
