import { define, defineOld } from './macros.js';
import { PEOPLE } from './people.js';
import { unitText } from './units.js';

/** @typedef {import('./reader.js').LatexReader} Reader */

/** What commands do that are more than a sign, a heading, or nothing. @type {ReadonlyMap<string, (reader: Reader) => void>} */
export const COMMANDS = new Map(
  /** @type {Array<[string, (reader: Reader) => void]>} */ ([
    ['par', (reader) => reader.paragraph()],
    ['newline', (reader) => reader.row()],
    ['tabularnewline', (reader) => reader.row()],
    ['and', (reader) => reader.add('\n\n')],
    ['title', (reader) => named(reader, 'title')],
    ['subtitle', (reader) => named(reader, 'subtitle')],
    ['date', (reader) => named(reader, 'date')],
    ['author', author],
    ['thanks', thanks],
    ['IEEEauthorblockN', () => {}],
    ['keywords', (reader) => spoken(reader, 'Keywords: ')],
    ['frametitle', (reader) => reader.heading(reader.levels.get('subsubsection') ?? 3)],
    ['caption', caption],
    ['footnote', footnote],
    ['footnotetext', (reader) => reader.capture((text) => reader.waiting.push(noteOf(text)))],
    ['item', item],
    ['bibitem', bibitem],
    ['newblock', () => {}],
    ['url', (reader) => reader.add(reader.group())],
    ['path', (reader) => reader.add(reader.group())],
    ['href', (reader) => reader.drop(1)],
    ['verb', verb],
    ['lstinline', verb],
    ['mintinline', mintinline],
    ['SI', quantity],
    ['qty', quantity],
    ['si', (reader) => reader.add(unitText(reader.group()))],
    ['unit', (reader) => reader.add(unitText(reader.group()))],
    ['num', (reader) => reader.add(optional(reader).group())],
    ['cmidrule', (reader) => void (reader.match(/[ \t]*(?:\([^()\n]{0,20}\))?/uy) && reader.group())],
    ['multicolumn', multicolumn],
    ['multirow', multirow],
    ['newcommand', define],
    ['renewcommand', define],
    ['providecommand', define],
    ['DeclareMathOperator', define],
    ['def', defineOld],
    ['newtheorem', declareStatement],
    ['today', () => {}],
    ...PEOPLE,
  ]),
);

/** @param {Reader} reader */
function optional(reader) {
  reader.option();
  return reader;
}

/** @param {Reader} reader @param {'title' | 'subtitle' | 'date'} name */
function named(reader, name) {
  optional(reader).capture((text) => {
    reader.names[name] = text.replace(/\s+/gu, ' ').trim();
  });
}

/** Authors stand with what they belong to on the lines below their names, and with the marks of it. @param {Reader} reader */
function author(reader) {
  const isOpened = optional(reader).capture((text) => {
    reader.people.openAuthors -= 1;
    for (const name of authorsIn(text)) if (name) reader.names.authors.push(name);
  });
  if (isOpened) reader.people.openAuthors += 1;
}

/** Returns the names in a list of authors; empty ones where a name is missing. @param {string} text */
function authorsIn(text) {
  return text.split(/\n\n|,? and /u).map((one) =>
    (one.trim().split('\n', 1)[0] ?? '')
      .replace(/\^\{?[\w*†‡,]{1,9}\}?/gu, '')
      .replace(/\s+/gu, ' ')
      .trim(),
  );
}

/** Thanks tell to what an author belongs, and who paid: they stand below the authors, with the name of the one that they stand at. @param {Reader} reader */
function thanks(reader) {
  const { people } = reader;
  const { openAuthors } = people;
  const name = openAuthors > 0 ? (authorsIn(reader.text).at(-1) ?? '') : '';
  const isOpened = optional(reader).capture((text) => {
    people.openAuthors = openAuthors;
    const words = text.replace(/\s+/gu, ' ').trim();
    if (words !== '') people.thanks.push(name === '' ? words : `${name}: ${words}`);
  });
  if (isOpened) people.openAuthors = 0;
}

/** @param {Reader} reader @param {string} label */
function spoken(reader, label) {
  reader.flush();
  reader.capture((text) => reader.emit({ kind: 'prose', text: label + text.replace(/\s+/gu, ' ').trim() }));
}

