import type { AboutKey, Mention, Passage } from '../../core/model.js';
import { aboutKeys } from './asserted.js';
import { type SourceChange, taken } from './source-change.js';

/** A passage as it lies in a graph; what has parts is JSON. */
export interface PassageFields {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly sentences: string;
  readonly about: string;
  readonly message: string | null;
  readonly ord: number;
}

/** A passage before and after a write. */
export interface PassageChange<P extends PassageFields = PassageFields> {
  readonly id: string;
  readonly before: P | null;
  readonly after: Passage | null;
  /** True where its title, text or sentences are other than before, so that it must be indexed and matched again. */
  readonly reread: boolean;
}

/** Passages that are there, by id, and whose they are. */
interface ExistingPassages<C, P> {
  readonly known: ReadonlyMap<string, P>;
  readonly owns: (change: C, passage: P) => boolean;
}

/** Goes through the passages of sources; returns their ids. `conflict` for one of another source, or given twice. */
export function eachPassage<C extends SourceChange, P extends PassageFields>(
  changes: readonly C[],
  { known, owns }: ExistingPassages<C, P>,
  take: (change: C, before: P | null, after: Passage) => void,
): Set<string> {
  const seen = new Set<string>();
  for (const change of changes) {
    for (const after of change.next?.passages.values() ?? []) {
      const before = known.get(after.id) ?? null;
      if (seen.has(after.id) || (before !== null && !owns(change, before))) throw taken(after.id);
      if (change.next?.concepts.has(after.id) === true) throw taken(after.id);
      seen.add(after.id);
      take(change, before, after);
    }
  }
  return seen;
}

/** Returns the passages that sources which are added to lose: those that are theirs, and not given anew (`seen`). */
export function lostPassages<C extends SourceChange, P extends PassageFields>(
  changes: readonly C[],
  { known, owns }: ExistingPassages<C, P>,
  seen: ReadonlySet<string>,
): P[] {
  return changes.flatMap((change) =>
    [...new Set(change.next?.without)].flatMap((id) => {
      const row = known.get(id);
      return row === undefined || seen.has(id) || !owns(change, row) ? [] : [row];
    }),
  );
}

/** Returns whether a passage reads as before: title, text and sentences. */
export function sameReading(before: PassageFields | null, after: Passage): boolean {
  return before !== null && before.title === after.title && sameText(before, after);
}

function sameText(before: PassageFields, after: Passage): boolean {
  return before.text === after.text && before.sentences === JSON.stringify(after.sentences);
}

/** Returns whether a write leaves a passage as it is. */
export function samePassage({ before, after }: PassageChange): boolean {
  if (before === null || after === null || after.mentions !== undefined) return false;
  return before.title === after.title && sameFields(before, after);
}

/** Returns whether all but the title is as before. */
export function sameFields(before: PassageFields, after: Passage): boolean {
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
export interface AboutChange<N> {
  readonly key: string;
  readonly node: N;
  /** True alias, false title, null not about it. */
  readonly before: boolean | null;
  readonly after: boolean | null;
}

/** Returns the changes of what passages are about; `nodeOf` returns the graph's own reference to a passage. */
export function aboutChanges<C extends PassageChange, N>(
  changes: readonly C[],
  nodeOf: (change: C) => N,
): AboutChange<N>[] {
  return changes.flatMap((passage) => {
    const { before, after } = passage;
    const old = aboutKeys(before === null ? [] : (JSON.parse(before.about) as AboutKey[]));
    const now = aboutKeys(after?.about ?? []);
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
      const change = { key, node: nodeOf(passage), before: old.get(key) ?? null, after: now.get(key) ?? null };
      return change.before === change.after ? [] : [change];
    });
  });
}
