/** @typedef {import('../notes/place.js').ReadPart} ReadPart */

/** A shorter description says no more than a title; a longer one is shortened to its words so far. In characters. */
const SHORTEST = 30;
const LONGEST = 1000;

/** Returns what an element of the head of a page says of the page; empty for any other. @param {string} name @param {Record<string, string>} attributes */
export function descriptionOf(name, attributes) {
  if (name !== 'meta' || attributes.name?.toLowerCase() !== 'description') return '';
  const written = attributes.content ?? '';
  const head = written.slice(0, LONGEST);
  // No part of a word stands at the end.
  const whole = written.length > LONGEST ? head.replace(/\s\S{0,80}$/u, '') : head;
  const text = whole.replace(/\s+/gu, ' ').trim();
  return text.length < SHORTEST ? '' : text;
}

/** Returns the parts with the description of the page below the first heading, where no part says the same. @param {string} description @param {ReadPart[]} parts */
export function withDescription(description, parts) {
  const wanted = bare(description);
  if (wanted === '' || parts.some(({ part }) => bare(part.text).includes(wanted))) return parts;
  const at = parts.findIndex(({ part }) => part.kind === 'heading') + 1;
  const main = parts[0]?.main ?? false;
  const own = { part: { kind: 'prose', text: description }, main, refs: [], note: undefined };
  return parts.length === 0 ? parts : [...parts.slice(0, at), own, ...parts.slice(at)];
}

/** Returns a text without what differs where the same is written twice: case, spaces, signs at the end. @param {string} text */
function bare(text) {
  return text
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/[ .…!]{1,20}$/u, '');
}
