import { excerptStart } from '../../core/wording/excerpt.js';
import { shortened } from './output.js';

/** Returns the part of a text that holds most of these words, on one line of at most `limit` characters; a short text whole. */
export function excerpt(text: string, terms: readonly string[], limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= limit) return line;
  const from = excerptStart(line, terms, limit);
  return from === 0 ? shortened(line, limit) : `…${shortened(line.slice(from), limit - 1)}`;
}
