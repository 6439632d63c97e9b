import type { Store, WriteScope } from '../../backends/store/scope.js';
import type { StandIn } from '../../core/errors.js';
import { dropEditsSource } from '../edits/edit-writer.js';
import type { Writer } from '../tables.js';
import { dropUnused, type GraphWriter } from '../write/graph-writer.js';
import { findMerge, listMerges, type MergeFilter, type MergeRecord, standInOf, undonePairs } from './merge-log.js';
import { type MergeEffects, type MergeRequest, mergeConcepts, undoMerge } from './merge-writer.js';

/** Concepts of a graph that are taken for one. */
export class ConceptMerges {
  constructor(
    private readonly store: Store,
    private readonly writer: GraphWriter,
  ) {}

  /**
   * Takes two concepts of a domain for one: the first is no longer visible, and its edges, rules and names lead to the
   * second, for as long as both are asserted. `node_not_found` where one of them is no concept of the domain.
   */
  make(domain: string, request: MergeRequest, scope?: WriteScope): Promise<MergeEffects> {
    return this.writer.inDomain(domain, scope, async (w, now) => {
      const done = await mergeConcepts(w, request, now);
      // A merge may take the place of one that an edit made.
      await dropEditsSource(w);
      return done;
    });
  }

  /** Undoes a merge: the graph is as if it had never been made. Null where there is none, or it was undone before. */
  undo(mergeId: string, scope?: WriteScope): Promise<MergeEffects | null> {
    const undo = async (w: Writer, merge: MergeRecord, now: string): Promise<MergeEffects> => {
      const done = await undoMerge(w, merge, now);
      await dropEditsSource(w);
      await dropUnused(w);
      return done;
    };
    return this.writer.undo(mergeId, scope, { find: findMerge, undo });
  }

  /** Returns merges, undone ones too, in the order in which they were made. */
  list(filter: MergeFilter): Promise<MergeRecord[]> {
    return listMerges(this.store.db, filter);
  }

  find(mergeId: string): Promise<MergeRecord | undefined> {
    return findMerge(this.store.db, mergeId);
  }

  /** Returns the concept that stands for a merged one now; undefined for a concept that is not merged. */
  standIn(id: string): Promise<StandIn | undefined> {
    return standInOf(this.store.db, id);
  }

  /** Returns the pairs of concepts (`pairOf`) a merge of which was undone. */
  undonePairs(domain: string): Promise<ReadonlySet<string>> {
    return undonePairs(this.store.db, domain);
  }
}
