/** Number of records and the sum of their digests: equal for equal sets, in whatever order they come. */
export class DigestSum {
  count = 0;
  private sum = 0n;

  add(digest: Buffer): void {
    this.count += 1;
    this.sum = BigInt.asUintN(128, this.sum + digest.readBigUInt64LE(0) + (digest.readBigUInt64LE(8) << 64n));
  }

  equals(other: DigestSum): boolean {
    return this.count === other.count && this.sum === other.sum;
  }
}
