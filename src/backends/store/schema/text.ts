/** One row: the state of the text index. */
export interface TextMetaTable {
  id: number;
  /** Grows with every write to the index. */
  version: number;
  /** Random, new with every version: distinguishes a version from one of the same number that was rolled back. */
  stamp: number;
  /** Stamp of the version before. */
  parent: number;
  /** Refs up to here are given away, never used again. */
  last_ref: number;
  /** Postings of refs up to here lie in `text_segment`, later ones in `text_log`. */
  flushed: number;
  /** Postings and writes that wait in `text_log` for the next flush. */
  pending: number;
  pending_writes: number;
  /** Tombstones whose postings may still lie in segments. */
  dead: number;
}

/** Statistics of a domain. */
export interface TextDomainTable {
  num: number;
  name: string;
  documents: number;
  /** Tokens over all documents. */
  length: number;
  /** Version of the last change. */
  version: number;
}

export interface TextDocTable {
  /** Stands for one text for ever: a changed text is a new ref. */
  ref: number;
  id: string;
  domain: number;
  length: number;
  /** Leading 48 bits of the hash of what was indexed. */
  mark: number;
}

/** What a write changed: the feed of every reader, and the home of postings until they are flushed. */
export interface TextLogTable {
  version: number;
  stamp: number;
  parent: number;
  /** JSON `[{domain, bucket, terms, sizes}]`; null once flushed. */
  keys: string | null;
  /** The runs of `keys`, in its order. */
  adds: Uint8Array | null;
  /** Refs that died, as varint differences. */
  dead: Uint8Array | null;
}

/** Tombstones of log rows that were trimmed: refs as varint differences, one run after another. */
export interface TextDeadTable {
  version: number;
  refs: Uint8Array;
}

/** Posting list of a term in one bucket of refs: runs that were appended, ascending by ref. */
export interface TextSegmentTable {
  domain: number;
  term: string;
  bucket: number;
  data: Uint8Array;
}

/** Tables of the text group, as types. */
export interface TextTables {
  text_meta: TextMetaTable;
  text_domain: TextDomainTable;
  text_doc: TextDocTable;
  text_log: TextLogTable;
  text_dead: TextDeadTable;
  text_segment: TextSegmentTable;
}
