import type { GraphNode, MessageFields } from '../../core/model.js';
import { monthNames } from '../conversation/date-words.js';

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
