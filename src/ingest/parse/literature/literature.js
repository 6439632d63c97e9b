import { bibtexReferences } from './bibtex-references.js';
import { referenceParts } from './reference.js';
import { isRis, risReferences } from './ris.js';

/** @typedef {import('../parts.js').Part} Part */

/**
 * Returns the parts of a list of literature in BibTeX or RIS: each entry a row below its title. Throws `LimitExceeded`.
 * @param {string} text
 * @returns {{ notice?: string, parts: Iterable<Part> }}
 */
export function literatureParts(text) {
  if (isRis(text)) return { parts: partsOf(risReferences(text)) };
  const { references, broken } = bibtexReferences(text);
  const [entry, ends] = broken === 1 ? ['entry', 'ends'] : ['entries', 'end'];
  const notice = `${broken} ${entry} of it ${ends} without a closing brace, or ${broken === 1 ? 'has' : 'have'} a sign too many; what stands before was read.`;
  return { ...(broken === 0 ? {} : { notice }), parts: partsOf(references) };
}

/** @param {Iterable<import('./reference.js').Reference>} references @returns {Generator<Part>} */
export function* partsOf(references) {
  for (const reference of references) yield* referenceParts(reference);
}
