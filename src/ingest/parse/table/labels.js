/** Longer words in capitals are no abbreviations. */
const LONGEST_ABBREVIATION = 4;

/**
 * Returns the name of a column as words of a sentence: "unitPrice" and "UNIT_PRICE" are "unit price". A capital letter would make a name of
 * it, to which the texts of others could lead.
 * @param {string} written
 */
export function labelOf(written) {
  return written
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[\s_]+/gu, ' ')
    .replace(/\p{L}+/gu, (word) =>
      word === word.toUpperCase() && word.length <= LONGEST_ABBREVIATION ? word : word.toLowerCase(),
    )
    .trim();
}
