import { cleanText } from '../../../core/text/clean.js';
import { masked } from '../../../core/wording/secrets.js';
import { paragraphs } from '../plain-text.js';
import { isRecord, recordsIn } from './record-table.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {{ isTrashed: boolean, title?: unknown, textContent?: unknown, listContent?: unknown, labels?: unknown, userEditedTimestampUsec: unknown }} KeepNote */

/** Returns whether an object of JSON is a note as Google Keep exports it. @param {unknown} object @returns {object is KeepNote} */
export function isKeepNote(object) {
  if (!isRecord(object) || typeof object.isTrashed !== 'boolean') return false;
  const hasText = typeof object.textContent === 'string' || Array.isArray(object.listContent);
  return hasText && object.userEditedTimestampUsec !== undefined;
}

/**
 * Returns the title and the parts of such a note: its lines, the items of its list with their boxes, its labels and the day of its last change.
 * @param {KeepNote} note
 * @returns {{ title?: string, parts: Part[] }}
 */
export function keepNote({ title, textContent, listContent, labels, userEditedTimestampUsec: edited }) {
  /** @type {Part[]} */
  const parts = [];
  for (const lines of paragraphs(textOf(textContent))) parts.push({ kind: 'prose', text: lines.join('\n') });
  for (const { text, isChecked } of recordsIn(listContent))
    parts.push({ kind: 'list', text: `- [${isChecked === true ? 'x' : ' '}] ${textOf(text)}` });
  const names = recordsIn(labels).map(({ name }) => textOf(name));
  const day = dayOf(Number(edited));
  const about = [
    ...(names.length > 0 ? [`labels: ${names.join(', ')}`] : []),
    ...(day === '' ? [] : [`edited: ${day}`]),
  ];
  if (parts.length > 0 && about.length > 0) parts.push({ kind: 'prose', text: `${about.join('; ')}.` });
  const named = textOf(title).trim();
  return named === '' ? { parts } : { title: named, parts };
}

/** @param {unknown} written */
function textOf(written) {
  return typeof written === 'string' ? masked(cleanText(written)) : '';
}

/** @param {number} microseconds */
function dayOf(microseconds) {
  const date = new Date(microseconds / 1000);
  return microseconds > 0 && !Number.isNaN(date.getTime()) ? date.toISOString().slice(0, 10) : '';
}
