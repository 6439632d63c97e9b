/** `[^label]`, for a search in a text. */
export const NOTE_MARK = /\[\^[^\]\s[]{1,200}\]/u;
const DEFINED = /^[ \t>]*\[\^([^\]\s[]{1,200})\]:/gmu;
const DEFINITION = /^\[\^([^\]\s[]{1,200})\]:/u;
const MARK = /^\[\^([^\]\s[]{1,200})\]/u;
const LONGEST = 204;

/**
 * Returns the labels of the notes that a Markdown text defines.
 * @param {string} text
 * @returns {Set<string>}
 */
export function noteLabels(text) {
  return new Set(text.includes('[^') ? [...text.matchAll(DEFINED)].map(([, label]) => keyOf(label)) : []);
}

/** Returns the label as marks and definitions share it. @param {string} label */
export function keyOf(label) {
  return label.toLowerCase();
}

/**
 * Lets a parser of Markdown read notes whose labels stand in `env.notes`: marks become tokens `note_mark` with the label as
 * content, definitions their blocks between `note_open`, which has the label, and `note_close`.
 * @param {import('markdown-it').default} markdown
 */
export function addNoteRules(markdown) {
  markdown.inline.ruler.before('link', 'note_mark', (state, silent) => {
    if (state.env.notes === undefined || !state.src.startsWith('[^', state.pos)) return false;
    const label = MARK.exec(state.src.slice(state.pos, state.pos + LONGEST))?.[1];
    if (label === undefined || !state.env.notes.has(keyOf(label))) return false;
    if (!silent) state.push('note_mark', '', 0).content = label;
    state.pos += label.length + 3;
    return true;
  });
  markdown.block.ruler.before('reference', 'note', definition, { alt: ['paragraph', 'reference'] });
}

/**
 * Reads a definition: what follows on its line, and lines indented by four. Inside of a note it is text: the parser gives up
 * all that follows where blocks stand too deep in each other, and a document may write any number of them on one line.
 */
function definition(state, line, endLine, silent) {
  const start = state.bMarks[line] + state.tShift[line];
  if (state.env.notes === undefined || !state.src.startsWith('[^', start)) return false;
  if (state.sCount[line] - state.blkIndent >= 4) return false;
  const found = DEFINITION.exec(state.src.slice(start, Math.min(state.eMarks[line], start + LONGEST)));
  if (found === null) return false;
  const isInside = state.noteIndent !== undefined;
  const isText = isInside || state.level + 1 >= state.md.options.maxNesting;
  // A paragraph of the open note ends before a definition that stands outside of the note.
  if (silent) return !isText || (isInside && state.sCount[line] < state.noteIndent);
  // The last rule reads a paragraph. As the definition of a link it would have no text.
  if (isText) return state.md.block.ruler.getRules('').at(-1)(state, line, endLine, false);
  const [whole, label] = found;
  state.push('note_open', '', 1).content = label;
  const before = [state.bMarks[line], state.tShift[line], state.sCount[line], state.parentType];
  const text = start + whole.length;
  const rest = state.src.slice(text, state.eMarks[line]);
  state.bMarks[line] = text;
  state.tShift[line] = rest.length - rest.trimStart().length;
  state.blkIndent += 4;
  // What follows on the line is no code, however far it is indented.
  state.sCount[line] = state.blkIndent;
  state.parentType = 'note';
  state.noteIndent = state.blkIndent;
  state.md.block.tokenize(state, line, endLine);
  state.noteIndent = undefined;
  state.blkIndent -= 4;
  [state.bMarks[line], state.tShift[line], state.sCount[line], state.parentType] = before;
  state.push('note_close', '', -1);
  return true;
}
