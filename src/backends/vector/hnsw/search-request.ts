/** Which slots a search may return: `mask` by slot, or partition codes, or every live one. */
export interface Candidates {
  readonly count: number;
  readonly mask: Uint8Array | undefined;
}

export interface SearchLimits {
  /** Fewer candidates than this are always scanned exactly. */
  readonly exactBelow: number;
  /** The least number of candidates that a graph search keeps in view. */
  readonly ef: number;
}

export interface SearchRequest {
  /** As prepared for the metric. */
  readonly query: Float32Array;
  readonly k: number;
  readonly candidates: Candidates;
  readonly limits: SearchLimits;
}
