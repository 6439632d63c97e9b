import type { Store } from '../../backends/store/scope.js';
import { readOnce } from '../../core/async/one-moment.js';
import { ledgerVersion } from '../changes.js';

/**
 * The graph's version, not older than the last commit before the call. It is read once for all callers in a tick, after the last of
 * them called; not again while the store has had no commit since, where the store tells; and once in a request at one moment.
 */
export class CurrentVersion {
  private reading: Promise<number> | undefined;
  private known: { readonly commit: number; readonly version: number } | undefined;

  constructor(private readonly store: Store) {}

  async read(): Promise<number> {
    const commit = this.store.lastCommit?.();
    if (commit === undefined) return readOnce(this.store, 'ledger version', () => this.inTick());
    if (this.known?.commit === commit) return this.known.version;
    const version = await this.inTick();
    this.known = { commit, version };
    return version;
  }

  private inTick(): Promise<number> {
    this.reading ??= Promise.resolve().then(() => {
      this.reading = undefined;
      return ledgerVersion(this.store.db);
    });
    return this.reading;
  }
}
