/** Signs that Word draws before an item of a list, in fonts in which some are letters. */
const BULLET = /^[·•▪◦–§Øüvqo\u{f000}-\u{f0ff}-]\s+/u;
const NUMBER = /^(?:\(?(?:\d{1,3}|\p{L}|[ivxIVX]{1,6})[.)]|\d{1,3}(?:\.\d{1,3}){1,4}\.?)\s/u;
/** Deeper items are indented no further. */
const DEEPEST = 4;

/**
 * Returns what a paragraph is that Word saved as HTML, by its class: the title of the document, or an item of a list, of a depth from 0.
 * @param {string} name @param {Record<string, string>} attributes @returns {{ kind: 'heading' | 'list', level: number } | undefined}
 */
export function wordParagraph(name, attributes) {
  if (name !== 'p' || !attributes.class?.startsWith('Mso')) return undefined;
  if (attributes.class === 'MsoTitle' || attributes.class.startsWith('MsoTitleCxSp'))
    return { kind: 'heading', level: 1 };
  if (!attributes.class.startsWith('MsoListParagraph')) return undefined;
  const depth = /mso-list:\s?l\d{1,6} level(\d)/u.exec(attributes.style ?? '');
  return depth === null ? undefined : { kind: 'list', level: Math.min(DEEPEST, Math.max(0, Number(depth[1]) - 1)) };
}

/** Returns an item of a list of Word, which stands in its text with its sign or number. @param {string} text @param {number} depth */
export function wordItem(text, depth) {
  const mark = NUMBER.test(text) ? '' : '- ';
  return `${'  '.repeat(depth)}${mark}${mark === '' ? text : text.replace(BULLET, '')}`;
}
