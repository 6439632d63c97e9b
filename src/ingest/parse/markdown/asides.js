/** A line that opens or closes what stands aside, as Notion writes its callouts. */
const TAG_ALONE = /^<\/?aside>\s*$/iu;
const LONGEST = 20;

/**
 * Lets a parser of Markdown read what stands between `<aside>` and `</aside>` on lines of their own as Markdown: in a text that people write it belongs
 * to the text, unlike that of a page.
 * @param {import('markdown-it').default} markdown
 */
export function addAsides(markdown) {
  markdown.block.ruler.before('html_block', 'aside', aside, { alt: ['paragraph', 'reference', 'blockquote'] });
}

function aside(state, line, _endLine, silent) {
  const start = state.bMarks[line] + state.tShift[line];
  if (state.src.charCodeAt(start) !== 0x3c || state.sCount[line] - state.blkIndent >= 4) return false;
  if (!TAG_ALONE.test(state.src.slice(start, Math.min(state.eMarks[line], start + LONGEST)))) return false;
  if (!silent) state.line = line + 1;
  return true;
}
