export interface IdRange {
  readonly after: string;
  readonly below: string;
}

/** Ids of a domain's nodes begin with its name and a colon: they lie between the two. */
export function idRange(domain: string): IdRange {
  return { after: `${domain}:`, below: `${domain};` };
}

/** Every id lies between the two. */
export const ALL_IDS: IdRange = { after: '', below: '\u{10FFFF}' };
