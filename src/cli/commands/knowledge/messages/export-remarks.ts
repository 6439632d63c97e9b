import { counted } from '../../../../core/wording/counted.js';
import { someOf } from '../../../../core/wording/some-of.js';
import type { LeftOut } from '../../../../ingest/chats/left-out.js';
import { yellow } from '../../../output/output.js';
import { visible } from '../../../output/visible.js';
import type { Followed } from './follow-conversations.js';
import type { LeftOutFile } from './read-below.js';

/** Conversations, or files, that a remark names. */
const NAMED = 5;

/** Says which entries of an export are no conversation that can be read, and which conversations have a new title. */
export function remarksOn(leftOut: LeftOut | undefined, renamed: Followed['renamed']): string[] {
  const remarks: string[] = [];
  if (leftOut !== undefined) {
    const { listed, entries } = leftOut;
    const are =
      entries.length === 1 ? 'is no conversation with messages and was' : 'are no conversations with messages and were';
    remarks.push(
      `${entries.length} of the ${listed} entries of the list ${are} left out: number ${visible(someOf(entries, NAMED))}.`,
    );
  }
  if (renamed.length > 0) {
    const [has, stays] =
      renamed.length === 1 ? ['has a new title and stays', 'session'] : ['have new titles and stay', 'sessions'];
    const names = renamed.map(({ title, session_id }) => `${visible(title)} in ${visible(session_id)}`);
    remarks.push(
      `${counted(renamed.length, 'conversation')} ${has} in the ${stays} of before: ${someOf(names, NAMED)}.`,
    );
  }
  return remarks;
}

/** Says which files of a directory were left out, and why; of many the first. */
export function leftOutLines(files: readonly LeftOutFile[]): string[] {
  if (files.length === 0) return [];
  const [have, were] = files.length === 1 ? ['has', 'was'] : ['have', 'were'];
  const more = files.length - NAMED;
  return [
    `${yellow('note')} ${counted(files.length, 'file')} ${have} no messages that can be read and ${were} left out:`,
    ...files.slice(0, NAMED).map(({ reason }) => `     ${visible(reason)}`),
    ...(more > 0 ? [`     ${more} more; --json lists them.`] : []),
  ];
}
