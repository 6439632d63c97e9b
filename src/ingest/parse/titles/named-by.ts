import type { ParseJob } from '../worker/parser-process.js';

/** Types of which what they hold stands below the name of their file. */
export const BELOW_NAME: ReadonlySet<ParseJob['type']> = new Set([
  'csv',
  'json',
  'jsonl',
  'yaml',
  'spreadsheet',
  'calendar',
  'contacts',
  'canvas',
  'literature',
  'evernote',
  'feed',
  'code',
]);
/** Types whose title stands apart from their text. */
export const TITLED: ReadonlySet<ParseJob['type']> = new Set(['html', 'markdown', 'org', 'asciidoc', 'latex', 'opml']);
/** Types of texts that people write by hand: one without a word is an empty file. */
export const WRITTEN: ReadonlySet<ParseJob['type']> = new Set([
  'text',
  'rst',
  'markdown',
  'org',
  'asciidoc',
  'latex',
  'yaml',
  'code',
]);
/** Types of files that programs make before anything is in them; one that holds more than its text has a notice. */
export const FILLED_LATER: ReadonlySet<ParseJob['type']> = new Set([
  'spreadsheet',
  'canvas',
  'opml',
  'literature',
  'evernote',
  'feed',
]);
