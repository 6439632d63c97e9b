import type { Store } from '../backends/store/scope.js';
import { slicer } from '../core/async/slices.js';
import type { LedgerChange } from './change.js';
import { changesAfter, ledgerVersion } from './changes.js';

/** Receives a committed change and the version after it; null where changes are no longer kept, so that anything may be different. */
export type ChangeListener = (change: LedgerChange | null, version: number) => void;

/** Passes to the caches of this process what was committed since the last call, whoever wrote it. */
export class ChangeFeed {
  private seen: number | undefined;
  private reading: Promise<void> | undefined;
  private readonly listeners: ChangeListener[] = [];

  constructor(private readonly store: Store) {}

  /** `listener` hears of every change from now on. */
  listen(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  /** Resolves when the listeners know every change up to this version. */
  async reach(version: number): Promise<void> {
    while (this.seen === undefined || this.seen < version) {
      this.reading ??= this.read().finally(() => {
        this.reading = undefined;
      });
      await this.reading;
    }
  }

  private async read(): Promise<void> {
    const { db } = this.store;
    if (this.seen === undefined) {
      this.seen = await ledgerVersion(db);
      return;
    }
    const changes = await changesAfter(db, this.seen);
    if (changes === null) {
      const version = await ledgerVersion(db);
      this.tell(null, version);
      this.seen = version;
      return;
    }
    const pause = slicer('urgent');
    for (const change of changes) {
      await pause();
      this.tell(change.everything ? null : change, change.version);
      this.seen = change.version;
    }
  }

  private tell(change: LedgerChange | null, version: number): void {
    for (const listener of this.listeners) listener(change, version);
  }
}
