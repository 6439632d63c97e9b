import { SvcError } from '../errors.js';

const MAX_DEPTH = 100;
/** Members of one object, and of all objects of a body. */
const MAX_MEMBERS = 10_000;
const MAX_ALL_MEMBERS = 200_000;
/** Objects and lists of a body, and commas: about as many elements of lists. */
const MAX_CONTAINERS = 200_000;
const MAX_COMMAS = 2_000_000;
/** Names of members and texts: each is a value of its own, which the collector of garbage looks at in one step. */
const MAX_TEXTS = 500_000;

/** Bytes of a text that are read one by one before its end is searched for. */
const NEAR = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COLON, COMMA] = [0x3a, 0x2c];
const [OPEN_OBJECT, OPEN_LIST, CLOSE_OBJECT, CLOSE_LIST] = [0x7b, 0x5b, 0x7d, 0x5d];

/**
 * Counts nesting and members of JSON while its bytes arrive, in one pass, so that a body is refused before it is parsed:
 * an object of hundreds of thousands of members holds the event loop for seconds.
 */
export class JsonLimits {
  /** Members so far of each open object or list. */
  private readonly open: number[] = [];
  private all = 0;
  private containers = 0;
  private commas = 0;
  private texts = 0;
  /** Places of the next quote and the next backslash of the chunk, as far as they are known. */
  private next = { [QUOTE]: -1, [BACKSLASH]: -1 };
  private inString = false;
  private escaped = false;

  /** Counts the next bytes; throws `too_large` for too many members, `invalid_input` for absurd nesting. */
  scan(chunk: Uint8Array): void {
    this.next = { [QUOTE]: -1, [BACKSLASH]: -1 };
    for (let at = 0; at < chunk.length; ) {
      if (this.inString) at = this.string(chunk, at);
      else {
        this.structure(chunk[at]!);
        at += 1;
      }
    }
  }

  /** Goes on in a text; returns where it stopped. A long one is searched for its end, not read byte by byte. */
  private string(chunk: Uint8Array, start: number): number {
    const near = Math.min(chunk.length, start + NEAR);
    let at = start;
    for (; at < near; at += 1) {
      const byte = chunk[at]!;
      if (this.escaped) this.escaped = false;
      else if (byte === BACKSLASH) this.escaped = true;
      else if (byte === QUOTE) {
        this.inString = false;
        return at + 1;
      }
    }
    if (this.escaped || at >= chunk.length) return at;
    return Math.min(this.nextOf(QUOTE, chunk, at), this.nextOf(BACKSLASH, chunk, at));
  }

  /** Returns the next place of a byte, or the end: searched for anew only once it is passed. */
  private nextOf(byte: typeof QUOTE | typeof BACKSLASH, chunk: Uint8Array, from: number): number {
    if (this.next[byte] < from) {
      const found = chunk.indexOf(byte, from);
      this.next[byte] = found === -1 ? chunk.length : found;
    }
    return this.next[byte];
  }

  private structure(byte: number): void {
    if (byte === QUOTE) this.text();
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.enter();
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.open.pop();
    else if (byte === COLON) this.member();
    else if (byte === COMMA) this.comma();
  }

  private enter(): void {
    this.open.push(0);
    this.containers += 1;
    if (this.containers > MAX_CONTAINERS) throw tooMany('The body', MAX_CONTAINERS, 'objects and lists');
    if (this.open.length <= MAX_DEPTH + 1) return;
    throw new SvcError('invalid_input', `The body is nested deeper than ${MAX_DEPTH} levels; flatten it.`);
  }

  private text(): void {
    this.inString = true;
    this.texts += 1;
    if (this.texts > MAX_TEXTS) throw tooMany('The body', MAX_TEXTS, 'names and texts');
  }

  private comma(): void {
    this.commas += 1;
    if (this.commas > MAX_COMMAS) throw tooMany('The body', MAX_COMMAS, 'elements');
  }

  private member(): void {
    this.all += 1;
    const last = this.open.length - 1;
    if (last >= 0) this.open[last] = (this.open[last] ?? 0) + 1;
    if ((this.open[last] ?? 0) > MAX_MEMBERS) throw tooMany('An object of the body', MAX_MEMBERS);
    if (this.all > MAX_ALL_MEMBERS) throw tooMany('The body', MAX_ALL_MEMBERS);
  }
}

function tooMany(subject: string, limit: number, of = 'members'): SvcError {
  return new SvcError('too_large', `${subject} has more than ${limit} ${of}; send it in parts.`, { limit });
}
