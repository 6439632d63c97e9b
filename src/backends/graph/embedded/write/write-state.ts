import { type Kysely, sql } from 'kysely';
import { slicer } from '../../../../core/slices.js';
import type { Database } from '../../../store/schema.js';
import type { WriteScope } from '../../../store/scope.js';
import { type Counts, countsAt } from '../../read/counts.js';
import { Change, packChange } from './change.js';

/** Changes that replicas (and this process) can still read one by one; one further behind loads everything. */
const KEPT_CHANGES = 256;

/**
 * What one write transaction does to the graph. Several calls in one transaction share it: together they are one step of
 * the version, taken by the last statement.
 */
export class WriteState {
  readonly change = new Change();
  readonly counts = new Map<number, Counts>();
  readonly pause = slicer();
  touched = false;

  private constructor(
    readonly db: Kysely<Database>,
    /** Stamp of what this write asserts; later writes to a domain have higher ones. */
    readonly version: number,
  ) {}

  private static readonly states = new WeakMap<WriteScope, Promise<WriteState>>();

  static of(scope: WriteScope): Promise<WriteState> {
    let state = WriteState.states.get(scope);
    if (state === undefined) {
      state = graphVersion(scope.db).then((version) => new WriteState(scope.db, version + 1));
      WriteState.states.set(scope, state);
      scope.beforeCommit(async () => (await WriteState.states.get(scope))?.finish());
    }
    return state;
  }

  count(domain: number): Counts {
    return countsAt(this.counts, domain);
  }

  /** Counts of the domains, the change log, and last the version. */
  private async finish(): Promise<void> {
    if (!this.touched) return;
    for (const [ref, { concepts, edges, rules, passages }] of this.counts) {
      if (concepts === 0 && edges === 0 && rules === 0 && passages === 0) continue;
      await sql`update domain set concepts = concepts + ${concepts}, edges = edges + ${edges},
        rules = rules + ${rules}, passages = passages + ${passages} where ref = ${ref}`.execute(this.db);
    }
    const body = Buffer.from(packChange(this.change));
    const result = await sql<{ version: number }>`
      update graph_meta set version = version + 1 where id = 1 returning version`.execute(this.db);
    const version = result.rows[0]!.version;
    await sql`insert into graph_change (version, body) values (${version}, ${body})`.execute(this.db);
    await sql`delete from graph_change where version <= ${version - KEPT_CHANGES}`.execute(this.db);
  }
}

export async function graphVersion(db: Kysely<Database>): Promise<number> {
  const result = await sql<{ version: number }>`select version from graph_meta where id = 1`.execute(db);
  return result.rows[0]!.version;
}
