import { readOnce } from '../../core/async/one-moment.js';
import type { Store } from './scope.js';

/**
 * A value of the store, not older than the last commit before the call. It is not read again while the store has had no commit
 * since, where the store tells. Else it is read at each call; with `shared` once in a request at one moment, for all that have the
 * same owner and name.
 */
export class SinceCommit<T> {
  private known: { readonly commit: number; readonly value: T } | undefined;

  constructor(
    private readonly store: Pick<Store, 'lastCommit'>,
    private readonly read: () => Promise<T>,
    private readonly shared?: { readonly owner: object; readonly name: string },
  ) {}

  async current(): Promise<T> {
    const commit = this.store.lastCommit?.();
    if (commit === undefined) {
      return this.shared === undefined ? this.read() : readOnce(this.shared.owner, this.shared.name, this.read);
    }
    if (this.known?.commit === commit) return this.known.value;
    const value = await this.read();
    this.known = { commit, value };
    return value;
  }
}
