import { SYMBOLS } from '../latex/symbols.js';
import { dayText, STAMP } from './stamps.js';

/** Before and behind which signs a mark may stand. */
const BEFORE = '(?<![^\\s\\-(\'"{|])';
const BEHIND = '(?![^\\s\\-.,;:!?\'")}\\[|\\\\])';
/** Text between two marks: it ends within so many characters, lest a text of marks without ends takes long. */
const between = (/** @type {string} */ sign, /** @type {string} */ name) =>
  `${BEFORE}${sign}(?<${name}>[^\\s${sign}](?:[^${sign}]{0,300}?[^\\s${sign}])?)${sign}${BEHIND}`;

const MARKS = new RegExp(
  [
    '\\[\\[(?<target>[^\\[\\]]{1,1000})\\](?:\\[(?<words>[^\\[\\]]{1,1000})\\])?\\]',
    '\\[fn:(?<label>[\\w-]{0,60})(?::(?<note>[^\\[\\]]{1,3000}))?\\]',
    '\\[cite[^:\\]]{0,20}:(?<cited>[^\\]]{1,300})\\]',
    `(?<stamp>${STAMP.source})`,
    between('=', 'verbatim'),
    between('~', 'code'),
    '(?<!\\w)src_[\\w-]{1,30}(?:\\[[^\\]]{0,200}\\])?\\{(?<source>[^{}]{0,500})\\}',
    '(?<dropped>@@\\w{1,20}:.{0,300}?@@|(?<!<)<<[^<>\\n]{1,200}>>(?!>)|\\\\\\\\(?=\\n|$))',
    '<<<(?<radio>[^<>\\n]{1,200})>>>',
    '\\{\\{\\{\\w{1,40}\\((?<macro>[^{}]{0,300})\\)\\}\\}\\}',
    '\\\\(?<entity>[A-Za-z]{1,30})(?![A-Za-z])(?:\\{\\})?',
    '(?<=[\\p{L}\\p{N})])(?<script>[_^])\\{(?<scripted>[^{}]{1,100})\\}',
  ].join('|'),
  'gu',
);
/** Marks that may stand about others: emphasis. */
const EMPHASIS = ['\\*', '/', '_', '\\+'].map((sign) => new RegExp(between(sign, 'text'), 'gu'));

const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|pdf)$/iu;

/** @typedef {import('../notes/marks.js').NoteRef} NoteRef */

/** Signs that stand for a text that has no marks while emphasis is read. No document holds them. */
const HOLD = '\u0001';
const HELD = /\u0001(\d+)\u0001/gu;

/**
 * Returns a text of Org as people read it, the words of its links, and the marks of its notes. Notes within the text are given to `addNote`, which returns their label.
 * @param {string} written
 * @param {(label: string, note: string | undefined) => string} addNote
 * @returns {{ text: string, links: string[], refs: NoteRef[] }}
 */
export function inlineOf(written, addNote) {
  /** @type {string[]} */
  const links = [];
  /** @type {NoteRef[]} */
  const refs = [];
  /** @type {string[]} */
  const kept = [];
  const hold = (/** @type {string} */ text) => `${HOLD}${kept.push(text) - 1}${HOLD}`;
  const bare = written.replaceAll(HOLD, '');
  let text = bare.replace(MARKS, (all, ...found) => {
    const [at, , groups] = found.slice(-3);
    if (groups.target !== undefined) {
      const words = linkWords(groups.target, groups.words);
      if (words !== '') links.push(words);
      return groups.words === undefined ? hold(words) : words;
    }
    if (groups.label !== undefined) {
      const label = addNote(groups.label, groups.note);
      refs.push({ target: `^${label}`, mark: `[${label}]` });
      return /\s/u.test(bare[at - 1] ?? ' ') ? `[${label}]` : ` [${label}]`;
    }
    if (groups.cited !== undefined) return `[${groups.cited.replace(/[@&]/gu, '').trim()}]`;
    if (groups.stamp !== undefined) return dayText(groups.stamp);
    if (groups.entity !== undefined) return SYMBOLS.get(groups.entity) ?? all;
    if (groups.script !== undefined) return `${groups.script}${groups.scripted}`;
    const held = groups.verbatim ?? groups.code ?? groups.source;
    return held === undefined ? (groups.radio ?? groups.macro ?? '') : hold(held);
  });
  for (const pattern of EMPHASIS) text = text.replace(pattern, '$<text>');
  return { text: text.replace(HELD, (_, i) => kept[Number(i)] ?? ''), links, refs };
}

/** Returns what a link shows; nothing for a picture, or the number of an entry. @param {string} target @param {string | undefined} words */
function linkWords(target, words) {
  if (words !== undefined) {
    const isPicture = PICTURE.test(words) && /^(?:file:|\.{0,2}\/)/u.test(words);
    return isPicture ? '' : words;
  }
  if (/^(?:id|attachment|roam):/u.test(target) || (PICTURE.test(target) && !/^https?:/u.test(target))) return '';
  return target.replace(/^file(?:\+\w+)?:/u, '').replace(/^[*#]|::.*$/gsu, '');
}
