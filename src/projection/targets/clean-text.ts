import { normalise } from '../../core/text/fold.js';

/** Control and format characters, among them those that reorder or hide text: none belongs into a rule. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/**
 * Returns a text on one line: NFC, white space collapsed, and without control, bidirectional and zero-width characters,
 * so that no rule can break out of its line or hide what it says.
 */
export function oneLine(text: string): string {
  const visible = text.replace(/\s+/gu, ' ').replace(HIDDEN, '');
  // What was hidden may have stood between two spaces, or between a letter and its accent.
  return normalise(visible, 'NFC').replace(/ +/g, ' ').trim();
}

/** Characters that mean something to a Markdown reader wherever they stand. */
const MARKED = /[\\`*{}[\]<|~$]/g;
/** Underscores within a word, and an ampersand that begins no entity, mean nothing: SVC_STORE stays readable as it is. */
const UNDERSCORES = /_+/g;
const OF_WORD = /^[\p{L}\p{N}]$/u;
const ENTITY = /&(?=#?[a-z0-9]+;)/gi;
/** What begins a block, or ends a heading. */
const AT_THE_EDGE = /^[-+=:#>]|(?<=\s)#+$/g;

/**
 * Returns a text on one line in which Markdown reads every character as itself: no heading, link, image, HTML or fence.
 * Only what a reader would act upon has a backslash, for agents read the file as it is.
 */
export function markdownText(text: string): string {
  const escaped = (found: string) => found.replace(/^[^_]|_/g, '\\$&');
  return oneLine(text)
    .replace(MARKED, escaped)
    .replace(UNDERSCORES, (run, at, whole) => (isWithinWord(whole, at, at + run.length) ? run : escaped(run)))
    .replace(ENTITY, escaped)
    .replace(AT_THE_EDGE, escaped)
    .replace(/^(\d+)([.)])(?= |$)/, '$1\\$2')
    .replace(/\b(https?|ftp|mailto|javascript|data):/gi, '$1\\:');
}

/** Returns whether letters or digits stand on both sides of what is between two places. */
function isWithinWord(text: string, from: number, to: number): boolean {
  const before = [...text.slice(Math.max(0, from - 2), from)].at(-1) ?? '';
  const [after = ''] = text.slice(to, to + 2);
  return OF_WORD.test(before) && OF_WORD.test(after);
}
