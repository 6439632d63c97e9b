import { sql } from 'kysely';
import type { Db } from '../../backends/store/schema.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { slicer } from '../../core/async/slices.js';
import { appendChange, type ChangeLimits, ledgerVersion } from '../changes.js';
import { type Counts, countsAt } from '../read/counts.js';
import { ChangeBuilder } from './change-builder.js';

/** What one write transaction does to the graph. Its calls share it: together they are one step of the version. */
export class WriteState {
  readonly change = new ChangeBuilder();
  readonly counts = new Map<number, Counts>();
  readonly pause = slicer();
  touched = false;
  /** Stamp of what this write asserts; later writes to a domain have higher ones. Read with `lockedDomain`. */
  version = 0;

  private constructor(
    readonly db: Db,
    private readonly limits: ChangeLimits,
  ) {}

  private static readonly states = new WeakMap<WriteScope, WriteState>();

  static of(scope: WriteScope, limits: ChangeLimits): WriteState {
    let state = WriteState.states.get(scope);
    if (state === undefined) {
      const made = new WriteState(scope.db, limits);
      state = made;
      WriteState.states.set(scope, made);
      scope.beforeCommit(() => made.finish());
    }
    return state;
  }

  /** Reads the stamp. Call it once the domain is locked: earlier writers have committed, and their stamps are lower. */
  async stamp(): Promise<void> {
    this.version = (await ledgerVersion(this.db)) + 1;
  }

  count(domain: number): Counts {
    return countsAt(this.counts, domain);
  }

  /** Counts of the domains, the change, and with it the version. */
  private async finish(): Promise<void> {
    if (!this.touched) return;
    for (const [ref, { concepts, edges, rules, passages }] of this.counts) {
      if (concepts === 0 && edges === 0 && rules === 0 && passages === 0) continue;
      await sql`update domain set concepts = concepts + ${concepts}, edges = edges + ${edges},
        rules = rules + ${rules}, passages = passages + ${passages} where ref = ${ref}`.execute(this.db);
    }
    await appendChange(this.db, this.change, this.limits);
  }
}
