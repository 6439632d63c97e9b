import { normalise } from '../../core/text/fold.js';

/** Control and format characters, among them those that reorder or hide text: none belongs into a rule. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/**
 * Returns a text on one line: NFC, white space collapsed, and without control, bidirectional and zero-width characters,
 * so that no rule can break out of its line or hide what it says.
 */
export function oneLine(text: string): string {
  return normalise(text, 'NFC').replace(/\s+/gu, ' ').replace(HIDDEN, '').trim();
}

/** Characters that mean something to a Markdown reader. */
const MARKED = /[\\`*_{}[\]<>#|!~&$]/g;

/** Returns a text on one line in which Markdown reads every character as itself: no heading, link, image, HTML or fence. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(MARKED, (c) => `\\${c}`)
    .replace(/^(\d+)([.)])(?= |$)/, '$1\\$2')
    .replace(/^([-+=:])/, '\\$1')
    .replace(/\b(https?|ftp|mailto|javascript|data):/gi, '$1\\:');
}
