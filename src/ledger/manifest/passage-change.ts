import type { AboutKey, Mention, Passage } from '../../core/model.js';
import { aboutKeys } from './asserted.js';

/** A passage as it lies in the graph; what has parts is JSON. */
export interface PassageRow {
  readonly ref: number;
  readonly id: string;
  /** Number of its source. */
  readonly source: number;
  readonly title: string;
  readonly text: string;
  readonly sentences: string;
  readonly about: string;
  readonly message: string | null;
  readonly ord: number;
  readonly mentions: Uint8Array;
}

/** A passage before and after a write. */
export interface PassageChange {
  /** Its number: 0 where it is new and not written yet. */
  ref: number;
  readonly id: string;
  /** Number of its source. */
  readonly source: number;
  readonly before: PassageRow | null;
  readonly after: Passage | null;
  /** True where its title, text or sentences are other than before, so that it must be indexed and matched again. */
  readonly reread: boolean;
}

/** Returns whether a passage reads as before: title, text and sentences. */
export function sameReading(before: PassageRow | null, after: Passage): boolean {
  return before !== null && before.title === after.title && sameText(before, after);
}

function sameText(before: PassageRow, after: Passage): boolean {
  return before.text === after.text && before.sentences === JSON.stringify(after.sentences);
}

/** Returns whether a write leaves a passage as it is. */
export function samePassage({ before, after }: PassageChange): boolean {
  if (before === null || after === null || after.mentions !== undefined) return false;
  return before.title === after.title && sameFields(before, after);
}

/** Returns whether all but the title is as before. */
export function sameFields(before: PassageRow, after: Passage): boolean {
  return (
    before.ord === after.order &&
    sameText(before, after) &&
    before.about === JSON.stringify(after.about) &&
    before.message === messageOf(after)
  );
}

/** Returns a passage's message fields as JSON. */
export function messageOf({ message }: Passage): string | null {
  return message === undefined ? null : JSON.stringify(message);
}

/** Returns a passage's mentions from now on: given ones, none for a text that changes or goes; null: as they are. */
export function mentionsAfter({ before, after }: PassageChange): readonly Mention[] | null {
  if (after === null) return [];
  return after.mentions ?? (before !== null && sameText(before, after) ? null : []);
}

/** A key that a node is about otherwise than before. */
export interface AboutChange {
  readonly key: string;
  /** Number of the node. */
  readonly node: number;
  /** True alias, false title, null not about it. */
  readonly before: boolean | null;
  readonly after: boolean | null;
}

/** Returns the changes of what passages are about. */
export function aboutChanges(passages: readonly PassageChange[]): AboutChange[] {
  return passages.flatMap(({ ref: node, before, after }) => {
    const old = aboutKeys(before === null ? [] : (JSON.parse(before.about) as AboutKey[]));
    const now = aboutKeys(after?.about ?? []);
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
      const change = { key, node, before: old.get(key) ?? null, after: now.get(key) ?? null };
      return change.before === change.after ? [] : [change];
    });
  });
}
