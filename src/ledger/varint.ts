/** Bytes written front to back; numbers as LEB128, so small ones take one byte. */
export class ByteWriter {
  private bytes = new Uint8Array(256);
  private length = 0;

  /** Writes a non-negative integer below 2^53. */
  number(value: number): this {
    this.reserve(8);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length] = (rest % 128) | 128;
      this.length += 1;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length] = rest;
    this.length += 1;
    return this;
  }

  float(value: number): this {
    this.reserve(8);
    new DataView(this.bytes.buffer).setFloat64(this.length, value, true);
    this.length += 8;
    return this;
  }

  text(value: string): this {
    if (value === '') return this.number(0);
    const utf8 = Buffer.from(value, 'utf8');
    this.number(utf8.length);
    this.reserve(utf8.length);
    this.bytes.set(utf8, this.length);
    this.length += utf8.length;
    return this;
  }

  done(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}

/** Reads what `ByteWriter` wrote, in the same order. */
export class ByteReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get ended(): boolean {
    return this.at >= this.bytes.length;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at]!;
      this.at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  float(): number {
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, 8);
    this.at += 8;
    return view.getFloat64(0, true);
  }

  text(): string {
    const length = this.number();
    if (length === 0) return '';
    const start = this.at;
    this.at += length;
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, length).toString('utf8');
  }
}
