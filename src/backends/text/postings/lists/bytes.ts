/** A growing byte buffer with varints (7 bits a byte, low bits first). */
export class ByteWriter {
  bytes = new Uint8Array(4096);
  length = 0;

  varint(value: number): void {
    if (this.length + 8 > this.bytes.length) this.grow(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  append(part: Uint8Array): void {
    if (this.length + part.length > this.bytes.length) this.grow(part.length);
    this.bytes.set(part, this.length);
    this.length += part.length;
  }

  /** Returns what was written, without a copy: valid until the next write. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private grow(room: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + room));
    larger.set(this.written());
    this.bytes = larger;
  }
}

/** Encodes ascending refs as varint differences. */
export function encodeRefs(refs: readonly number[]): Uint8Array {
  const out = new ByteWriter();
  let last = 0;
  for (const ref of [...refs].sort((a, b) => a - b)) {
    out.varint(ref - last);
    last = ref;
  }
  return out.written().slice();
}

export function decodeRefs(bytes: Uint8Array): number[] {
  const refs: number[] = [];
  let last = 0;
  let at = 0;
  while (at < bytes.length) {
    let scale = 1;
    let byte = bytes[at++] as number;
    while (byte >= 0x80) {
      last += (byte & 0x7f) * scale;
      scale *= 0x80;
      byte = bytes[at++] as number;
    }
    last += byte * scale;
    refs.push(last);
  }
  return refs;
}
