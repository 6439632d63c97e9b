/** The first line of a callout of MkDocs: `!!! warning "Title"`, `??? note`, `???+ tip inline end`. Other words behind the kind make it a sentence. */
const OPENING =
  /^(?:!!!|\?\?\?\+?) ?(?<kind>[a-z][\w-]{0,30})?(?: +inline(?: +end)?)?(?: +"(?<title>[^"\n]{0,300})")? *$/iu;
const LONGEST = 500;

/**
 * Lets a parser of Markdown read the callouts of MkDocs, whose text is indented by four: the title or the kind becomes a
 * paragraph before the text. Such a line without indented text below it is no callout.
 * @param {import('markdown-it').default} markdown
 */
export function addIndentedCallouts(markdown) {
  markdown.block.ruler.before('reference', 'callout', callout, { alt: ['paragraph', 'reference'] });
}

function callout(state, line, endLine, silent) {
  const start = state.bMarks[line] + state.tShift[line];
  const sign = state.src.charCodeAt(start);
  if ((sign !== 0x21 && sign !== 0x3f) || state.sCount[line] - state.blkIndent >= 4) return false;
  const found = OPENING.exec(state.src.slice(start, Math.min(state.eMarks[line], start + LONGEST)));
  const { kind = '', title } = found?.groups ?? {};
  if (found === null || (kind === '' && title === undefined)) return false;
  const end = endOfText(state, line + 1, endLine);
  if (end === line + 1) return false;
  if (state.level + 1 >= state.md.options.maxNesting) return false;
  if (silent) return true;
  const content = title ?? kind.slice(0, 1).toUpperCase() + kind.slice(1).toLowerCase();
  if (content.trim() !== '') {
    state.push('paragraph_open', 'p', 1);
    Object.assign(state.push('inline', '', 0), { content, map: [line, line + 1], children: [] });
    state.push('paragraph_close', 'p', -1);
  }
  const { parentType, lineMax } = state;
  state.lineMax = end;
  state.blkIndent += 4;
  state.level += 1;
  state.parentType = 'callout';
  state.md.block.tokenize(state, line + 1, end);
  state.level -= 1;
  state.blkIndent -= 4;
  state.parentType = parentType;
  state.lineMax = lineMax;
  state.line = end;
  return true;
}

/** Returns the line after the last one that is indented by four; `from` where the text does not begin so. */
function endOfText(state, from, endLine) {
  let end = from;
  for (let line = from; line < endLine; line += 1) {
    if (state.isEmpty(line)) continue;
    if (state.sCount[line] - state.blkIndent < 4) break;
    end = line + 1;
  }
  return end;
}
