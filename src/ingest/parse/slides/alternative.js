/** What a program wrote for a picture, or the name of its file. */
const SAYS_NOTHING =
  /automatically generated|automatisch generiert|générée? automatiquement|generad[ao] automáticamente|^\S+\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|emf|wmf)$/iu;
/** Fewer words name a thing: "Logo", "Picture 3". */
const FEWEST = 3;
/** A longer text is no description. In characters. */
const LONGEST = 2000;

/** Returns the alternative text of a picture, where it says what there is to see; else nothing. @param {string | undefined} written */
export function alternativeText(written = '') {
  const text = written.slice(0, LONGEST).replace(/\s+/gu, ' ').trim();
  return text.split(' ').length < FEWEST || SAYS_NOTHING.test(text) ? '' : text;
}
