import type { Store, WriteScope } from '../../backends/store/scope.js';
import type { Writer } from '../tables.js';
import { dropUnused, type GraphWriter } from '../write/graph-writer.js';
import { stateOf } from './edit-states.js';
import { type EditFilter, type EditRecord, type EditState, isMessageRemoval } from './edit-types.js';
import { type EditEffects, type EditRequest, makeEdit, undoEdit } from './edit-writer.js';
import { findEditOrMerge, listEdits } from './list-edits.js';

/** What people changed of a graph by hand: assertions of the source `edits`, which outrank those of other sources. */
export class GraphEdits {
  constructor(
    private readonly store: Store,
    private readonly writer: GraphWriter,
  ) {}

  /** Makes an edit, which counts until it is undone, whatever is ingested. `domain_not_found` for an unknown domain. */
  make(domain: string, request: EditRequest, scope?: WriteScope): Promise<EditEffects> {
    return this.writer.inDomain(domain, scope, (w, now) => makeEdit(w, request, now));
  }

  /** Undoes an edit: the graph is as if it had never been made. Null where there is none, or it was undone before. */
  undo(editId: string, scope?: WriteScope): Promise<EditEffects | null> {
    const undo = async (w: Writer, edit: EditRecord, now: string): Promise<EditEffects> => {
      const done = await undoEdit(w, edit, now);
      // Messages that were hidden come back after this.
      if (!isMessageRemoval(edit.body)) await dropUnused(w);
      return done;
    };
    return this.writer.undo(editId, scope, { find: findEditOrMerge, undo });
  }

  /** Returns edits and merges made by hand, the newest first, and how many there are. */
  list(filter: EditFilter): Promise<{ readonly edits: readonly EditRecord[]; readonly total: number }> {
    return listEdits(this.store.db, filter);
  }

  /** Returns an edit, or a merge as one. */
  find(editId: string, scope?: WriteScope): Promise<EditRecord | undefined> {
    return findEditOrMerge(scope?.db ?? this.store.db, editId);
  }

  /** Returns by `edit_id` whether each edit counts now. */
  async states(edits: readonly EditRecord[]): Promise<ReadonlyMap<string, EditState>> {
    const states = new Map<string, EditState>();
    for (const edit of edits) states.set(edit.edit_id, await stateOf(this.store.db, edit));
    return states;
  }
}
