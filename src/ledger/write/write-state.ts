import { sql } from 'kysely';
import { lockDomain } from '../../backends/store/locks.js';
import type { Db } from '../../backends/store/schema.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { slicer } from '../../core/async/slices.js';
import { appendChange, type ChangeLimits, ledgerVersion } from '../changes.js';
import { type Counts, noCounts } from '../read/counts.js';
import { ChangeBuilder } from './change-builder.js';

/** A domain that a write is about. */
export interface DomainRef {
  readonly ref: number;
  readonly name: string;
}

/** What one write transaction does to the graph. Its calls share it: together they are one step of the version. */
export class WriteState {
  readonly change = new ChangeBuilder();
  private readonly counts = new Map<number, Counts>();
  readonly pause = slicer();
  touched = false;
  /** Stamp of what this write asserts; later writes to a domain have higher ones. Read by `lock`. */
  version = 0;
  private readonly locked = new Set<string>();
  private readonly domains = new Map<string, DomainRef>();

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

  /** Holds others off a domain until the write ends, and then reads the stamp: earlier writers have committed, and theirs are lower. */
  async lock(domain: string): Promise<void> {
    if (this.locked.has(domain)) return;
    await lockDomain(this.db, domain);
    this.version = (await ledgerVersion(this.db)) + 1;
    this.locked.add(domain);
  }

  /** Returns a domain, read once in a write; undefined where there is none of that name. */
  async domain(name: string): Promise<DomainRef | undefined> {
    const known = this.domains.get(name);
    if (known !== undefined) return known;
    const found = await this.db.selectFrom('domain').select('ref').where('name', '=', name).executeTakeFirst();
    return found === undefined ? undefined : this.met(found.ref, name);
  }

  /** Returns a domain, which is made on first use. */
  async makeDomain(name: string): Promise<DomainRef> {
    const known = await this.domain(name);
    if (known !== undefined) return known;
    const made = await this.db
      .insertInto('domain')
      .values({ name, description: '', created: null, concepts: 0, edges: 0, rules: 0, passages: 0 })
      .onConflict((oc) => oc.column('name').doUpdateSet({ name }))
      .returning('ref')
      .executeTakeFirstOrThrow();
    this.touched = true;
    return this.met(made.ref, name);
  }

  /** Notes that the rows of a domain are gone. */
  removed({ ref, name }: DomainRef): void {
    this.domains.delete(name);
    this.change.removedDomains.set(ref, name);
    this.touched = true;
  }

  private met(ref: number, name: string): DomainRef {
    const domain = { ref, name };
    this.domains.set(name, domain);
    return domain;
  }

  /** Returns the counts of a domain, to be added to; zeros at first. */
  count(domain: number): Counts {
    const counts = this.counts.get(domain) ?? noCounts();
    this.counts.set(domain, counts);
    return counts;
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
