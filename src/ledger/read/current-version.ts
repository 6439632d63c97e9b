import type { Store } from '../../backends/store/scope.js';
import { SinceCommit } from '../../backends/store/since-commit.js';
import { ledgerVersion } from '../changes.js';

/**
 * The graph's version, not older than the last commit before the call. It is read once for all callers in a tick, after the last of
 * them called.
 */
export class CurrentVersion {
  private reading: Promise<number> | undefined;
  private readonly version: SinceCommit<number>;

  constructor(private readonly store: Store) {
    this.version = new SinceCommit(store, () => this.inTick(), { owner: store, name: 'ledger version' });
  }

  read(): Promise<number> {
    return this.version.current();
  }

  private inTick(): Promise<number> {
    this.reading ??= Promise.resolve().then(() => {
      this.reading = undefined;
      return ledgerVersion(this.store.db);
    });
    return this.reading;
  }
}
