/** False for what not every engine can keep: NUL, and half a surrogate pair. */
export function isPlainText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** The text without NUL; half a surrogate pair becomes U+FFFD. */
export function plainText(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd');
}
