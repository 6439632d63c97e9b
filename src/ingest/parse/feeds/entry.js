import { addressOf } from '../html/address.js';
import { htmlParts } from '../html.js';
import { withProperties } from '../titles/properties.js';

/** @typedef {import('../parts.js').Part} Part */
/**
 * An entry of a feed or a note, with its text as HTML; what it does not say is empty.
 * @typedef {{ title: string, html: string, facts: Array<[label: string, value: string]>, items?: string[] }} Entry
 */

/** Level of the title of an entry: above it stands the name of what holds it. */
const LEVEL = 2;

/** Yields an entry as a section: its tasks and its text below its title, and what is said of it in a row before the first heading of the text. @param {Entry} entry @returns {Generator<Part>} */
export function* entryParts({ title, html, facts, items = [] }) {
  yield { kind: 'heading', level: LEVEL, text: title };
  const known = facts.filter(([, value]) => value !== '').map(([label, value]) => `${label}: ${value}`);
  const row = known.length === 0 ? [] : [`${known.join('; ')}.`];
  yield* withProperties(partsBelow(html, items), row);
}

/** @param {string} html @param {string[]} items @returns {Generator<Part>} */
function* partsBelow(html, items) {
  for (const text of items) yield { kind: 'list', text: `- ${text}` };
  for (const part of htmlParts(html).parts)
    yield part.kind === 'heading' ? { ...part, level: part.level + LEVEL } : part;
}

/** Returns the address of an entry as a fact. @param {string} written @returns {[string, string]} */
export function addressFact(written) {
  return ['address', addressOf(written.trim())];
}
