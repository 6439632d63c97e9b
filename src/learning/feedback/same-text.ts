/** Whether what was said of one text counts for the other; an unknown text (null) is taken for the same. */
export function sameText(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}
