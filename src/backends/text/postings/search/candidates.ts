/**
 * The best `k` documents seen so far and every one that ties with the last of them. `limit` is the score under which a
 * document cannot matter any more, a hair below the k-th best so that rounding of bounds never loses a tie.
 */
export class Candidates {
  limit = 0;
  private threshold = 0;
  /** Min-heap of the k best scores. */
  private readonly heap: number[] = [];
  private refs: number[] = [];
  private scores: number[] = [];
  private readonly taken = new Set<number>();
  private tidyAt: number;

  constructor(private readonly k: number) {
    this.tidyAt = 2 * k + 4096;
  }

  /** Offers a document; one offered again through a later list is ignored, since its first score was complete. */
  offer(ref: number, score: number): void {
    if (score < this.threshold || score <= 0 || this.taken.has(ref)) return;
    this.taken.add(ref);
    this.refs.push(ref);
    this.scores.push(score);
    this.keep(score);
    if (this.refs.length >= this.tidyAt) this.tidy();
  }

  /** Returns documents certainly among the best, and those that tie for the last `open` places. */
  result(): {
    readonly sure: Array<{ ref: number; score: number }>;
    readonly tied: number[];
    readonly score: number;
    readonly open: number;
  } {
    const sure: Array<{ ref: number; score: number }> = [];
    const tied: number[] = [];
    for (let i = 0; i < this.refs.length; i += 1) {
      const score = this.scores[i] as number;
      if (score > this.threshold) sure.push({ ref: this.refs[i] as number, score });
      else if (score === this.threshold) tied.push(this.refs[i] as number);
    }
    return { sure, tied, score: this.threshold, open: this.k - sure.length };
  }

  private keep(score: number): void {
    const { heap, k } = this;
    if (heap.length < k) {
      heap.push(score);
      this.siftUp(heap.length - 1);
    } else if (score > (heap[0] as number)) {
      heap[0] = score;
      this.siftDown();
    }
    if (heap.length === k) {
      this.threshold = heap[0] as number;
      this.limit = this.threshold * (1 - 1e-12);
    }
  }

  /** Drops what fell under the threshold; ties may stay in any number, so it is called again when they have doubled. */
  private tidy(): void {
    let kept = 0;
    for (let i = 0; i < this.refs.length; i += 1) {
      const score = this.scores[i] as number;
      if (score < this.threshold) continue;
      this.refs[kept] = this.refs[i] as number;
      this.scores[kept] = score;
      kept += 1;
    }
    this.refs.length = kept;
    this.scores.length = kept;
    this.tidyAt = Math.max(this.tidyAt, 2 * kept);
  }

  private siftUp(from: number): void {
    const { heap } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((heap[parent] as number) <= (heap[at] as number)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private siftDown(): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && (heap[child] as number) < (heap[least] as number)) least = child;
      }
      if (least === at) return;
      this.swap(at, least);
      at = least;
    }
  }

  private swap(a: number, b: number): void {
    const { heap } = this;
    const value = heap[a] as number;
    heap[a] = heap[b] as number;
    heap[b] = value;
  }
}
