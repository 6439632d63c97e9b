/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./marks.js').NoteRef} NoteRef */
/** @typedef {import('./html-notes.js').Anchor} Anchor */
/**
 * A part as it was read: the marks in it, the element of a note that it stands in, the mark that begins a note of Markdown, the number of <details> about it, and whether it is
 * the <summary> of one.
 * @typedef {{ part: Part, main?: boolean, refs: NoteRef[], note: Anchor | undefined, mark?: string, details?: number, isSummary?: boolean }} ReadPart
 */

/** A longer note stays where it stands. In characters. */
const LONGEST_NOTE = 8000;
/** Further notes of one text are paragraphs after it. In characters. */
const MOST_CARRIED = 16_000;
/** So many texts that refer to one note carry it; what refers to it after them has its mark alone. */
const MOST_COPIES = 8;

/**
 * Yields the parts of a document with the notes that they refer to: a paragraph, list item or table row carries them, below
 * a heading they are paragraphs. A note that nothing kept refers to stays where it stands. One pass over parts and marks each.
 * @param {Iterable<ReadPart>} kept What is read of the document.
 * @param {Iterable<ReadPart>} [all] Where its notes stand.
 * @returns {Generator<Part>}
 */
export function* placeNotes(kept, all = kept) {
  const notes = new Notes(kept, all);
  for (const read of kept) {
    if (notes.isPlaced(read)) continue;
    const { part, refs, mark } = read;
    const found = notes.carriedBy(refs);
    const carried = part.kind === 'heading' ? [] : found.splice(0, countWithin(found, MOST_CARRIED));
    const marked = mark === undefined ? part : { ...part, text: `${mark} ${part.text}` };
    yield carried.length === 0 ? marked : { ...marked, notes: carried };
    for (const text of found) yield { kind: 'prose', text };
  }
}

/** Returns how many of the first texts have at most `size` characters together. @param {string[]} texts */
function countWithin(texts, size) {
  let rest = size;
  const over = texts.findIndex((text) => {
    rest -= text.length;
    return rest < 0;
  });
  return over === -1 ? texts.length : over;
}

/** The notes of a document that something refers to. */
class Notes {
  /** Marks that lead to a place, by its id. @type {Map<string, string>} */
  marks = new Map();
  /** The note in which each anchor lies; undefined for none. @type {Map<Anchor, string | undefined>} */
  places = new Map();
  /** Texts of the notes, by id. @type {Map<string, string>} */
  texts = new Map();
  /** @type {Map<string, number>} */
  copies = new Map();

  /** @param {Iterable<ReadPart>} kept @param {Iterable<ReadPart>} all */
  constructor(kept, all) {
    for (const { refs } of all) for (const { target, mark } of refs) this.marks.set(target, mark);
    if (this.marks.size === 0) return;
    const candidates = this.candidates(all);
    /** Ids that a kept text outside of all notes refers to: it carries them. @type {Set<string>} */
    const wanted = new Set();
    for (const { refs, note } of kept) {
      const place = this.placeOf(note);
      if (place === undefined || !candidates.has(place)) for (const { target } of refs) wanted.add(target);
    }
    for (const [id, text] of candidates) if (wanted.has(id)) this.texts.set(id, text);
  }

  /** Returns what may be notes: short texts without headings that are marked as notes or begin with their mark. */
  candidates(all) {
    /** @type {Map<string, { texts: string[], size: number, isNote: boolean }>} */
    const found = new Map();
    for (const { part, note } of all) {
      const id = this.placeOf(note);
      if (id === undefined) continue;
      const open = found.get(id) ?? { texts: [], size: 0, isNote: false };
      found.set(id, open);
      open.size += part.kind === 'heading' ? LONGEST_NOTE : part.text.length;
      open.isNote ||= note.isNote || this.beginsWithMark(part.text, id);
      if (open.size < LONGEST_NOTE) open.texts.push(part.text);
    }
    const texts = new Map();
    for (const [id, { texts: written, size, isNote }] of found) {
      const text = size < LONGEST_NOTE && isNote ? this.textOf(written, id) : '';
      if (text !== '') texts.set(id, text);
    }
    return texts;
  }

  /** Returns the id of the innermost note in which an anchor lies. @param {Anchor | undefined} anchor */
  placeOf(anchor) {
    /** @type {Anchor[]} */
    const passed = [];
    let at = anchor;
    while (at !== undefined && !this.places.has(at) && !this.marks.has(at.id)) {
      passed.push(at);
      at = at.parent;
    }
    const place = at === undefined ? undefined : this.places.has(at) ? this.places.get(at) : at.id;
    for (const each of passed) this.places.set(each, place);
    return place;
  }

  beginsWithMark(text, id) {
    return afterMark(text.replace(/^\| /u, ''), this.marks.get(id)) !== undefined;
  }

  /** Returns the text of a note without its own mark and the sign of a list. */
  textOf(written, id) {
    const text = written.join('\n');
    const bare = text.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/u, '');
    return (afterMark(bare, this.marks.get(id)) ?? bare).trim();
  }

  /** @param {ReadPart} read */
  isPlaced({ note }) {
    if (this.texts.size === 0 || note === undefined) return false;
    const place = this.placeOf(note);
    return place !== undefined && this.texts.has(place);
  }

  /** Returns the notes that a text carries. @param {NoteRef[]} refs */
  carriedBy(refs) {
    if (this.texts.size === 0 || refs.length === 0) return [];
    const found = [];
    for (const [target, mark] of new Map(refs.map(({ target, mark }) => [target, mark]))) {
      const text = this.texts.get(target);
      const copies = this.copies.get(target) ?? 0;
      if (text === undefined || copies >= MOST_COPIES) continue;
      this.copies.set(target, copies + 1);
      found.push(`${mark} ${text}`);
    }
    return found;
  }
}

/**
 * Returns what follows the mark of a note that begins with it: "[2] …", "(2) …", "2. …"; undefined where it does not.
 * @param {string} text
 * @param {string} mark
 */
function afterMark(text, mark) {
  const label = mark.slice(1, -1);
  const start = text[0] === '[' || text[0] === '(' ? 1 : 0;
  if (!text.startsWith(label, start)) return undefined;
  const rest = text.slice(start + label.length).replace(/^[\])]?[.:]?/u, '');
  return rest === '' || /^\s/u.test(rest) ? rest : undefined;
}
