import { wordsOf } from '../../../core/text/words.js';
import type { Part } from '../parts.js';

/** What parts the title of a page from the name of its site, or the steps of a way to it. */
const BETWEEN = / (?:[-–—|·•~:/«»<>‹›→←]|::|\|\|) | ?[|»›] ?/u;
/** What joins the parts that are kept: a sign that divides no path of headings. */
const JOINED = ' – ';
/** What programs and authors write where a page has no title yet, or is the first of its site. */
const SAYS_NOTHING =
  /^(?:untitled(?: (?:document|page))?|(?:new )?(?:document|page|dokument|documento?)(?: ?\d+)?|(?:microsoft )?(?:word|powerpoint) (?:document|- (?:document|dokument)\s?\d*(?:\.docx?)?)|home(?: ?page)?|start(?:page|seite)|index(?:\.\w+)?|unbenannt(?:es dokument)?|sans titre|sin título|senza titolo|sem título)$/iu;
/** Each passage of the document carries it. In characters. */
const LONGEST = 200;

/** Returns whether a title tells nothing about its document, as a program wrote it where nobody did. */
export function isPlaceholder(title: string): boolean {
  return SAYS_NOTHING.test(title.trim());
}

/**
 * Yields the parts of a document below its title, as far as the title says something that the first heading does not: "Quarry Lettings" of
 * "House rules – Quarry Lettings" stands above "House rules" and all that follows. What stands before the first heading has the whole title anyway.
 */
export function* belowTitle(title: string, parts: Iterable<Part>): Generator<Part> {
  let isFirst = true;
  for (const part of parts) {
    if (part.kind === 'heading' && isFirst) {
      isFirst = false;
      const text = beyond(title, part.text);
      if (text !== '' && text.length <= LONGEST) yield { kind: 'heading', level: 0, text };
    }
    yield part;
  }
}

/** Returns the parts of a title that hold a word which neither a heading nor a part before them does. */
function beyond(title: string, heading: string): string {
  const held = new Set(wordsOf(heading).map(({ stem }) => stem));
  const kept: string[] = [];
  for (const part of title.replace(/\s+/gu, ' ').trim().split(BETWEEN)) {
    const words = wordsOf(part);
    if (SAYS_NOTHING.test(part) || !words.some((word) => isContent(word) && !held.has(word.stem))) continue;
    kept.push(part);
    for (const { stem } of words) held.add(stem);
  }
  return kept.join(JOINED);
}

/** A word that carries grammar in some language says nothing: the title may be of any. */
function isContent({ languages }: ReturnType<typeof wordsOf>[number]): boolean {
  return languages === undefined;
}
