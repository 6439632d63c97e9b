import type { WriteScope } from '../../backends/store/scope.js';
import { lockForWriting } from '../../backends/store/unfinished/pending-loads.js';
import { slicer } from '../../core/async/slices.js';
import { domainNotFound, SvcError } from '../../core/errors.js';
import type { MergeFilter, MergeRecord } from '../../ledger/merge/merge-log.js';
import type { MergeEffects } from '../../ledger/merge/merge-writer.js';
import type { ConceptMerges } from '../../ledger/merge/merges.js';
import { Embedded } from '../index/embed.js';
import { link } from '../link/link.js';
import { flushDeferred, indexInTransaction } from '../write/deferred.js';
import type { LoadPorts } from '../write/ports.js';
import { withFollowers } from '../write/with-followers.js';
import { type FoundMatch, findMatches, type MatchSettings } from './find-matches.js';

export interface ResolveOptions {
  /** Finds and merges nothing. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a resolution found: `merges` made, or with a dry run those that would be made. */
export interface Resolution {
  readonly domain: string;
  readonly concepts: number;
  readonly dry_run: boolean;
  readonly merges: ReadonlyArray<
    Omit<MergeRecord, 'merge_id' | 'created_at' | 'undone_at'> & { merge_id: string | null }
  >;
  /** Names that fit several things, so that none was chosen. */
  readonly ambiguous: readonly string[];
}

/** Entity resolution: finds concepts of one domain that are one thing, merges them, and undoes merges. */
export class Entities {
  constructor(
    private readonly ports: LoadPorts,
    private readonly settings: MatchSettings,
  ) {}

  /** Merges the concepts of a domain that are one thing. Pairs the merge of which was undone are left alone. */
  async resolve(domain: string, { dryRun = false, signal }: ResolveOptions = {}): Promise<Resolution> {
    await this.checkDomain(domain);
    const refused = await this.log.undonePairs(domain);
    const { concepts, matches, ambiguous } = await findMatches(this.ports, domain, {
      settings: this.settings,
      refused,
      signal,
    });
    const merges: Array<Resolution['merges'][number]> = [];
    const pause = slicer();
    for (const match of matches) {
      signal?.throwIfAborted();
      merges.push(dryRun ? planned(domain, match) : await this.made(domain, match));
      await pause();
    }
    return { domain, concepts, dry_run: dryRun, merges, ambiguous };
  }

  /** Merges two concepts that somebody says are one. `node_not_found` where one of them is no concept of the domain. */
  async merge(domain: string, ids: { readonly from_id: string; readonly into_id: string }): Promise<MergeRecord> {
    await this.checkDomain(domain);
    const request = { ...ids, method: 'manual', score: 1 };
    const done = await this.written(domain, (scope) => this.log.make(domain, request, scope));
    return done!.merge;
  }

  /** Undoes a merge: the graph is as if it had never been made. One that was undone before is answered as it is, and in a dry run any. */
  async undo(
    mergeId: string,
    { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
  ): Promise<MergeRecord> {
    const merge = await this.log.find(mergeId);
    if (merge === undefined) {
      throw new SvcError('not_found', `Merge ${mergeId} does not exist; list the merges to see which there are.`, {
        member: 'merge_id',
      });
    }
    if (dryRun) return merge;
    const done = await this.written(merge.domain, (scope) => this.log.undo(mergeId, scope));
    return done === null ? ((await this.log.find(mergeId)) ?? merge) : done.merge;
  }

  /** Lists merges, undone ones too, in the order in which they were made. */
  async merges(filter: MergeFilter) {
    if (filter.domain !== undefined) await this.checkDomain(filter.domain);
    const found = await this.log.list({ ...filter, limit: filter.limit + 1 });
    const merges = found.slice(0, filter.limit);
    return { merges, next: found.length > filter.limit ? (merges.at(-1)?.merge_id ?? null) : null };
  }

  private get log(): ConceptMerges {
    const { merges } = this.ports.graph;
    if (merges === null) throw new SvcError('disabled', 'This graph keeps no log of merges.');
    return merges;
  }

  private async checkDomain(domain: string): Promise<void> {
    if ((await this.ports.graph.getDomain(domain)) !== null) return;
    throw domainNotFound(domain);
  }

  private async made(domain: string, { from, into, method, score }: FoundMatch) {
    const request = { from_id: from.id, into_id: into.id, method, score };
    const done = await this.written(domain, (scope) => this.log.make(domain, request, scope));
    const { created_at: _, undone_at: __, ...merge } = done!.merge;
    return merge;
  }

  /** Writes graph, links, text and vectors in one transaction, as every write of ingest. */
  private async written(
    domain: string,
    work: (scope: WriteScope) => Promise<MergeEffects | null>,
  ): Promise<MergeEffects | null> {
    const { value } = await withFollowers(this.ports, async () => {
      const { done, deferred } = await this.ports.store.write(async (scope) => {
        await lockForWriting(scope.db, domain);
        const made = await work(scope);
        if (made === null) return { done: null, deferred: [] };
        await link(this.ports, domain, { delta: made.effects, passages: [], scope });
        const known = new Embedded();
        return { done: made, deferred: await indexInTransaction(this.ports, made.effects, { known, scope }) };
      });
      await flushDeferred(this.ports, deferred);
      return done;
    });
    return value;
  }
}

function planned(domain: string, { from, into, method, score }: FoundMatch) {
  return {
    merge_id: null,
    domain,
    from_id: from.id,
    from_name: from.name,
    into_id: into.id,
    into_name: into.name,
    method,
    score,
  };
}
