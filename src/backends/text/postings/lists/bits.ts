/** A growing set of small integers, one bit each. */
export class Bits {
  size = 0;
  private words = new Uint32Array(64);

  has(value: number): boolean {
    return (((this.words[value >>> 5] ?? 0) >>> (value & 31)) & 1) === 1;
  }

  /** Adds a value and returns whether it was new. */
  add(value: number): boolean {
    if (this.has(value)) return false;
    const word = value >>> 5;
    if (word >= this.words.length) {
      const larger = new Uint32Array(Math.max(word + 1, this.words.length * 2));
      larger.set(this.words);
      this.words = larger;
    }
    this.words[word] = (this.words[word] as number) | (1 << (value & 31));
    this.size += 1;
    return true;
  }
}
