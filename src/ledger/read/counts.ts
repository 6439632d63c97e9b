/** How much a domain holds, or exists because of a source; also steps from one state to another. */
export interface Counts {
  concepts: number;
  edges: number;
  rules: number;
  passages: number;
}

export function noCounts(): Counts {
  return { concepts: 0, edges: 0, rules: 0, passages: 0 };
}
