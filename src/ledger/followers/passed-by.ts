import type { Store } from '../../backends/store/scope.js';
import { type ChangeEntry, presentEntry } from './change-entries.js';
import { recordReader } from './record-reader.js';
import type { Refusals } from './refusals.js';

type Named = Pick<ChangeEntry, 'kind' | 'name'>;

/** Entries that may be refused one after another: more mean that it is the engine which does not work. */
const REFUSED_IN_A_ROW = 50;

/** The entries of the step that is being done which the engine does not take, and are left out of it. */
export class PassedBy {
  private readonly names = new Set<string>();
  /** Those that were refused since the engine took anything. */
  private inARow: Named[] = [];

  constructor(
    private readonly store: Store,
    private readonly refusals: Refusals,
  ) {}

  has({ kind, name }: Named): boolean {
    return this.names.has(`${kind} ${name}`);
  }

  /** Notes an entry that the engine refuses; returns false where it refuses so many that it must be broken. */
  async add({ kind, name }: Named, error: Error): Promise<boolean> {
    this.names.add(`${kind} ${name}`);
    this.inARow.push({ kind, name });
    const present = await presentEntry(recordReader(this.store.db), kind, name);
    await this.refusals.add({ kind, name, id: present?.id ?? name }, error);
    return this.inARow.length < REFUSED_IN_A_ROW;
  }

  /** Call it when the engine took something. */
  tookSome(): void {
    this.inARow = [];
  }

  /** Call it when a step is over, by whomever it was done: what was left out of it belongs into the next one. */
  stepEnded(): void {
    this.names.clear();
  }

  /** Call it when a run begins: another process may have done the step meanwhile that broke off. */
  clear(): void {
    this.names.clear();
    this.inARow = [];
  }

  /** Takes back what a broken engine was thought to refuse: its step is done again as a whole. */
  async takeBack(): Promise<void> {
    this.names.clear();
    for (const entry of this.inARow) await this.refusals.remove(entry);
  }
}
