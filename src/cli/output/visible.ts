/** Controls of C0 and C1, DEL, and those that turn the direction of text. */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Members that hold text of several lines; what else holds a line break is a name of someone's making. */
const TEXTS = new Set(['content', 'text', 'description']);

/**
 * Returns a name, label, path or sentence as a terminal may show it: controls are written out, so that none of them moves
 * the cursor, hides something or begins a line.
 */
export function visible(text: string): string {
  return text.replace(CONTROLS, writtenOut);
}

/** Returns a text of several lines as a terminal may show it: its line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, (control) => (control === '\n' || control === '\t' ? control : writtenOut(control)));
}

/** Returns JSON as a terminal may show it; it stays the same value. */
export function visibleJson(json: string): string {
  return json.replace(CONTROLS, (control) =>
    control === '\n' ? control : `\\u${control.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
}

/** Returns an answer with every string in it, names of members too, as a terminal may show it. */
export function visibleAnswer<T>(answer: T): T {
  return cleaned(answer, '') as T;
}

function cleaned(value: unknown, member: string): unknown {
  if (typeof value === 'string') return TEXTS.has(member) ? visibleText(value) : visible(value);
  if (Array.isArray(value)) return value.map((element) => cleaned(element, member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [visible(name), cleaned(inner, name)]));
}

function writtenOut(control: string): string {
  const code = control.codePointAt(0)!.toString(16);
  return NAMED[control] ?? (code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`);
}
