import { BrokenRecord } from '../table/record-table.js';
import { cuesOf } from './cues.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./cues.js').Cue} Cue */
/** A line of somebody, with the second at which it is said and at which it ends. @typedef {{ speaker: string, text: string, start: number, end: number }} Spoken */

/** Who says a line, as many programs write it: "Ada Lovelace: …". */
const LABEL = /^(\p{L}[\p{L}\p{N}.'’()& -]{0,48}):\s+(?=\S)/u;
const MOST_WORDS = 5;
/** Lines that a name stands before, at least: "Remember: …" is none. */
const FEWEST_LINES = 2;
const ENDS = /[.!?…。！？]["'”’»)]?$/u;
/** Characters from which a paragraph ends with a sentence, and from which it ends anyway. */
const LONG = 400;
const LONGEST = 900;
/** Silence that ends a paragraph, and the time that passes until the next paragraph has its own again. In seconds. */
const PAUSE = 4;
const SPARSE = 60;
/** Captions that follow one another sooner may repeat what still stands above them. In seconds. */
const ROLLING = 1;
const LONGEST_TITLE = 80;

/**
 * Returns captions as the text that is said, in paragraphs: "[12:30] Ada Lovelace: We sign in May." What one person says stands together, with the time once a minute. Lines that captions
 * repeat while they roll are there once. Throws `BrokenRecord` for a text without captions.
 * @param {string} text
 * @returns {{ title?: string, parts: Iterable<Part> }}
 */
export function captionParts(text) {
  const cues = [...cuesOf(text)];
  if (cues.length === 0)
    throw new BrokenRecord(
      'holds no captions: no line with times such as "00:01:02.000 --> 00:01:04.000"; save it anew',
    );
  const title = /^WEBVTT[ \t]+(?:[-–—][ \t]*)?(\S[^\n]*)/u.exec(text)?.[1]?.trim() ?? '';
  const isTitle = title.length <= LONGEST_TITLE && /\p{L}{2}/u.test(title) && !/generated|^\w+:/iu.test(title);
  return { ...(title !== '' && isTitle ? { title } : {}), parts: paragraphsOf(withSpeakers([...linesOf(cues)])) };
}

/** Yields the lines of cues, without what a cue repeats of the one before it. @param {Cue[]} cues @returns {Generator<Spoken>} */
function* linesOf(cues) {
  /** @type {Cue | undefined} */
  let before;
  /** The last line, until it is known that the next one does not go on with it. @type {Spoken | undefined} */
  let last;
  for (const cue of cues) {
    // An empty caption between two others hides nothing.
    if (cue.lines.length === 0) continue;
    const isNear = before !== undefined && cue.start - before.end < ROLLING;
    const repeated = isNear && before !== undefined ? repeatedOf(before, cue) : 0;
    for (const { speaker, text } of cue.lines.slice(repeated)) {
      const grows = isNear && last !== undefined && last.speaker === speaker && text.startsWith(`${last.text} `);
      if (grows && last !== undefined) last = { ...last, text, end: cue.end };
      else {
        if (last !== undefined) yield last;
        last = { speaker, text, start: cue.start, end: cue.end };
      }
    }
    before = cue;
  }
  if (last !== undefined) yield last;
}

/** Returns how many lines of a cue are the last ones of the cue before it. @param {Cue} before @param {Cue} cue */
function repeatedOf({ lines: above }, { lines: own }) {
  for (let count = Math.min(above.length, own.length, 4); count > 0; count -= 1) {
    const rest = above.slice(-count);
    if (rest.every(({ speaker, text }, i) => text === own[i]?.text && speaker === own[i]?.speaker)) return count;
  }
  return 0;
}

/** Returns lines with the names that stand before them as who says them. @param {Spoken[]} spoken @returns {Spoken[]} */
function withSpeakers(spoken) {
  const labels = spoken.map(({ speaker, text }) => (speaker === '' ? labelOf(text) : ''));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const label of labels) if (label !== '') counts.set(label, (counts.get(label) ?? 0) + 1);
  let current = '';
  return spoken.map((line, i) => {
    const label = labels[i] ?? '';
    if (line.speaker !== '') current = '';
    if (label === '' || (counts.get(label) ?? 0) < FEWEST_LINES)
      return line.speaker === '' ? { ...line, speaker: current } : line;
    current = label;
    return { ...line, speaker: label, text: line.text.replace(LABEL, '') };
  });
}

/** @param {string} text */
function labelOf(text) {
  const label = LABEL.exec(text)?.[1]?.trim() ?? '';
  return label.split(' ').length <= MOST_WORDS ? label : '';
}

/** Yields paragraphs of what one person says. @param {Spoken[]} spoken @returns {Generator<Part>} */
function* paragraphsOf(spoken) {
  /** @type {Spoken | undefined} */
  let open;
  let shown = Number.NEGATIVE_INFINITY;
  const paragraph = (/** @type {Spoken} */ { speaker, text, start }) => {
    const isShown = start - shown >= SPARSE;
    if (isShown) shown = start;
    const said = speaker === '' ? text : `${speaker}: ${text}`;
    return /** @type {Part} */ ({ kind: 'prose', text: isShown ? `[${clockOf(start)}] ${said}` : said });
  };
  for (const line of spoken) {
    if (open !== undefined && open.speaker === line.speaker && !isEnded(open, line)) {
      open = { ...open, text: `${open.text} ${line.text}`, end: line.end };
      continue;
    }
    if (open !== undefined) yield paragraph(open);
    open = line;
  }
  if (open !== undefined) yield paragraph(open);
}

/** @param {Spoken} open @param {Spoken} next */
function isEnded({ text, end }, { start }) {
  return text.length >= LONGEST || (ENDS.test(text) && (text.length >= LONG || start - end >= PAUSE));
}

/** @param {number} seconds */
function clockOf(seconds) {
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
