/** @typedef {{ type: string, content: string, attrGet: (name: string) => string | null }} Token */

/** An address of a picture that a server draws as a badge. */
const BADGE =
  /^https?:\/\/(?:(?:[\w-]{1,60}\.){0,5}(?:shields\.io|badgen\.net|badge\.fury\.io)\/|badges?\.[\w.-]{1,200}\/|[^\s?#]{1,300}\/badges?(?:\/[^\s?#]{0,200})?\.svg(?:[?#]|$))/iu;

/**
 * Returns the inline tokens of a paragraph without badges where it holds nothing else, those of a heading without the badges behind its words:
 * "build" and "license" say nothing of what they stand at.
 * @param {Token[]} tokens @param {{ isHeading?: boolean, isParagraph?: boolean }} [place]
 * @returns {Token[]}
 */
export function withoutBadges(tokens, { isHeading = false, isParagraph = false } = {}) {
  if (!isHeading && !isParagraph) return tokens;
  let end = tokens.length;
  let found = false;
  while (end > 0) {
    const size = badgeBefore(tokens, end);
    if (size === 0 && !isBlank(tokens[end - 1])) break;
    found ||= size > 0;
    end -= Math.max(1, size);
  }
  return found && (isHeading || end === 0) ? tokens.slice(0, end) : tokens;
}

/** Returns how many tokens a badge takes that ends before a place; 0 where none does. @param {Token[]} tokens @param {number} end */
function badgeBefore(tokens, end) {
  const source = (/** @type {Token | undefined} */ token) =>
    token?.type === 'image' ? (token.attrGet('src') ?? '') : '';
  if (BADGE.test(source(tokens[end - 1]))) return 1;
  if (tokens[end - 1].type !== 'link_close' || tokens[end - 3]?.type !== 'link_open') return 0;
  return BADGE.test(source(tokens[end - 2])) ? 3 : 0;
}

/** @param {Token} token */
function isBlank({ type, content }) {
  return type === 'softbreak' || type === 'hardbreak' || (type === 'text' && content.trim() === '');
}
