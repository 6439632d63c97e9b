import { cleanText } from '../../read/clean.js';
import { LIMITS, LimitExceeded } from '../limits.js';

/** @typedef {import('../parts.js').Part} Part */

const PARTS = 256;
const CHARACTERS = 1 << 16;

/**
 * Yields the parts of a document in batches, cleaned, without empty ones; the first batch carries the title.
 * @param {string | undefined} title
 * @param {Iterable<Part>} parts
 * @returns {Generator<{ title?: string, parts: Part[] }>}
 */
export function* batches(title, parts) {
  /** @type {{ title?: string, parts: Part[] }} */
  let batch = title === undefined ? { parts: [] } : { title, parts: [] };
  let size = 0;
  let total = 0;
  for (const part of parts) {
    const text = cleanText(part.text);
    if (text.trim() === '') continue;
    batch.parts.push({ ...part, text });
    size += text.length;
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
