import { useState } from 'preact/hooks';
import { remove, send } from '../../shared/api.js';
import { useAttempt } from '../../shared/use-attempt.js';
import type { Edit, EditRequest } from '../types.js';

export interface Mend {
  readonly busy: boolean;
  readonly error: string | undefined;
  /** What was done last, for people. */
  readonly note: string;
  /** Makes an edit; answers whether it was made. */
  readonly make: (edit: EditRequest) => Promise<boolean>;
  readonly undo: (edit: Edit) => Promise<boolean>;
}

/** Makes and undoes edits; `onDone` runs after each one that succeeds. */
export function useMend(onDone: (edit: Edit) => void): Mend {
  const { busy, error, attempt } = useAttempt();
  const [note, setNote] = useState('');
  const done = async (work: () => Promise<Edit>, said: string): Promise<boolean> => {
    let made = false;
    await attempt(async () => {
      const edit = await work();
      setNote(`${said}: ${labelOf(edit)}.`);
      made = true;
      onDone(edit);
    });
    return made;
  };
  return {
    busy,
    error,
    note,
    make: (edit) => done(() => send<Edit>('/v1/edits', edit), 'Done'),
    undo: ({ edit_id: id }) => done(() => remove<Edit>(`/v1/edits/${encodeURIComponent(id)}`), 'Undone'),
  };
}

/** What an edit did, in words. */
export function labelOf({ type, change, before }: Edit): string {
  const of = (name: string): string => String(change[name] ?? '');
  const was = (name: string): string => String(before[name] ?? '');
  const edge = `${was('source')} ${of('relation')} ${was('target')}`;
  switch (type) {
    case 'add_concept':
      return `added the concept “${of('name')}”`;
    case 'change_concept':
      return change.name === undefined ? `described “${was('name')}”` : `named “${was('name')}” “${of('name')}”`;
    case 'add_edge':
      return `added the edge ${edge}`;
    case 'change_edge':
      return `changed the edge ${edge}${change.new_relation === undefined ? '' : ` to ${of('new_relation')}`}`;
    case 'remove_edge':
      return `removed the edge ${edge}`;
    case 'add_rule':
      return `added the rule “${of('text')}”`;
    case 'change_rule':
      return `changed the rule “${was('text')}”`;
    case 'remove_rule':
      return `removed the rule “${was('text')}”`;
    case 'merge':
      return `merged “${was('from')}” into “${was('into')}”`;
    case 'remove_message':
      return `removed a message of session ${of('session_id')}`;
    default:
      return `removed session ${of('session_id')}`;
  }
}
