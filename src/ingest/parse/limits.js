/** Bounds of one document. What exceeds one is refused with `too_large` and the name of the limit. */
export const LIMITS = Object.freeze({
  /** Time on the clock, seconds: for a parser that waits for ever. It holds the time of the processor many times, for a busy machine. */
  seconds: 180,
  /** Time in which the parser computes, seconds. */
  processorSeconds: 20,
  /** Heap of a parser, MiB. */
  heapMib: 768,
  /** Array buffers of a parser, MiB: decompressed streams lie there. */
  bufferMib: 256,
  /** Memory of a parser that is in use altogether, MiB. */
  residentMib: 1280,
  /** Text of a document, characters. */
  characters: 64 << 20,
  /** What the commands stand for that a LaTeX source defines, the macros of an Org file, and the abbreviations of BibTeX, characters. */
  expandedCharacters: 2_000_000,
  /** Different keys of the records of a file of JSON: a table has a column for each. */
  columns: 2000,
  /** Of a spreadsheet, and of the table that a file of JSON records makes, up to the last key of each record. */
  cells: 10_000_000,
  pdfPages: 5000,
  /** Entries of an archive: DOCX, PPTX, ODT and the like. */
  entries: 10_000,
  /** Decompressed text of an archive, MiB. */
  unpackedMib: 64,
  /** The same of a spreadsheet, whose cells take many signs each. */
  sheetMib: 160,
  /** Decompressed to compressed size of an entry over 1 MiB. */
  ratio: 200,
  docxParagraphs: 50_000,
  /** Elements of a file of XML in an archive: each lies in memory. */
  elements: 1_000_000,
  /** Open elements of an HTML page or a file of XML: each end tag may look through them all. Browsers keep 512. */
  depth: 2000,
});

/** A document exceeds a limit; the message completes "<name> …". */
export class LimitExceeded extends Error {
  name = 'LimitExceeded';

  /**
   * @param {keyof typeof LIMITS} limit
   * @param {string} message
   */
  constructor(limit, message) {
    super(message);
    this.limit = limit;
  }
}
