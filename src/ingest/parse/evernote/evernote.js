import { addressFact, entryParts } from '../feeds/entry.js';
import { contentOf, XmlRecords } from '../xml/records.js';
import { elementAt, elementsOf, textIn } from '../xml/tree.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */

const NAMES = { records: new Set(['note']), leftOut: new Set(['data', 'recognition', 'alternate-data']) };
const ENCRYPTED = '(encrypted, left out)';
const CUT = 'It ends before its end (</en-export>), as a file that was not saved whole; what stands before was read.';

/**
 * Returns the notes of an export of Evernote: each a section below its title, with its text, tasks, tags and days; no attached files, and no encrypted parts. Throws `LimitExceeded`.
 * @param {string} text
 * @returns {{ notice?: string, parts: Iterable<Part> }}
 */
export function evernoteParts(text) {
  const isWhole = /<\/en-export\s*>\s*$/u.test(text.slice(-200));
  return { ...(isWhole ? {} : { notice: CUT }), parts: partsOf(text) };
}

/** @param {string} text @returns {Generator<Part>} */
function* partsOf(text) {
  for (const note of new XmlRecords(NAMES).read(text)) yield* noteParts(note);
}

/** @param {XmlElement} note @returns {Generator<Part>} */
function* noteParts(note) {
  const attributes = elementAt(note, 'note-attributes');
  const content = elementAt(note, 'content');
  const created = dayOf(textIn(elementAt(note, 'created')));
  const updated = dayOf(textIn(elementAt(note, 'updated')));
  yield* entryParts({
    title: textIn(elementAt(note, 'title')) || 'Untitled note',
    html: content?.attributes.encoding === undefined ? withoutMarks(contentOf(content)) : ENCRYPTED,
    items: elementsOf(note, 'task').map(taskOf),
    facts: [
      ['tags', elementsOf(note, 'tag').map(textIn).filter(Boolean).join(', ')],
      ['created', created],
      ['edited', updated === created ? '' : updated],
      ['author', textIn(elementAt(attributes, 'author'))],
      ['reminder', dayOf(textIn(elementAt(attributes, 'reminder-time')))],
      addressFact(textIn(elementAt(attributes, 'source-url'))),
    ],
  });
}

/** Returns a task as a list of Markdown has it. @param {XmlElement} task */
function taskOf(task) {
  const due = dayOf(textIn(elementAt(task, 'dueDate')));
  const sign = textIn(elementAt(task, 'taskStatus')) === 'completed' ? 'x' : ' ';
  return `[${sign}] ${textIn(elementAt(task, 'title'))}${due === '' ? '' : `, due ${due}`}`;
}

/** Returns the day of "20250103T101112Z"; empty for another text. @param {string} written */
function dayOf(written) {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)T/u.exec(written) ?? [];
  return year === undefined ? '' : `${year}-${month}-${day}`;
}

/** Returns the text of a note with boxes in the place of its marks of tasks, and without encrypted parts and attached files. @param {string} content */
function withoutMarks(content) {
  const open = withoutEncrypted(content);
  return open.replace(/<(en-todo|en-media|li)\b([^<>]*)>/giu, (written, name, attributes) => {
    const lower = name.toLowerCase();
    if (lower === 'en-media') return ' ';
    if (lower === 'en-todo') return `- [${/checked\s*=\s*["']true/iu.test(attributes) ? 'x' : ' '}] `;
    const checked = /--en-checked:\s*(true|false)/iu.exec(attributes)?.[1];
    return checked === undefined ? written : `${written}[${checked.toLowerCase() === 'true' ? 'x' : ' '}] `;
  });
}

/** @param {string} content */
function withoutEncrypted(content) {
  const [first = '', ...others] = content.split(/<en-crypt\b/iu);
  return [first, ...others.map((piece) => ENCRYPTED + (piece.split(/<\/en-crypt\s*>/iu)[1] ?? ''))].join('');
}
