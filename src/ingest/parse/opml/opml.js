import { Parser } from 'htmlparser2';
import { addressOf } from '../html/address.js';
import { plainWords } from '../html/words.js';
import { LIMITS, LimitExceeded } from '../limits.js';
import { OutlineWriter } from '../outline/writer.js';
import { bylineParts } from '../titles/byline.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {{ level: number, attributes: Record<string, string>, holds: boolean }} Line A line of an outline; `holds`: others lie below it. */

const CUT = 'It ends before its end (</opml>), as a file that was not saved whole; what stands before was read.';

/**
 * Returns the title and the parts of an outline: lines that hold others are headings, the others list items with their notes. A feed is a passage with its addresses (no
 * password, token or signature in them), below its folders. Entities that a file declares itself stay as they are written. Throws `LimitExceeded` where lines are too many, or nested too deep.
 * @param {string} text
 * @returns {{ title?: string, notice?: string, parts: Iterable<Part> }}
 */
export function opmlParts(text) {
  const { head, lines, isWhole } = read(text);
  const title = plainWords(head.get('title') ?? '');
  const owner = plainWords(head.get('ownername') ?? '');
  return {
    ...(title === '' ? {} : { title }),
    ...(isWhole || lines.length === 0 ? {} : { notice: CUT }),
    parts: parts(lines, bylineParts({ authors: owner === '' ? [] : [owner] })),
  };
}

/** @param {string} text */
function read(text) {
  /** @type {Map<string, string>} */
  const head = new Map();
  /** @type {Line[]} */
  const lines = [];
  /** @type {Line[]} */
  const open = [];
  let name = '';
  let depth = 0;
  let isWhole = false;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1;
        check(lines.length, depth);
        name = tag.toLowerCase();
        if (name !== 'outline') return;
        const holder = open.at(-1);
        if (holder !== undefined) holder.holds = true;
        const line = { level: open.length + 1, attributes, holds: false };
        lines.push(line);
        open.push(line);
      },
      ontext(value) {
        if (lines.length === 0 && name !== '') head.set(name, ((head.get(name) ?? '') + value).slice(0, 1000));
      },
      onclosetag(tag, isImplied) {
        depth -= 1;
        name = '';
        if (tag.toLowerCase() === 'outline') open.pop();
        if (tag.toLowerCase() === 'opml') isWhole = !isImplied;
      },
    },
    { xmlMode: true },
  );
  parser.write(text);
  parser.end();
  return { head, lines, isWhole };
}

/** @param {number} count @param {number} depth */
function check(count, depth) {
  if (count > LIMITS.elements)
    throw new LimitExceeded('elements', `holds more than ${LIMITS.elements} lines; split it`);
  if (depth > LIMITS.depth) throw new LimitExceeded('depth', `nests lines deeper than ${LIMITS.depth}; simplify it`);
}

/** @param {Line[]} lines @param {Part[]} byline @returns {Generator<Part>} */
function* parts(lines, byline) {
  yield* byline;
  const writer = new OutlineWriter();
  for (const { level, attributes, holds } of lines) {
    const about = lineOf(attributes);
    if (about.addresses.length > 0) yield* feed(writer, about, level);
    else if (about.text === '') continue;
    else if (holds) yield* writer.heading(level, about.text);
    else yield* writer.item(level, `- ${about.box}${about.text}`, about.text);
    if (about.addresses.length === 0) for (const note of about.notes) yield { kind: 'prose', text: note };
  }
}

/** @typedef {{ text: string, box: string, addresses: string[], notes: string[] }} About */

/** Yields a feed, or a link, as a passage of its own. @param {OutlineWriter} writer @param {About} about @param {number} level @returns {Generator<Part>} */
function* feed(writer, { text, addresses, notes }, level) {
  const written = [text, ...addresses, ...notes].filter((one) => one !== '').join('\n');
  for (const part of writer.item(level, written, text))
    yield part.kind === 'heading' ? part : { kind: 'prose', text: written, opens: true };
}

/** @param {Record<string, string>} written @returns {About} */
function lineOf(written) {
  const given = Object.fromEntries(Object.entries(written).map(([name, value]) => [name.toLowerCase(), value]));
  const [xml, html, url] = ['xmlurl', 'htmlurl', 'url'].map((name) => addressOf(given[name]));
  const addresses = [xml && `feed: ${xml}`, html && `site: ${html}`, url].filter((one) => one !== '');
  const isDone = [given._complete, given.complete, given._status, given.ischecked].some((one) =>
    /^(?:true|checked|1)$/u.test(one ?? ''),
  );
  const isTask = isDone || [given.checkbox, given._task].includes('true') || given._status === 'unchecked';
  const text = plainWords(given.text ?? '') || plainWords(given.title ?? '');
  const description = plainWords(given.description ?? '');
  const tags = plainWords(given.category ?? '').replace(/^\/|(?<=,\s{0,3})\//gu, '');
  const notes = [given._note, given.note].map((one) => plainWords(one ?? ''));
  return {
    text,
    box: isTask ? `[${isDone ? 'x' : ' '}] ` : '',
    addresses,
    notes: [...notes, description === text ? '' : description, tags && `tags: ${tags}`].filter((one) => one !== ''),
  };
}
