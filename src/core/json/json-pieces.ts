import { slicer } from '../async/slices.js';
import { parseJson, syntaxError } from './json-text.js';
import { decodeUtf8, decodeWithin, endOfBlanks, isBlank, isBlankBetween, trimmed } from './utf8.js';

/** Bytes that are parsed in one step, if nothing else is said; shorter JSON is parsed at once. */
export const PIECE = 128 * 1024;
/** Steps between two looks at the clock. */
const STEPS = 2048;

const [QUOTE, COMMA, COLON, BACKSLASH, LETTER_U] = [0x22, 0x2c, 0x3a, 0x5c, 0x75];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Parses JSON in UTF-8 like `parseJson`, and gives way to the event loop where it is long. Long JSON never becomes one text,
 * which would be laid out in one step.
 */
export async function parseJsonInPieces(bytes: Uint8Array, piece = PIECE): Promise<unknown> {
  if (bytes.length <= piece) return parseJson(decodeUtf8(bytes));
  const json = trimmed(bytes);
  const isContainer = json[0] === OPEN_OBJECT || json[0] === OPEN_LIST;
  return isContainer ? new PieceParser(json, piece).parse() : parseJson(decodeUtf8(json));
}

/** An open object or list. Its value exists from the first piece on; until then it is part of what is around it. */
interface Open {
  readonly isList: boolean;
  readonly start: number;
  /** Where the bytes begin that are not parsed yet. */
  from: number;
  /** Places of the last comma and colon in it. */
  comma: number;
  colon: number;
  /** Whether an element must follow, since a comma was read. */
  expects: boolean;
  /** Whether an element with a value of its own has just ended: a comma or the end must follow. */
  ended: boolean;
  value: unknown[] | Record<string, unknown> | undefined;
}

/**
 * Cuts JSON where elements end and leaves the pieces to the built-in parser, which is fast and checks them: this only
 * follows quotes, brackets and commas. Ten megabytes take no more than a piece in one step.
 */
class PieceParser {
  private readonly open: Open[] = [];
  private readonly pause = slicer();
  private result: unknown;
  private at = 0;
  private slash = -1;
  /** Whether a piece was parsed since the last look at the clock. */
  private taken = false;

  constructor(
    private readonly json: Buffer,
    private readonly piece: number,
  ) {}

  async parse(): Promise<unknown> {
    const { json } = this;
    for (let steps = 1; this.at < json.length; steps += 1) {
      const code = json[this.at]!;
      if (code === QUOTE) await this.string();
      else if (isBlank(code)) this.passBlanks();
      else {
        this.structure(code);
        this.at += 1;
      }
      if (this.taken || steps % STEPS === 0) await this.pause();
      this.taken = false;
    }
    if (this.open.length > 0 || this.result === undefined) throw syntaxError(this.at);
    return this.result;
  }

