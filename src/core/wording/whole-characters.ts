/** Returns whether the unit at a place is the second one of a character of two. */
export function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Returns a text that was cut off without the first half of a character at its end. */
export function withoutHalf(cut: string): string {
  return cut.replace(/[\uD800-\uDBFF]$/u, '');
}
