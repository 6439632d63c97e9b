import { FORMULAS, LISTS, SILENT, STATEMENTS, TABLES, VERBATIM, WITH_ARGUMENTS } from './names.js';
import { OpenTable } from './table.js';

/** @typedef {import('./reader.js').LatexReader} Reader */

/** Characters of a formula that stands apart. */
const LONGEST_FORMULA = 10_000;

/** Reads what stands behind `\begin`. @param {Reader} reader */
export function beginEnvironment(reader) {
  const name = reader.group();
  if (name === 'document') startAnew(reader);
  else if (VERBATIM.has(name) || SILENT.has(name) || FORMULAS.has(name)) untouched(reader, name);
  else {
    const end = opened(reader, name);
    reader.push({ kind: 'environment', name, ...(end === undefined ? {} : { end }) });
    reader.open.set(name, (reader.open.get(name) ?? 0) + 1);
    if (name === 'frame' && reader.source[reader.at] === '{') reader.heading(reader.levels.get('subsubsection') ?? 3);
  }
}

/** What stands before the document itself sets it up. @param {Reader} reader */
function startAnew(reader) {
  Object.assign(reader, {
    parts: [],
    text: '',
    stack: [],
    holders: [],
    captures: 0,
    lists: [],
    tables: [],
    mark: '',
    refs: [],
    placed: 0,
    waiting: [],
  });
  reader.open.clear();
  reader.people.openAuthors = 0;
}

/** @param {Reader} reader @param {string} name */
function untouched(reader, name) {
  const close = `\\end{${name}}`;
  const end = reader.next(close);
  const written = reader.source.slice(reader.at, end);
  reader.at = Math.min(reader.source.length, end + close.length);
  if (FORMULAS.has(name)) reader.addFormula(written.slice(0, LONGEST_FORMULA), true);
  else if (VERBATIM.has(name)) {
    reader.flush();
    const caption = /^\[[^\n]{0,300}?\bcaption=\{?([^{}\n,\]]{1,300})/u.exec(written)?.[1];
    if (caption !== undefined) reader.emit({ kind: 'prose', text: `Listing: ${caption.trim()}` });
    const code = written.replace(/^(?:\[[^\]\n]{0,500}\])?(?:\{[^}\n]{0,50}\})?[ \t]*\n/u, '').trimEnd();
    if (code.trim() !== '') reader.emit({ kind: 'code', text: code });
  }
}

/** Begins an environment, and returns what its end does. @param {Reader} reader @param {string} name @returns {(() => void) | undefined} */
function opened(reader, name) {
  const columns = TABLES.get(name);
  if (columns !== undefined) {
    reader.drop(columns);
    return beginTable(reader);
  }
  const title = reader.option();
  if (LISTS.has(name)) {
    reader.flush();
    reader.lists.push({ name, next: 1 });
    return () => {
      reader.flush();
      reader.lists.pop();
      reader.mark = '';
    };
  }
  reader.drop(WITH_ARGUMENTS.get(name) ?? 0);
  reader.flush();
  if (name === 'letter') reader.emit({ kind: 'prose', text: reader.people.address });
  const heading = name === 'abstract' ? 'Abstract' : name === 'thebibliography' ? 'References' : '';
  if (heading !== '' && reader.captures === 0) reader.emit({ kind: 'heading', level: 1, text: heading });
  const statement = reader.statements.get(name) ?? STATEMENTS.get(name.replace('*', ''));
  if (statement !== undefined)
    reader.add(`${statement}${title === undefined || reader.isInner ? '' : ` (${reader.inner(title)})`}. `);
  return () => reader.flush();
}

/** @param {Reader} reader */
function beginTable(reader) {
  reader.flush();
  reader.tables.push(new OpenTable(reader.captures));
  return () => {
    if (reader.tables.length === 1) reader.row();
    reader.tables.pop();
  };
}

/** Reads what stands behind `\end`. @param {Reader} reader */
export function endEnvironment(reader) {
  const name = reader.group();
  if (name === 'document') reader.at = reader.source.length;
  if (!reader.open.get(name)) return;
  while (reader.stack.length > 0 && reader.stack.at(-1)?.name !== name) reader.pop();
  reader.pop();
}
