import { htmlParts } from '../html.js';

/** @typedef {import('../parts.js').Part} Part */
/**
 * A slide as it was read. Its title, text and notes are HTML. `opens`: it is the title slide of the presentation; `divides`: it is the title of a section.
 * @typedef {{ title: string, text: string, notes: string, isHidden: boolean, opens?: boolean, divides?: boolean }} Slide
 */

/** What programs call a presentation that nobody gave a title. */
const SAYS_NOTHING =
  /^(?:(?:microsoft )?(?:power ?point[ -])?(?:(?:new|untitled) )?(?:presentation|präsentation|présentation|presentación|presentazione|apresentação|presentatie|slideshow)(?: ?\d+)?|(?:slide|folie) ?\d+|untitled|unbenannt|sans titre)$/iu;
/** A title of so many words says something by itself, on a slide that has no other text. */
const STATEMENT = 4;
const HIDDEN = ' (hidden slide)';

/**
 * Returns the parts of a presentation. Its title is that of its title slide, else the one in its properties, and stands above those of the slides, these
 * below the title of their section. A slide without a title goes on below the one before it that is shown, in a passage of its own. What the speaker notes stands below the text.
 * @param {Iterable<Slide>} slides @param {string} property
 * @returns {Generator<Part>}
 */
export function* deckParts(slides, property) {
  let isFirst = true;
  let below = 1;
  /** The title of the last slide that is shown. @type {Part | undefined} */
  let shown;
  let isBelowHidden = false;
  for (const slide of slides) {
    const title = titleOf(slide);
    const blocks = [...partsOf(slide.text), ...notesOf(slide.notes)];
    const opens = isFirst && slide.opens === true && title !== '';
    if (isFirst && !opens && property !== '' && !SAYS_NOTHING.test(property)) {
      yield { kind: 'heading', level: 1, text: property };
      below = 2;
    }
    const level = opens ? 1 : slide.divides ? Math.min(below, 2) : below;
    /** @type {Part | undefined} */
    const heading =
      title === '' ? undefined : { kind: 'heading', level, text: slide.isHidden ? title + HIDDEN : title };
    if (heading !== undefined) {
      yield heading;
      isBelowHidden = slide.isHidden;
      if (!slide.isHidden) shown = heading;
    } else if (isBelowHidden && !slide.isHidden && shown !== undefined) {
      yield shown;
      isBelowHidden = false;
    }
    if (opens) below = 2;
    if (slide.divides && title !== '') below = level + 1;
    isFirst = false;
    if (blocks.length === 0 && !opens && !slide.divides && saysSomething(title)) yield { kind: 'prose', text: title };
    for (const [i, block] of blocks.entries())
      yield i === 0 && title === '' && block.kind !== 'heading' ? { ...block, opens: true } : block;
  }
}

/** A title may be an item of a list. @param {Slide} slide */
function titleOf({ title }) {
  const texts = partsOf(title).map(({ kind, text }) =>
    kind === 'list' ? text.replace(/^\s*(?:-|\d+\.) /u, '') : text,
  );
  return texts.join(' ').replace(/\s+/gu, ' ').trim();
}

/** @param {string} html @returns {Part[]} */
function partsOf(html) {
  return html === '' ? [] : htmlParts(html).parts;
}

/** @param {string} html @returns {Part[]} */
function notesOf(html) {
  const [first, ...others] = partsOf(html);
  if (first === undefined) return [];
  return first.kind === 'prose'
    ? [{ ...first, text: `notes: ${first.text}` }, ...others]
    : [{ kind: 'prose', text: 'notes:' }, first, ...others];
}

/** @param {string} title */
function saysSomething(title) {
  return title.split(' ').length >= STATEMENT;
}
