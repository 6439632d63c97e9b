/**
 * What mammoth reads of a Word document: the document, a paragraph, a run, a text.
 * @typedef {{ type: string, children?: Element[], value?: string, isBold?: boolean, styleName?: string | null, styleId?: string | null, numbering?: unknown }} Element
 */

/** A style of headings: where there is one, bold lines are none. */
const HEADING = /^(?:heading|überschrift|titre|título|titolo|kop)\s?(\d)/iu;
/** The style of the title of the document, which stands above its headings. */
const OF_TITLE = /^title$/iu;
/** Headings are no deeper in HTML. */
const DEEPEST = 6;
/** A longer line is no heading. In characters. */
const LONGEST = 100;
const TITLE = /^["“'‘«([¿¡]*[\p{Lu}\p{Lt}\p{Lo}\p{N}].*[^.,;…]$/u;
/** Lines that a document begins with, as its title, its occasion and its date; more are an address or a text. */
const MOST_ABOVE = 3;

/**
 * Returns a Word document whose author wrote headings as short lines in bold, without any style of headings, with such styles; one with such a style and a title with its headings below the title. The lines that it begins
 * with stand below each other, all others below them. Several lines in bold further down are a text.
 * @param {Element} document @returns {Element}
 */
export function withBoldHeadings(document) {
  const children = document.children ?? [];
  if (children.some((child) => HEADING.test(styleOf(child)))) return withTitleAbove(document);
  const filled = children.filter((child) => child.type !== 'paragraph' || textOf(child).trim() !== '');
  /** @type {Map<Element, number>} */
  const levels = new Map();
  let above = 0;
  for (let at = 0; at < filled.length; at += 1) {
    const start = at;
    while (at < filled.length && isTitle(/** @type {Element} */ (filled[at]))) at += 1;
    const group = filled.slice(start, at);
    // Nothing stands below the last lines.
    if (at === filled.length || group.length > (start === 0 ? MOST_ABOVE : 1)) continue;
    if (start === 0) above = group.length;
    for (const [i, each] of group.entries()) levels.set(each, start === 0 ? i + 1 : above + 1);
  }
  if (above === 0 && levels.size < 2) return document;
  return { ...document, children: children.map((child) => withLevel(child, levels.get(child))) };
}

/** Returns a document with its headings one level deeper, where a title stands above them. @param {Element} document @returns {Element} */
function withTitleAbove(document) {
  const { children = [] } = document;
  const isTitle = (/** @type {Element} */ child) => OF_TITLE.test(styleOf(child)) && textOf(child).trim() !== '';
  if (!children.some(isTitle)) return document;
  const levelOf = (/** @type {Element} */ child) => {
    const level = HEADING.exec(styleOf(child))?.[1];
    if (level !== undefined) return Math.min(DEEPEST, Number(level) + 1);
    return isTitle(child) ? 1 : undefined;
  };
  return { ...document, children: children.map((child) => withLevel(child, levelOf(child))) };
}

/** @param {Element} paragraph @param {number | undefined} level @returns {Element} */
function withLevel(paragraph, level) {
  return level === undefined ? paragraph : { ...paragraph, styleId: `Heading${level}`, styleName: `Heading ${level}` };
}

/** @param {Element} element */
function isTitle(element) {
  if (element.type !== 'paragraph' || element.numbering) return false;
  const text = textOf(element).trim();
  return (
    text.length <= LONGEST &&
    !text.includes('\n') &&
    TITLE.test(text) &&
    (isBold(element) || OF_TITLE.test(styleOf(element)))
  );
}

/** @param {Element} element */
function styleOf({ styleName, styleId }) {
  return styleName ?? styleId ?? '';
}

/** Returns whether all words of an element are in bold. @param {Element} element @returns {boolean} */
function isBold(element) {
  if (element.type === 'run') return element.isBold === true || textOf(element).trim() === '';
  return (element.children ?? []).every(isBold);
}

/** @param {Element} element @returns {string} */
function textOf({ type, value, children = [] }) {
  if (type === 'text') return value ?? '';
  if (type === 'break') return '\n';
  return type === 'tab' ? '\t' : children.map(textOf).join('');
}