/** @param {Reader} reader */
function caption(reader) {
  optional(reader);
  const float = ['figure', 'figure*', 'wrapfigure', 'subfigure'].some((name) => reader.open.get(name))
    ? 'Figure'
    : 'Table';
  reader.flush();
  reader.capture((text) => {
    const words = text.replace(/\s+/gu, ' ').trim();
    if (words !== '') reader.emit({ kind: 'prose', text: `${float}: ${words}` });
  });
}

/** @param {Reader} reader */
function footnote(reader) {
  optional(reader).capture((text) => {
    reader.notes += 1;
    const mark = `[${reader.notes}]`;
    reader.refs.push({ target: `^${reader.notes}`, mark });
    reader.waiting.push(noteOf(text, reader.notes));
    reader.add(`${/\S/u.test(reader.last) ? ' ' : ''}${mark}`);
  });
}

/** @param {string} written @param {number} [number] @returns {import('../notes/place.js').ReadPart} */
function noteOf(written, number) {
  const part = /** @type {const} */ ({ kind: 'prose', text: written.replace(/\s+/gu, ' ').trim() });
  if (number === undefined) return { part, refs: [], note: undefined };
  return { part, refs: [], note: { id: `^${number}`, isNote: true, isListed: true }, mark: `[${number}]` };
}

/** @param {Reader} reader */
function item(reader) {
  const label = reader.option();
  const list = reader.lists.at(-1);
  if (reader.captures > 0 || reader.tables.length > 0) {
    reader.add(' - ');
    return;
  }
  reader.flush();
  const words = label === undefined || reader.isInner ? '' : reader.inner(label);
  const isNumbered = list?.name.includes('enum') === true && words === '';
  const sign = isNumbered ? `${list.next++}.` : '-';
  const end = list?.name === 'description' && !/[:.?!]$/u.test(words) ? ':' : '';
  reader.mark = `${'  '.repeat(Math.min(Math.max(0, reader.lists.length - 1), 4))}${sign} ${words === '' ? '' : `${words}${end} `}`;
}

/** @param {Reader} reader */
function bibitem(reader) {
  reader.option();
  const key = reader.group();
  reader.flush();
  reader.mark = `- [${key}] `;
}

/** @param {Reader} reader */
function verb(reader) {
  reader.option();
  const { source, at } = reader;
  const sign = source[at] === '{' ? '}' : source[at];
  const line = source.slice(at + 1, at + 500).split('\n', 1)[0] ?? '';
  const end = sign === undefined ? -1 : line.indexOf(sign);
  if (end < 0) return;
  reader.take(end + 2, line.slice(0, end));
}

/** @param {Reader} reader */
function mintinline(reader) {
  optional(reader).group();
  verb(reader);
}

/** @param {Reader} reader */
function quantity(reader) {
  const number = optional(reader).group();
  const unit = unitText(optional(reader).group());
  reader.add(unit === '%' || unit === '°' ? `${number}${unit}` : `${number} ${unit}`);
}

/** @param {Reader} reader */
function multicolumn(reader) {
  const count = Number(reader.group());
  reader.group();
  const table = reader.tables.at(-1);
  if (table !== undefined && count > 1 && count <= 50) table.columns = count - 1;
}

/** @param {Reader} reader */
function multirow(reader) {
  const count = Math.abs(Number(optional(reader).group()));
  reader.option();
  reader.group();
  reader.option();
  const table = reader.tables.at(-1);
  if (table !== undefined && count > 1) table.rows = Math.min(count, 1000) - 1;
}

/** @param {Reader} reader */
function declareStatement(reader) {
  const name = reader.group();
  reader.option();
  const words = reader.group();
  reader.option();
  if (words.length <= 60) reader.statements.set(name, words);
}

/** Reads what stands behind `\cite`: the keys of what is cited. @param {Reader} reader */
export function cite(reader) {
  while (reader.option() !== undefined);
  const keys = reader
    .group()
    .split(',')
    .map((key) => key.trim())
    .join(', ');
  if (keys !== '') reader.add(`[${keys}]`);
}
