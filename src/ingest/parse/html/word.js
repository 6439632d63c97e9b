/** Signs that Word draws before an item of a list, in fonts in which some are letters. */
const BULLET = /^[·•▪◦–§Øüvqo\u{f000}-\u{f0ff}-]\s+/u;
const NUMBER = /^(?:\(?(?:\d{1,3}|\p{L}|[ivxIVX]{1,6})[.)]|\d{1,3}(?:\.\d{1,3}){1,4}\.?)\s/u;
/** Deeper items are indented no further. */
const DEEPEST = 4;
/** Styles of lists: "List Bullet", "List Number 2". */
const STYLED = /^MsoList(?:Bullet|Number)(\d?)(?:CxSp|$)/u;
/** An item of a page that Word saved filtered, where nothing else tells a list: its sign stands before its text. */
const HANGING = /text-indent:\s?-\d/u;
const MARGIN = /margin-left:\s?(\d{1,4}(?:\.\d{1,4})?)(pt|in|cm)/u;
/** What Word indents each level of a list by. */
const INDENTS = { pt: 36, in: 0.5, cm: 1.27 };

/**
 * Returns what a paragraph is that Word saved as HTML, by its class: the title of the document, or an item of a list, of a depth from 0.
 * @param {string} name @param {Record<string, string>} attributes @returns {{ kind: 'heading' | 'list', level: number } | undefined}
 */
export function wordParagraph(name, attributes) {
  if (name !== 'p' || !attributes.class?.startsWith('Mso')) return undefined;
  if (attributes.class === 'MsoTitle' || attributes.class.startsWith('MsoTitleCxSp'))
    return { kind: 'heading', level: 1 };
  const styled = STYLED.exec(attributes.class);
  if (styled === null && !attributes.class.startsWith('MsoListParagraph')) return undefined;
  const style = attributes.style ?? '';
  const said = /mso-list:\s?l\d{1,6} level(\d)/u.exec(style)?.[1] ?? (styled === null ? undefined : styled[1] || '1');
  const depth = said === undefined ? indentOf(style) : Number(said);
  return depth === undefined ? undefined : { kind: 'list', level: Math.min(DEEPEST, Math.max(0, depth - 1)) };
}

/** Returns the level of an item by its margin. @param {string} style @returns {number | undefined} */
function indentOf(style) {
  if (!HANGING.test(style)) return undefined;
  const [, margin = '0', unit = 'pt'] = MARGIN.exec(style) ?? [];
  return Math.round(Number(margin) / INDENTS[/** @type {keyof typeof INDENTS} */ (unit)]);
}

/** Returns an item of a list of Word, which stands in its text with its sign or number. @param {string} text @param {number} depth */
export function wordItem(text, depth) {
  const mark = NUMBER.test(text) ? '' : '- ';
  return `${'  '.repeat(depth)}${mark}${mark === '' ? text : text.replace(BULLET, '')}`;
}
