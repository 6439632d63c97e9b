import { isUtf8 } from 'node:buffer';
import { slicer } from '../../core/async/slices.js';
import { SvcError } from '../../core/errors.js';

/**
 * Returns the bytes of a text as UTF-8: UTF-16 where a byte order mark says so is converted. `charset` tells the one that
 * the document is in, asked where the bytes are not UTF-8; `advice` is what else helps where none is known. Throws `unsupported_media` for binary data,
 * `invalid_input` for another encoding.
 */
export async function utf8Of(
  bytes: Uint8Array,
  charset?: (bytes: Uint8Array) => string | undefined,
  advice?: string,
): Promise<Uint8Array> {
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  if (marked === undefined) refuseBinary(bytes);
  if (marked === undefined && isUtf8(bytes)) return bytes;
  const decoder = marked === undefined ? decoderOf(charset?.(bytes)) : new TextDecoder(marked, { fatal: true });
  if (decoder === undefined) throw notUtf8(bytes, advice);
  try {
    return await converted(bytes, decoder);
  } catch (error) {
    throw notText(`The file is not valid ${decoder.encoding} text; convert it to UTF-8 and ingest it again.`, error);
  }
}

/** Throws `unsupported_media` for bytes that are no text in any charset. */
export function refuseBinary(bytes: Uint8Array): void {
  if (!looksBinary(bytes)) return;
  if (looksUtf16(bytes)) {
    throw notText('The file looks like UTF-16 without the mark of its encoding; save it in UTF-8 and ingest it again.');
  }
  throw new SvcError('unsupported_media', 'The file holds binary data, not text; ingest a text form of it.', {
    member: 'source_path',
  });
}

/** Share of the letters that lies outside of ASCII at most in Western languages. */
const WESTERN = 0.2;

/** Bytes by which the charset of a table is told. */
const SAMPLED = 65_536;

/**
 * Returns the charset in which spreadsheets save tables in Japanese, or in Western languages, where a text may be of one: few of its letters lie
 * outside of ASCII, or `most` of them. In Cyrillic or Greek nearly all do.
 */
export function spreadsheetCharset(bytes: Uint8Array, most = WESTERN): string | undefined {
  const sample = bytes.subarray(0, SAMPLED);
  if (isShiftJis(sample)) return 'shift_jis';
  let [ascii, others] = [0, 0];
  for (const byte of sample) {
    const lower = byte | 32;
    if (byte >= 0x80) others += 1;
    else if (lower >= 0x61 && lower <= 0x7a) ascii += 1;
  }
  return others <= most * (ascii + others) ? 'windows-1252' : undefined;
}

/**
 * Returns whether bytes are Shift JIS: no other sequences, nearly all of its first rows (kana and the kanji in use), and most beside another one.
 * What looks like a sequence in a Western text is a sign or letter outside of ASCII with the letter after it, alone in its word. Katakana of half
 * a width, a byte each, may stand among them or alone.
 */
function isShiftJis(bytes: Uint8Array): boolean {
  let [pairs, usual, beside, run] = [0, 0, 0, 0];
  const halfWidth = new HalfWidthKana();
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    const isLead = (byte > 0x80 && byte < 0xa0) || (byte >= 0xe0 && byte <= 0xfc);
    if (isLead && at + 1 < bytes.length) {
      const trail = bytes[at + 1]!;
      if (trail < 0x40 || trail === 0x7f || trail > 0xfc) return false;
      at += 1;
      run += 1;
      pairs += 1;
      halfWidth.end();
      if (byte < 0xa0) usual += 1;
      if (run > 1) beside += run === 2 ? 2 : 1;
    } else {
      run = 0;
      if (byte > 0xa0 && byte < 0xe0) halfWidth.add(byte);
      else if (byte >= 0x80 && !isLead) return false;
      else halfWidth.end();
    }
  }
  halfWidth.end();
  const few = halfWidth.count <= 0.1 * pairs;
  return usual >= 0.9 * pairs && beside >= 0.75 * pairs && (few ? pairs > 0 : halfWidth.isKana());
}

/**
 * Bytes that are katakana of half a width in Shift JIS. They stand in words and come from the whole row: in Western texts they are signs and capitals
 * with accents, alone in their words, and in Cyrillic or Greek ones capitals from a half of it.
 */
class HalfWidthKana {
  count = 0;
  private inWords = 0;
  private first = 0;
  private last = 0;
  private run = 0;

  add(byte: number): void {
    this.count += 1;
    this.run += 1;
    if (byte >= 0xb0 && byte < 0xc0) this.first += 1;
    else if (byte >= 0xd0) this.last += 1;
  }

  /** Ends a word: of two bytes it may be none. */
  end(): void {
    if (this.run > 2) this.inWords += this.run;
    this.run = 0;
  }

  isKana(): boolean {
    const { count, inWords, first, last } = this;
    return inWords >= 0.75 * count && first >= 0.1 * count && last >= 0.1 * count;
  }
}

/** Charsets that are told from the bytes, as people call them. */
const CALLED: Readonly<Record<string, string>> = { 'windows-1252': 'Windows-1252', shift_jis: 'Shift JIS' };

/** Returns the error for bytes that are not UTF-8, with the command that converts them. */
function notUtf8(bytes: Uint8Array, advice?: string): SvcError {
  const charset = spreadsheetCharset(bytes);
  const guess = charset === undefined ? '' : `, perhaps ${CALLED[charset] ?? charset}`;
  const command = `iconv -f ${charset?.toUpperCase() ?? 'ITS_CHARSET'} -t UTF-8 FILE > NEW_FILE`;
  const other = advice === undefined ? '' : `, or ${advice}`;
  return notText(`The file is not UTF-8 text${guess}; convert it with "${command}" and ingest the new file${other}.`);
}

function notText(message: string, cause?: unknown): SvcError {
  return new SvcError('invalid_input', message, { member: 'source_path' }, { cause });
}

const SLICE = 1 << 18;

async function converted(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): Promise<Uint8Array> {
  const pause = slicer();
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += SLICE) {
    pieces.push(Buffer.from(decoder.decode(bytes.subarray(start, start + SLICE), { stream: true })));
    await pause();
  }
  return Buffer.concat([...pieces, Buffer.from(decoder.decode())]);
}

function decoderOf(label: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label, { fatal: false });
  } catch {
    return undefined;
  }
}

/** Returns whether a label names a charset. */
export function isCharset(label: string): boolean {
  return decoderOf(label) !== undefined;
}

/** Fewer bytes do not tell UTF-16 from what is no text. */
const FEWEST_UTF16 = 8;

/** Returns whether nearly every second byte, and no other, is a NUL, and hardly one a control character, as of Western text in UTF-16. */
function looksUtf16(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 65_536);
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at += 1) if (head[at] === 0) zeros[at % 2]! += 1;
  const [most, least] = [Math.max(...zeros), Math.min(...zeros)];
  const units = Math.floor(head.length / 2);
  return head.length >= FEWEST_UTF16 && least === 0 && most >= 0.9 * units && controlsIn(head) - most <= units / 20;
}

/** Returns true for a NUL anywhere, or more than one control character in twenty, among the first 64 KiB. */
function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  const head = bytes.subarray(0, 65_536);
  return controlsIn(head) * 20 > head.length;
}

/** Counts the bytes that stand in no text, NUL among them. */
function controlsIn(bytes: Uint8Array): number {
  let controls = 0;
  for (const byte of bytes)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls += 1;
  return controls;
}
