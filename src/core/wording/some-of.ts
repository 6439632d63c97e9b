/** Returns names as a sentence lists them, at most so many: "a, b and 3 more". */
export function someOf(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}
