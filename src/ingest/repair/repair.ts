import type { Store } from '../../backends/store/scope.js';
import type { Followers } from '../../ledger/followers/followers.js';
import type { Reindex, ReindexOptions } from '../index/rebuild.js';
import { syncAllIndexes } from '../index/reindex.js';
import type { LoadPorts } from '../write/ports.js';
import { idsOutOfLine, mendCounts, wrongCounts } from './differences.js';
import { type Examination, examineParts } from './examine.js';

/** What a repair did; empty lists and zeros where nothing was wrong. */
export interface RepairResult {
  /** Domains whose counts were set to those of their rows. */
  readonly counts: string[];
  /** Nodes and orphans that text index and vectors were brought in line for. */
  readonly indexed: number;
  /** Records that differed in each engine that follows the ledger. */
  readonly engines: Array<{
    readonly engine: string;
    readonly written: number;
    /** Records of which nothing tells whether they differed. */
    readonly rewritten: number;
    readonly removed: number;
  }>;
}

const PAGE = 5000;

/** Brings counts, indexes and engines in line with the ledger, which is never changed by it. */
export class Repair {
  constructor(
    private readonly ports: LoadPorts,
    private readonly parts: { readonly reindex: Reindex; readonly followers: Followers },
  ) {}

  /** Tells what `run` would mend. */
  examine(): Promise<Examination> {
    return examineParts(this.ports, this.parts.followers);
  }

  async run(options: ReindexOptions = {}): Promise<RepairResult> {
    const { store, text, vectors } = this.ports;
    const counts = await wrongCounts(store);
    if (counts.length > 0) await mendCounts(store);
    const inStore = text.kind === 'postings' && vectors.kind === 'hnsw';
    const indexed = inStore ? await this.mendIndexes(store, options) : await this.reindex(options);
    const done = await this.parts.followers.resync(undefined);
    const engines = [...done].map(([engine, { seen: _, ...outcome }]) => ({ engine, ...outcome }));
    return { counts, indexed, engines };
  }

  /** Mends what differs alone, as long as that makes a difference. */
  private async mendIndexes(store: Store, { signal, progress }: ReindexOptions): Promise<number> {
    let mended = 0;
    let before = '';
    for (;;) {
      signal?.throwIfAborted();
      const ids = await idsOutOfLine(store, PAGE);
      const found = ids.join('\n');
      if (ids.length === 0 || found === before) return mended;
      before = found;
      await syncAllIndexes(this.ports, ids, progress === undefined ? {} : { progress });
      mended += ids.length;
    }
  }

  /** Makes indexes that lie elsewhere anew: they cannot be compared with the ledger in one statement. */
  private async reindex(options: ReindexOptions): Promise<number> {
    const { nodes, removed } = await this.parts.reindex.run(options);
    return nodes + removed;
  }
}
