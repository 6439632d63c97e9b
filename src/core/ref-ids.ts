import { slicer } from './async/slices.js';

/** A thing's internal number and its id. */
export interface RefId {
  readonly ref: number;
  readonly id: string;
}

/** How many missing ids one read fetches, and how many known ones are looked up in one step. */
const BATCH = 2000;

/**
 * Internal numbers and ids of the same things, remembered both ways. Two generations bound what is kept: when the
 * younger is full it becomes the older, and what was not requested since is forgotten.
 */
export class RefIds {
  private young = new Pairs();
  private old = new Pairs();
  /** How often something was forgotten: what was being read meanwhile may be older than that. */
  private drops = 0;

  constructor(private readonly limit = 100_000) {}

  idOf(ref: number): string | undefined {
    const id = this.young.ids.get(ref);
    if (id !== undefined) return id;
    const older = this.old.ids.get(ref);
    if (older !== undefined) this.set(ref, older);
    return older;
  }

  refOf(id: string): number | undefined {
    const ref = this.young.refs.get(id);
    if (ref !== undefined) return ref;
    const older = this.old.refs.get(id);
    if (older !== undefined) this.set(older, id);
    return older;
  }

  /**
   * Returns ids by number. Those that are not remembered are read by `read`, a batch at a time, and remembered unless
   * something was forgotten meanwhile; those that it does not know are missing. Throws what `read` throws.
   */
  async idsOf(
    refs: Iterable<number>,
    read: (missing: readonly number[]) => Promise<readonly RefId[]>,
  ): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    const missing: number[] = [];
    const pause = slicer();
    let looked = 0;
    for (const ref of refs) {
      const id = this.idOf(ref);
      if (id === undefined) missing.push(ref);
      else found.set(ref, id);
      looked += 1;
      if (looked % BATCH === 0) await pause();
    }
    if (missing.length > 0) await this.learn(missing, read, ({ ref, id }) => found.set(ref, id));
    return found;
  }

  /** Returns numbers by id, in the same way. A remembered number may stand for a record that was deleted since. */
  async refsOf(
    ids: Iterable<string>,
    read: (missing: readonly string[]) => Promise<readonly RefId[]>,
  ): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const missing: string[] = [];
    for (const id of ids) {
      const ref = this.refOf(id);
      if (ref === undefined) missing.push(id);
      else found.set(id, ref);
    }
    if (missing.length > 0) await this.learn(missing, read, ({ ref, id }) => found.set(id, ref));
    return found;
  }

  set(ref: number, id: string): void {
    if (this.young.ids.size >= this.limit) {
      this.old = this.young;
      this.young = new Pairs();
    }
    this.young.drop(ref);
    this.young.ids.set(ref, id);
    this.young.refs.set(id, ref);
  }

  /** Forgets a number whose record was deleted or may have been replaced. */
  drop(ref: number): void {
    this.drops += 1;
    this.young.drop(ref);
    this.old.drop(ref);
  }

  clear(): void {
    this.drops += 1;
    this.young = new Pairs();
    this.old = new Pairs();
  }

  private async learn<T>(
    missing: readonly T[],
    read: (missing: readonly T[]) => Promise<readonly RefId[]>,
    found: (pair: RefId) => void,
  ): Promise<void> {
    const pause = slicer();
    for (let start = 0; start < missing.length; start += BATCH) {
      if (start > 0) await pause();
      const { drops } = this;
      for (const pair of await read(missing.slice(start, start + BATCH))) {
        if (drops === this.drops) this.set(pair.ref, pair.id);
        found(pair);
      }
    }
  }
}

class Pairs {
  readonly ids = new Map<number, string>();
  readonly refs = new Map<string, number>();

  drop(ref: number): void {
    const id = this.ids.get(ref);
    if (id === undefined) return;
    this.ids.delete(ref);
    if (this.refs.get(id) === ref) this.refs.delete(id);
  }
}
