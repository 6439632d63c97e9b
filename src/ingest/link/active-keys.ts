import type { GraphBackend } from '../../backends/graph/port.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { slicer } from '../../core/async/slices.js';

/** Keys that are looked up together. */
export const KEY_BATCH = 2000;
/** Keys that are remembered from one batch of passages to the next; longer ones (characters) seldom come again. */
const REMEMBERED = 50_000;
const SHORT = 20;
/** Keys that are looked up before the whole domain may be read instead, and rows that are read for it at most. */
const LOOKED_UP = 10_000;
const MOST_READ = 200_000;

/**
 * Tells which keys are active: nothing that linking does changes it. A passage has some seventy keys that may be names, and
 * few of them are. So many are looked up for a long document that reading all keys that are active in the domain costs
 * less: it is tried when as many were looked up as there are rows to read, and after it nothing is looked up any more.
 */
export class ActiveKeys {
  private readonly known = new Set<string>();
  private active = new Set<string>();
  private lookedUp = 0;
  private next = LOOKED_UP;
  private all = false;

  constructor(
    private readonly graph: Pick<GraphBackend, 'activeKeys' | 'allActiveKeys'>,
    private readonly domain: string,
    private readonly scope: WriteScope | undefined,
  ) {}

  /** True once all active keys are at hand. */
  get complete(): boolean {
    return this.all;
  }

  async lookUp(keys: ReadonlySet<string>): Promise<void> {
    if (this.all || (await this.readAll())) return;
    if (this.known.size > REMEMBERED) {
      this.known.clear();
      this.active.clear();
    }
    const pause = slicer();
    let part: string[] = [];
    let seen = 0;
    for (const key of keys) {
      if (!this.known.has(key)) part.push(key);
      seen += 1;
      if (seen % KEY_BATCH !== 0 && seen < keys.size) continue;
      for (const active of await this.graph.activeKeys(this.domain, part, this.scope)) this.active.add(active);
      for (const looked of part) if (looked.length <= SHORT) this.known.add(looked);
      this.lookedUp += part.length;
      part = [];
      await pause();
    }
  }

  /** Returns true for an active key among those looked up. */
  has(key: string): boolean {
    return this.active.has(key);
  }

  private async readAll(): Promise<boolean> {
    if (this.lookedUp < this.next || this.next > MOST_READ) return false;
    this.next *= 2;
    const all = await this.graph.allActiveKeys?.(this.domain, Math.min(this.lookedUp, MOST_READ), this.scope);
    if (all === undefined) return false;
    this.active = all;
    this.all = true;
    this.known.clear();
    return true;
  }
}
