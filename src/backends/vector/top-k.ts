/** The k best of a stream of (item, rank) pairs: a binary heap on typed arrays whose root is the worst one kept. */
export class TopK {
  readonly items: Float64Array;
  readonly ranks: Float64Array;
  size = 0;
  /** A pair must beat this to enter; -Infinity until k are kept. */
  floor: number = Number.NEGATIVE_INFINITY;
  /** Pairs that were refused although they equal the worst one kept at that time. */
  private tiedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly k: number) {
    this.items = new Float64Array(k);
    this.ranks = new Float64Array(k);
  }

  offer(item: number, rank: number): void {
    if (this.size < this.k) {
      this.up(this.size, item, rank);
      this.size += 1;
      if (this.size === this.k) this.floor = this.ranks[0]!;
      return;
    }
    if (!(rank > this.floor)) {
      if (rank === this.floor) this.tiedAt = rank;
      return;
    }
    const evicted = this.floor;
    this.down(item, rank);
    this.floor = this.ranks[0]!;
    if (this.floor === evicted) this.tiedAt = evicted;
  }

  /**
   * Returns true when pairs outside have exactly the rank of the worst one kept, so that the choice among them was
   * arbitrary.
   */
  get cutsTie(): boolean {
    return this.size > 0 && this.tiedAt === this.floor;
  }

  /** Returns the pairs, best first; equal ranks in order of the item number. */
  sorted(): Array<{ item: number; rank: number }> {
    const list: Array<{ item: number; rank: number }> = [];
    for (let i = 0; i < this.size; i += 1) list.push({ item: this.items[i]!, rank: this.ranks[i]! });
    return list.sort((a, b) => b.rank - a.rank || a.item - b.item);
  }

  private up(start: number, item: number, rank: number): void {
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.ranks[parent]! <= rank) break;
      this.items[at] = this.items[parent]!;
      this.ranks[at] = this.ranks[parent]!;
      at = parent;
    }
    this.items[at] = item;
    this.ranks[at] = rank;
  }

  private down(item: number, rank: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.k) break;
      if (child + 1 < this.k && this.ranks[child + 1]! < this.ranks[child]!) child += 1;
      if (this.ranks[child]! >= rank) break;
      this.items[at] = this.items[child]!;
      this.ranks[at] = this.ranks[child]!;
      at = child;
    }
    this.items[at] = item;
    this.ranks[at] = rank;
  }
}
