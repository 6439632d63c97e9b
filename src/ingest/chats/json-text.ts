/** A text that may be JSON, for readers that each ask for its value: it is parsed once, when the first of them asks. */
export class JsonText {
  private parsed: { readonly value: unknown } | undefined;
  /** The text without a byte order mark. */
  readonly written: string;

  constructor(text: string) {
    this.written = text.replace(/^\ufeff/u, '');
  }

  /** Returns the value of a text that begins so; undefined for another text, and for one that is no JSON. */
  valueAfter(beginning: RegExp): unknown {
    if (!beginning.test(this.written)) return undefined;
    this.parsed ??= { value: jsonOf(this.written) };
    return this.parsed.value;
  }
}

/** Returns the value of a text of JSON; undefined for another text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
