/**
 * Internal numbers and ids of the same things, remembered both ways. Two generations bound what is kept: when the younger
 * is full it becomes the older, and what nobody asked for since is forgotten.
 */
export class RefIds {
  private young = new Pairs();
  private old = new Pairs();

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

  set(ref: number, id: string): void {
    if (this.young.ids.size >= this.limit) {
      this.old = this.young;
      this.young = new Pairs();
    }
    this.young.drop(ref);
    this.young.ids.set(ref, id);
    this.young.refs.set(id, ref);
  }

  /** Forgets a number whose thing is gone or may have become another. */
  drop(ref: number): void {
    this.young.drop(ref);
    this.old.drop(ref);
  }

  clear(): void {
    this.young = new Pairs();
    this.old = new Pairs();
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