  private structure(code: number): void {
    if (code === OPEN_OBJECT || code === OPEN_LIST) this.enter(code === OPEN_LIST);
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) this.leave(code === CLOSE_LIST);
    else if (code === COMMA) this.separate();
    else if (code === COLON && this.open.length > 0) this.top().colon = this.at;
    else if (this.open.length === 0) throw syntaxError(this.at);
  }

  /** Goes past white space, of which very much may stand in a row. */
  private passBlanks(): void {
    const { json, at } = this;
    this.at = endOfBlanks(json, at + 1, at + PIECE);
    if (this.at - at > STEPS) this.taken = true;
  }

  private top(): Open {
    return this.open[this.open.length - 1]!;
  }

  private enter(isList: boolean): void {
    if (this.open.length === 0 && this.result !== undefined) throw syntaxError(this.at);
    const start = this.at;
    this.open.push({
      isList,
      start,
      from: start + 1,
      comma: -1,
      colon: -1,
      expects: false,
      ended: false,
      value: undefined,
    });
  }

  private separate(): void {
    if (this.open.length === 0) throw syntaxError(this.at);
    const open = this.top();
    if (open.ended) {
      this.requireBlank(open.from, this.at);
      this.next(open, this.at + 1);
      open.expects = true;
    } else if (this.at - open.from > this.piece) this.take(open, this.at);
    else open.comma = this.at;
  }

  private leave(isList: boolean): void {
    const open = this.open.pop();
    if (open === undefined || open.isList !== isList) throw syntaxError(this.at);
    if (this.open.length > 0 && open.value === undefined && this.at - open.start <= this.piece) return;
    if (open.value === undefined) {
      const around = this.open.at(-1);
      const whole = this.parsed(open.start, this.at + 1);
      if (around === undefined) this.result = whole;
      else this.keep(around, this.keyBefore(around, open.start), whole);
      return;
    }
    if (open.ended) this.requireBlank(open.from, this.at);
    else if (open.expects || !isBlankBetween(this.json, open.from, this.at)) this.take(open, this.at);
    const around = this.open.at(-1);
    if (around === undefined) this.result = open.value;
    else this.keep(around, this.keys.pop()!, open.value);
  }

  /** Keys under which open elements with values of their own stand; an empty text in lists. */
  private readonly keys: string[] = [];

  /** Gives an open element, and all around it, values of their own. */
  private value(open: Open): unknown[] | Record<string, unknown> {
    if (open.value !== undefined) return open.value;
    const around = this.open[this.open.indexOf(open) - 1];
    if (around !== undefined) this.keys.push(this.keyBefore(around, open.start));
    open.value = open.isList ? [] : {};
    return open.value;
  }

  /** Parses what stands before an element with a value of its own; returns the key it has in an object. */
  private keyBefore(around: Open, start: number): string {
    this.value(around);
    if (around.comma >= around.from) this.take(around, around.comma);
    if (around.ended) throw syntaxError(this.at);
    if (around.isList) {
      this.requireBlank(around.from, start);
      return '';
    }
    if (around.colon < around.from) throw syntaxError(this.at);
    this.requireBlank(around.colon + 1, start);
    const [key] = Object.keys(parseJson(`{${this.text(around.from, around.colon)}:0}`, around.from) as object);
    if (key === undefined) throw syntaxError(this.at);
    return key;
  }

  private keep(around: Open, key: string, element: unknown): void {
    if (Array.isArray(around.value)) around.value.push(element);
    else (around.value as Record<string, unknown>)[key] = element;
    this.next(around, this.at + 1);
    around.ended = true;
  }

  /** Parses the elements from the last cut to `end`, where a comma or the end of the element is. */
  private take(open: Open, end: number): void {
    const value = this.value(open);
    if (isBlankBetween(this.json, open.from, end)) throw syntaxError(this.at);
    const piece = this.text(open.from, end);
    if (Array.isArray(value))
      for (const element of parseJson(`[${piece}]`, open.from) as unknown[]) value.push(element);
    else Object.assign(value, parseJson(`{${piece}}`, open.from));
    this.next(open, end + 1);
    open.expects = true;
    this.taken = true;
  }

  private next(open: Open, from: number): void {
    open.from = from;
    open.comma = -1;
    open.ended = false;
    open.expects = false;
  }

  private requireBlank(start: number, end: number): void {
    if (!isBlankBetween(this.json, start, end)) throw syntaxError(this.at);
  }

  private text(start: number, end: number): string {
    return decodeWithin(this.json.subarray(start, end));
  }

  private parsed(start: number, end: number): unknown {
    this.taken = true;
    return parseJson(this.text(start, end), start);
  }

  /** Goes past a string. A long one that is an element gets a value of its own, made in pieces. */
  private async string(): Promise<void> {
    if (this.open.length === 0) throw syntaxError(this.at);
    const start = this.at;
    const end = await this.endOfString(start + 1);
    const around = this.top();
    const isKey = !around.isList && around.colon < Math.max(around.from, around.comma);
    if (end - start > this.piece && !isKey) {
      await this.pause();
      const key = this.keyBefore(around, start);
      const value = await this.longString(start + 1, end);
      this.at = end;
      this.keep(around, key, value);
    }
    this.at = end + 1;
  }

  /** Returns the place of the quote that ends a string. */
  private async endOfString(start: number): Promise<number> {
    let from = start;
    let quote = -1;
    for (let steps = 1; ; steps += 1) {
      // Searched for anew only once it is passed: a search for each escape would read the whole text each time.
      if (quote < from) quote = this.json.indexOf(QUOTE, from);
      if (quote < 0) throw syntaxError(this.at);
      if (this.nextSlash(from) > quote) return quote;
      from = this.nextSlash(from) + 2;
      if (steps % STEPS === 0) await this.pause();
    }
  }

  private nextSlash(from: number): number {
    if (this.slash < from) {
      const found = this.json.indexOf(BACKSLASH, from);
      this.slash = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return this.slash;
  }

  /** Parses a string between its quotes, cut where no escape is. */
  private async longString(start: number, end: number): Promise<string> {
    let value = '';
    this.slash = -1;
    for (let from = start; from < end; ) {
      const cut = this.cutAfter(from, end);
      value += parseJson(`"${this.text(from, cut)}"`, from) as string;
      from = cut;
      await this.pause();
    }
    return value;
  }

  /** Returns where a piece of a string ends that begins at `from`: past every escape and character that it begins. */
  private cutAfter(from: number, end: number): number {
    const wanted = Math.min(end, from + this.piece);
    let at = from;
    while (this.nextSlash(at) < wanted) {
      const slash = this.nextSlash(at);
      at = slash + (this.json[slash + 1] === LETTER_U ? 6 : 2);
    }
    let cut = Math.min(end, Math.max(at, wanted));
    while (cut < end && isWithinCharacter(this.json[cut]!)) cut += 1;
    return cut;
  }
}

/** Returns whether a byte of UTF-8 goes on with a character that began before it. */
function isWithinCharacter(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
