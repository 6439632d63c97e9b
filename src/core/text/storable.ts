/** Node 20 has it, the type library of our target does not know it yet. */
const { isWellFormed, toWellFormed } = String.prototype as string & {
  isWellFormed(this: string): boolean;
  toWellFormed(this: string): string;
};

/** Returns false for a text that not every engine can store: with NUL, or half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && isWellFormed.call(text);
}

/** Returns the text without NUL; half a surrogate pair becomes U+FFFD. */
export function storableText(text: string): string {
  return toWellFormed.call(text.replaceAll('\0', ''));
}
