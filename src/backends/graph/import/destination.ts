import { SvcError } from '../../../core/errors.js';
import type { SourceVersions } from '../../../ledger/manifest/exported.js';
import type { Store } from '../../store/scope.js';
import type { GraphBackend } from '../port.js';
import { type Cursor, cursors } from './cursor.js';
import { isAfter, type Stamp, stampOf } from './stamp.js';

interface Begin {
  readonly store: Store;
  /** Of the import: both kinds. */
  readonly id: string;
  readonly graph: GraphBackend;
  /** The source graph before `sources` was read. */
  readonly from: Stamp;
  /** What the source graph holds. */
  readonly sources: readonly SourceVersions[];
  /** The caller allows to empty a destination that holds something else. */
  readonly replace: boolean;
}

/**
 * The graph that an import fills. The cursor keeps how the import left it, so that what an unfinished import left is told
 * from what others wrote: nothing of theirs is removed or added to unless the caller asks for it.
 */
export class Destination {
  private constructor(
    private readonly store: Store,
    private readonly id: string,
    readonly graph: GraphBackend,
    private cursor: Cursor,
    /** True where an unfinished import of the same source goes on. */
    readonly resumed: boolean,
  ) {}

  /**
   * Goes on where an import of the same source stopped; else begins anew with nothing there. `conflict` for a destination
   * that holds something other than what an import left, without `replace`.
   */
  static async begin({ store, id, graph, from, sources, replace }: Begin): Promise<Destination> {
    const to = await stampOf(graph);
    const left = await cursors.read(store.db, id);
    const domains = await graph.listDomains();
    const ours = left !== null && (await isOurs(left, { graph, to, sources }));
    if (ours && isAfter(left.from, from, 0)) return new Destination(store, id, graph, { ...left, to }, true);
    if (domains.length > 0 && !ours && !replace) throw refusal(graph, domains.length, left !== null);
    const destination = new Destination(store, id, graph, { from, to, done: 0, writing: false }, false);
    await destination.save({});
    for (const { name } of domains) await destination.deleteDomain(name);
    return destination;
  }

  /** Steps of the source that it has. */
  get done(): number {
    return this.cursor.done;
  }

  /** The source graph as its steps are counted. */
  get from(): Stamp {
    return this.cursor.from;
  }

  /**
   * One write (or none), after which it has `done` steps; `most`: versions that it makes at most. `conflict` where something else wrote meanwhile: from then on
   * the destination is no longer the import's to empty.
   */
  async write(work: () => Promise<unknown>, done = this.cursor.done, most = 1): Promise<void> {
    if (!isAfter(this.cursor.to, await stampOf(this.graph), 0)) throw this.disturbed();
    await this.save({ writing: true });
    await work();
    const to = await stampOf(this.graph);
    const { version, identity } = this.cursor.to;
    if (to.identity !== identity || to.version < version || to.version > version + most) throw this.disturbed();
    await this.save({ to, done, writing: false });
  }

  /** A large domain goes in steps, which end with a version of their own. */
  deleteDomain(name: string): Promise<void> {
    return this.write(() => this.graph.deleteDomain(name), this.cursor.done, 2);
  }

  /** The import is finished: nothing is left to go on with. */
  finish(): Promise<void> {
    return cursors.remove(this.store, this.id);
  }

  private save(change: Partial<Cursor>): Promise<void> {
    this.cursor = { ...this.cursor, ...change };
    return cursors.write(this.store, this.id, this.cursor);
  }

  private disturbed(): SvcError {
    const { kind } = this.graph;
    return new SvcError(
      'conflict',
      `Something else wrote to the ${kind} graph during the import; stop what writes there, then import again with replace (--replace).`,
    );
  }
}

/** Whether an import left the destination so; its last write may have been cut off after it was done. */
async function isOurs(
  left: Cursor,
  { graph, to, sources }: { graph: GraphBackend; to: Stamp; sources: readonly SourceVersions[] },
): Promise<boolean> {
  if (isAfter(left.to, to, 0)) return true;
  return left.writing && isAfter(left.to, to, 1) && (await holdsOnly(graph, sources));
}

/** Whether each source in the graph is one of these, whole or with a part of its writes. */
async function holdsOnly(graph: GraphBackend, sources: readonly SourceVersions[]): Promise<boolean> {
  const known = new Map(sources.map((one) => [one.source_id, one.content_hash]));
  return (await allVersions(graph)).every(({ source_id, content_hash }) => {
    const hash = known.get(source_id);
    return hash !== undefined && (content_hash === hash || content_hash.startsWith(`${hash} until `));
  });
}

const PAGE = 1000;

/** Every source of a graph, in order of ids. */
export async function allVersions(graph: GraphBackend): Promise<SourceVersions[]> {
  const all: SourceVersions[] = [];
  for (let after: string | undefined; ; ) {
    const page = await graph.sourceVersions({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    all.push(...page);
    if (page.length < PAGE) return all;
    after = page.at(-1)!.source_id;
  }
}

function refusal({ kind }: GraphBackend, domains: number, used: boolean): SvcError {
  return new SvcError(
    'conflict',
    used
      ? `The ${kind} graph was written to since an import into it stopped, and holds ${domains} domain(s); pass replace (--replace) to empty it and begin anew.`
      : `The ${kind} graph holds ${domains} domain(s) already; pass replace (--replace) to empty it first.`,
  );
}
