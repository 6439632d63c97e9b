import { cleanText } from '../../../core/text/clean.js';
import { LIMITS, LimitExceeded } from '../limits.js';

/** @typedef {import('../parts.js').Part} Part */

const PARTS = 256;
const CHARACTERS = 1 << 16;

/** Each passage without a heading carries the title. In characters. */
const LONGEST_TITLE = 300;

/**
 * Yields the parts of a document in batches, cleaned, without empty ones; the first batch carries the title, cut to 300
 * characters, the other names of the document and what a reader should know of how it was read.
 * @param {string | undefined} written
 * @param {Iterable<Part>} parts
 * @param {{ aliases?: readonly string[] | undefined, notice?: string | undefined }} [about]
 * @returns {Generator<{ title?: string, aliases?: string[], notice?: string, parts: Part[] }>}
 */
export function* batches(written, parts, { aliases: names = [], notice } = {}) {
  const title = written === undefined ? '' : cleanText(written.slice(0, LONGEST_TITLE)).trim();
  const aliases = names.map(cleanText);
  /** @type {{ title?: string, aliases?: string[], notice?: string, parts: Part[] }} */
  let batch = {
    ...(title === '' ? {} : { title }),
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(notice === undefined ? {} : { notice }),
    parts: [],
  };
  let size = 0;
  let total = 0;
  for (const part of parts) {
    const text = cleanText(part.text);
    if (text.trim() === '') continue;
    const notes = part.notes?.map(cleanText);
    batch.parts.push(notes === undefined ? { ...part, text } : { ...part, text, notes });
    size += (notes ?? []).reduce((sum, note) => sum + note.length, text.length);
    if (size < CHARACTERS && batch.parts.length < PARTS) continue;
    total += size;
    if (total > LIMITS.characters) {
      throw new LimitExceeded(
        'characters',
        `holds more than ${LIMITS.characters >> 20} Mi characters of text; split it`,
      );
    }
    yield batch;
    batch = { parts: [] };
    size = 0;
  }
  yield batch;
}
