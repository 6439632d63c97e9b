/** @typedef {import('./reader.js').LatexReader} Reader */

/** Characters that the commands of a document may stand for altogether, and one of them. */
const MOST_EXPANDED = 2_000_000;
const LONGEST_EXPANSION = 2000;

/** Writes what a command of the document stands for, with its arguments. @param {Reader} reader @param {import('./reader.js').Macro} macro */
export function expand(reader, { text, count }) {
  const give = (/** @type {string} */ expanded) => {
    reader.expanded += expanded.length;
    if (reader.expanded <= MOST_EXPANDED && expanded.length <= LONGEST_EXPANSION) reader.add(expanded);
  };
  /** @type {string[]} */
  const given = [];
  const next = () => {
    if (given.length < count && reader.source[reader.at] === '{')
      reader.capture((one) => {
        given.push(one);
        next();
      });
    else if (text.length + given.join('').length > LONGEST_EXPANSION) reader.add(given.join(' '));
    else give(text.replace(/#(\d)/gu, (_, i) => given[Number(i) - 1] ?? ''));
  };
  if (count > 0) reader.option();
  next();
}

/** `\newcommand{\name}[2][default]{body}`. @param {Reader} reader */
export function define(reader) {
  const name = commandName(reader);
  const count = Number(reader.option() ?? 0);
  reader.option();
  keep(reader, name, count);
}

/** `\def\name#1{body}`. @param {Reader} reader */
export function defineOld(reader) {
  const name = commandName(reader);
  const parameters = /^[^{}\n]{0,50}/u.exec(reader.source.slice(reader.at, reader.at + 60))?.[0] ?? '';
  reader.at += parameters.length;
  keep(reader, name, parameters.split('#').length - 1);
}

/** @param {Reader} reader */
function commandName(reader) {
  const bare = reader.match(/\s{0,9}\\([A-Za-z@]+)/uy)?.[1];
  return (
    bare ??
    reader
      .group()
      .replace(/^\s*\\/u, '')
      .trim()
  );
}

/** @param {Reader} reader @param {string} name @param {number} count */
function keep(reader, name, count) {
  const body = reader.group();
  if (reader.isInner || !/^[A-Za-z@]+$/u.test(name) || body.length > LONGEST_EXPANSION || !(count >= 0 && count <= 9))
    return;
  reader.macros.set(name, { text: reader.inner(body), count });
}
