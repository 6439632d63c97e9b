import { lines } from '../lines.js';
import { placeNotes } from '../notes/place.js';
import { DEEPEST, OutlineWriter } from '../outline/writer.js';
import { MOST_ALIASES } from '../titles/aliases.js';
import { bylineParts } from '../titles/byline.js';
import { bodyOf, Notes } from './body.js';
import { aliasesIn, factsOf, readEntry } from './entry.js';
import { headlineOf, itemOf, statesOf, statusOf } from './headline.js';
import { inlineOf } from './inline.js';
import { withMacros } from './macros.js';
import { KEYWORD } from './syntax.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('../notes/place.js').ReadPart} ReadPart */

/** The lines at the beginning of a file in which its keywords stand. */
const HEAD_LINES = 500;

/**
 * Returns the title, the other names and the parts of a text of Org mode. Headlines are headings with their state, days and tags in a line below; one that holds
 * nothing is an item of the list below its headline. Comments, clocks and settings are left out; of properties those that say something are kept, of a log its notes,
 * of other drawers all lines. Macros of the file itself are written out. Code is not run, and no file is included.
 * @param {string} written
 * @returns {{ title?: string, aliases?: string[], parts: Iterable<Part> }}
 */
export function orgParts(written) {
  const text = withMacros(written);
  const head = headOf(text);
  const keyword = (/** @type {string} */ name) => head.get(name)?.join(' ').trim() ?? '';
  const title = inlineOf(keyword('title'), (label) => label).text;
  const { aliases } = readEntry(linesBefore(text));
  const names = [...aliases, ...aliasesIn(keyword('roam_aliases')), ...aliasesIn(keyword('roam_alias'))];
  const states = statesOf(['todo', 'seq_todo', 'typ_todo'].flatMap((name) => head.get(name) ?? []));
  const byline = bylineParts({
    authors: head.get('author')?.filter((one) => one !== '') ?? [],
    date: inlineOf(keyword('date'), (label) => label).text,
    tags: keyword('filetags')
      .split(/[:\s]+/u)
      .filter((tag) => tag !== ''),
    description: [keyword('subtitle'), keyword('description')].filter((one) => one !== '').join('\n'),
  });
  return {
    ...(title === '' ? {} : { title }),
    ...(names.length === 0 ? {} : { aliases: names.slice(0, MOST_ALIASES) }),
    parts: parts(text, { states, byline }),
  };
}

/** @param {string} text @param {{ states: import('./headline.js').States, byline: Part[] }} head @returns {Generator<Part>} */
function* parts(text, { states, byline }) {
  yield* byline;
  // Notes stand anywhere in the text: only one that has some lies in memory as a whole.
  const read = readParts(text, states);
  if (text.includes('[fn:')) yield* placeNotes([...read]);
  else for (const { part } of read) yield part;
}

/** @param {string} text @param {import('./headline.js').States} states @returns {Generator<ReadPart>} */
function* readParts(text, states) {
  const writer = new OutlineWriter();
  const notes = new Notes();
  /** The level of a headline that is a comment with all below it. */
  let hidden = Number.POSITIVE_INFINITY;
  for (const { headline, body, holds } of entries(text, states)) {
    if (headline === undefined) {
      yield* bodyOf(readEntry(body).content, notes);
      continue;
    }
    if (headline.level <= hidden) hidden = headline.isComment ? headline.level : Number.POSITIVE_INFINITY;
    if (headline.level >= hidden) continue;
    const level = Math.min(headline.level, DEEPEST);
    const { text: title, refs } = inlineOf(headline.title, (label, note) => notes.add(label, note));
    const { planning, facts, content } = readEntry(body);
    const below = [...bodyOf(content, notes)];
    const isLeaf = !holds && below.length === 0 && planning.length === 0 && facts.length === 0;
    const own = isLeaf ? writer.item(level, itemOf(headline, title), title) : writer.heading(level, title);
    for (const part of own) yield { part, refs, note: undefined };
    const status = isLeaf ? '' : statusOf(headline, planning);
    if (status !== '')
      yield {
        part: { kind: headline.state === undefined ? 'prose' : 'list', text: status },
        refs: [],
        note: undefined,
      };
    if (facts.length > 0) yield { part: { kind: 'prose', text: factsOf(facts) }, refs: [], note: undefined };
    yield* below;
    yield* notes.written();
  }
  yield* notes.written();
}

/**
 * Yields the text before the first headline, and each headline with the lines below it and whether another one lies below it.
 * @param {string} text @param {import('./headline.js').States} states
 * @returns {Generator<{ headline?: import('./headline.js').Headline, body: string[], holds: boolean }>}
 */
function* entries(text, states) {
  /** @type {import('./headline.js').Headline | undefined} */
  let headline;
  /** @type {string[]} */
  let body = [];
  for (const line of lines(text)) {
    const next = line.startsWith('*') ? headlineOf(line, states) : undefined;
    if (next === undefined) body.push(line);
    else {
      yield { ...(headline === undefined ? {} : { headline }), body, holds: next.level > (headline?.level ?? 0) };
      headline = next;
      body = [];
    }
  }
  yield { ...(headline === undefined ? {} : { headline }), body, holds: false };
}

/** Returns the keywords before the first headline, by their names in lower case. @param {string} text */
function headOf(text) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const line of linesBefore(text)) {
    const keyword = KEYWORD.exec(line);
    if (keyword === null) continue;
    const name = keyword[1].toLowerCase();
    found.set(name, [...(found.get(name) ?? []), keyword[2].trim()].slice(0, MOST_ALIASES));
  }
  return found;
}

/** Returns the lines before the first headline. @param {string} text */
function linesBefore(text) {
  const found = [];
  for (const line of lines(text)) {
    if (/^\*+[ \t]/u.test(line) || found.length === HEAD_LINES) break;
    found.push(line);
  }
  return found;
}
