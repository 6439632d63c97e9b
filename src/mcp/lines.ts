import { Transform, type TransformCallback } from 'node:stream';

/** Bytes of one line. */
const LONGEST = 10 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Splits bytes into lines and passes on what `readLine` makes of each. A line that is not ended is not read. The end is
 * passed on once `beforeEnd` resolves.
 */
export class Lines extends Transform {
  private parts: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly readLine: (line: string) => readonly string[],
    private readonly beforeEnd: () => Promise<void>,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      const line = Buffer.concat(this.parts).toString().replace(/\r$/, '');
      this.parts = [];
      this.size = 0;
      start = end + 1;
      if (line.trim() !== '') for (const passed of this.readLine(line)) this.push(`${passed}\n`);
    }
    this.keep(chunk.subarray(start));
    done(this.size > LONGEST ? new Error(`A line is longer than ${LONGEST} bytes.`) : null);
  }

  override _flush(done: TransformCallback): void {
    this.beforeEnd().then(() => done(), done);
  }

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    this.parts.push(part);
    this.size += part.length;
  }
}
