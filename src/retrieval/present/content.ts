import type { GraphNode, MessageFields } from '../../core/model.js';
import { excerptStart } from '../../core/wording/excerpt.js';
import { isLowSurrogate, withoutHalf } from '../../core/wording/whole-characters.js';
import { monthNames } from '../dates/date-words.js';

const MONTHS = monthNames('english');

/** Returns "Name: Description", or the one of both that there is; a message as "Ada, 8 May 2023: text". */
export function contentOf({ name, description, passage }: Pick<GraphNode, 'name' | 'description' | 'passage'>): string {
  const message = passage?.message;
  if (message !== undefined) {
    const head = whoAndWhen(message);
    return head === '' ? description : `${head}: ${description}`;
  }
  if (description === '') return name;
  return name === '' ? description : `${name}: ${description}`;
}

/** Characters of a text that stand for its title. */
const FIRST_WORDS = 80;

/** Returns what names an item to a reader: its name, of a message who said it when, else the first words of its text. */
export function readableName({
  name,
  description,
  passage,
}: Pick<GraphNode, 'name' | 'description'> & {
  readonly passage?: { readonly message?: Pick<MessageFields, 'speaker' | 'timestamp'> };
}): string {
  if (name !== '') return name;
  const message = passage?.message;
  return (message === undefined ? '' : whoAndWhen(message)) || firstWords(description);
}

/** Returns the first words of a text on one line; the last is whole. */
function firstWords(text: string): string {
  const line = text
    .trim()
    .slice(0, FIRST_WORDS + 1)
    .replace(/\s+/gu, ' ');
  if (text.trim().length <= FIRST_WORDS) return line;
  const end = line.lastIndexOf(' ');
  return withoutHalf(line.slice(0, end > FIRST_WORDS / 2 ? end : FIRST_WORDS)).trimEnd();
}

/** Characters of a description that an answer shows: one item is not to fill the context of a model. */
const SHOWN = 4000;

/** Where the part of a description that is shown begins and ends, and how long all of it is. */
export interface Excerpt {
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

/** Returns the content of an item; of a long description the part that holds most of these words, and where it stands. */
export function shownContent(
  node: Parameters<typeof contentOf>[0],
  terms: readonly string[],
): { readonly content: string; readonly excerpt?: Excerpt } {
  const { description, ...excerpt } = shownDescription(node.description, terms);
  return { content: contentOf({ ...node, description }), ...excerpt };
}

/** Returns a description; of a long one the part that holds most of these words, and where it stands. */
export function shownDescription(
  description: string,
  terms: readonly string[] = [],
): { readonly description: string; readonly excerpt?: Excerpt } {
  const { length } = description;
  if (length <= SHOWN) return { description };
  const wanted = Math.min(excerptStart(description, terms, SHOWN), length - SHOWN);
  // No character of two units is divided.
  const start = isLowSurrogate(description, wanted) ? wanted + 1 : wanted;
  const part = withoutHalf(description.slice(start, start + SHOWN));
  const end = start + part.length;
  const shown = `${start === 0 ? '' : '…'}${part}${end === length ? '' : '…'}`;
  return { description: shown, excerpt: { start, end, length } };
}

/** Returns who says a message and on which day, "Ada, 8 May 2023", as far as both are known. */
export function whoAndWhen({ speaker, timestamp }: Pick<MessageFields, 'speaker' | 'timestamp'>): string {
  return [speaker, dateOf(timestamp)].filter((part) => part !== undefined && part !== '').join(', ');
}

/** Returns the day of an ISO 8601 time as written in it, "8 May 2023"; undefined where there is none. */
function dateOf(timestamp: string | undefined): string | undefined {
  const written = /^(\d{4})-(\d{2})-(\d{2})/u.exec(timestamp ?? '');
  if (written !== null) return `${Number(written[3])} ${MONTHS[Number(written[2]) - 1]} ${written[1]}`;
  const time = Date.parse(timestamp ?? '');
  if (Number.isNaN(time)) return undefined;
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
