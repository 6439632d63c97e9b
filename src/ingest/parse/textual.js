import { cleanText } from '../../core/text/clean.js';
import { captionParts } from './captions/captions.js';
import { htmlParts } from './html.js';
import { markdownParts } from './markdown.js';
import { textParts } from './plain-text.js';
import { restructuredParts } from './restructured-text.js';
import { yamlParts } from './structure/yaml.js';
import { csvParts } from './table/csv.js';
import { recordParts } from './table/records.js';
import { frontMatter } from './titles/front-matter.js';

/**
 * Parses what is text already.
 * @param {{ type: 'text' | 'rst' | 'markdown' | 'html' | 'csv' | 'json' | 'jsonl' | 'yaml' | 'captions', text: string }} job
 * @returns {{ title?: string, aliases?: string[], parts: Iterable<import('./parts.js').Part> }}
 */
export function parseTextual({ type, text: written }) {
  // A line end within a text would be none of JSON.
  if (type === 'json' || type === 'jsonl') return recordParts({ type, text: written });
  if (type === 'yaml') return yamlParts(written);
  const text = cleanText(written);
  if (type === 'html') return htmlParts(text);
  if (type === 'text') return { parts: textParts(text) };
  if (type === 'rst') return { parts: restructuredParts(text) };
  if (type === 'csv') return csvParts(text);
  if (type === 'captions') return captionParts(text);
  const { end: _, ...names } = frontMatter(text);
  return { ...names, parts: markdownParts(text) };
}
