import type { Store } from '../../backends/store/scope.js';
import { type ChangeEntry, presentEntry } from './change-entries.js';
import { recordReader } from './record-reader.js';
import type { Refusals } from './refusals.js';

type Named = Pick<ChangeEntry, 'kind' | 'name'>;

/** Entries that may be refused one after another: more mean that it is the engine which does not work. */
const REFUSED_IN_A_ROW = 50;

/** Notes the entries that the engine does not take, and tells where it refuses so many that it must be broken. */
export class PassedBy {
  /** How many were refused since the engine took anything. */
  private inARow = 0;
  /** Those of them that were not noted before. */
  private fresh: Named[] = [];

  constructor(
    private readonly store: Store,
    private readonly refusals: Refusals,
  ) {}

  /** Notes an entry that the engine refuses; returns false where it refuses so many that it must be broken. */
  async add({ kind, name }: Named, error: Error): Promise<boolean> {
    this.inARow += 1;
    const present = await presentEntry(recordReader(this.store.db), kind, name);
    if (await this.refusals.add({ kind, name, id: present?.id ?? name }, error)) this.fresh.push({ kind, name });
    return this.inARow < REFUSED_IN_A_ROW;
  }

  /** Call it when the engine took something, and when a run begins. */
  tookSome(): void {
    this.inARow = 0;
    this.fresh = [];
  }

  /** Takes back what a broken engine was thought to refuse: its step is done again as a whole. Older notes stay. */
  async takeBack(): Promise<void> {
    for (const entry of this.fresh) await this.refusals.remove(entry);
  }
}
