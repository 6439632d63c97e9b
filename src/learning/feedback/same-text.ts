/** Returns whether feedback on one text counts for the other; an unknown text (null) counts as the same. */
export function sameText(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}
