/** The mark of a line that defines the term above it, as PHP Markdown Extra and Pandoc write it: `: What it is.` */
const DEFINITION = /^:[ \t]+/u;
/** A line that may be the next term where a definition stands above and below it: short, not indented, and no end of a sentence. */
const TERM = /^[^\s:].{0,80}(?<![.!?,;])$/u;

/** Returns a paragraph as one for each term, its definitions behind it: "packs/: Packs of chunks; up to 128 MiB". @param {string} written @returns {string[]} */
export function withDefinitions(written) {
  if (!written.includes('\n:') || written.startsWith(':')) return [written];
  const lines = written.split('\n');
  const isDefinition = (/** @type {number} */ i) => DEFINITION.test(lines[i] ?? '');
  const terms = [];
  let text = '';
  let isFirst = true;
  for (const [i, line] of lines.entries()) {
    if (i === 0) text = line;
    else if (isDefinition(i)) {
      const between = isFirst ? ': ' : /[.!?]$/u.test(lines[i - 1]?.slice(-1) ?? '') ? ' ' : '; ';
      text += between + line.replace(DEFINITION, '');
      isFirst = false;
    } else if (isDefinition(i - 1) && isDefinition(i + 1) && TERM.test(line)) {
      terms.push(text);
      text = line;
      isFirst = true;
    } else text += `\n${line}`;
  }
  return [...terms, text];
}
