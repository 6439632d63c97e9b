/** @typedef {import('../notes/place.js').ReadPart} ReadPart */

/** Returns the parts of <main>, where it has text; else all. @param {ReadPart[]} parts */
export function inMain(parts) {
  const found = parts.filter(({ main }) => main);
  return found.some(({ part }) => part.kind !== 'heading') ? found : parts;
}
