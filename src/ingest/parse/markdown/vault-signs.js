/** What the plugin for tasks writes before a day. */
const DAYS = /** @type {const} */ ({
  '📅': 'due',
  '📆': 'due',
  '🗓': 'due',
  '⏳': 'scheduled',
  '⌛': 'scheduled',
  '🛫': 'starts',
  '✅': 'done',
  '❌': 'cancelled',
  '➕': 'created',
});
const DAY = /[ \t]*(📅|📆|🗓|⏳|⌛|🛫|✅|❌|➕)\ufe0f?[ \t]?(?=\d{4}-\d\d-\d\d)/gu;
/** A field of Dataview: a line `manager:: Ada`, and `[due:: 2026-12-15]` within a text. */
const KEY = '\\p{L}[\\p{L}\\p{N} _-]{0,40}';
const FIELD = new RegExp(`^([*_]{0,2}${KEY}[*_]{0,2})::[ \\t]+(?=\\S)`, 'u');
const INNER_FIELD = new RegExp(`([[(]${KEY})::[ \\t]+(?=[^\\]()\\n]{1,300}[\\])])`, 'gu');
/** Marked words, and a remark that is not shown. */
const HIGHLIGHT = /(?<![\p{L}\p{N}=])==([^\s=](?:[^=\n]{0,500}[^\s=])?)==(?![\p{L}\p{N}=])/gu;
const COMMENT = /(?:[ \t]|(?<![\p{L}\p{N}%]))%%(?!%)(?:[^%]|%(?!%)){0,5000}%%(?!%)/gu;
/** The name of a paragraph, for links to it. */
const BLOCK_ID = /[ \t]\^(?:[\da-f]{6}|\p{L}[\p{L}\p{N}-]{2,60})[ \t]*$/u;
const ANY_SIGN = /::|==|%%|\^|📅|📆|🗓|⏳|⌛|🛫|✅|❌|➕/u;

/**
 * Returns inline Markdown as Obsidian shows it: without remarks (`%% … %%`), signs of highlights and names of paragraphs (`^name`); fields of Dataview are
 * lines of their own ("manager: Ada"), and the signs before the days of a task are words ("due 2026-12-04"). `codeSpans`: what stands as it is.
 * @param {string} written
 * @param {(text: string) => readonly { start: number, end: number }[]} codeSpans
 */
export function withoutVaultSigns(written, codeSpans) {
  if (!ANY_SIGN.test(written)) return written;
  let text = '';
  let from = 0;
  for (const { start, end } of codeSpans(written)) {
    text += plain(written.slice(from, start)) + written.slice(start, end);
    from = end;
  }
  return withFields(withDays(text + plain(written.slice(from)).replace(BLOCK_ID, '')));
}

/** @param {string} text */
function plain(text) {
  return text.replace(COMMENT, '').replace(HIGHLIGHT, '$1').replace(INNER_FIELD, '$1: ');
}

/** @param {string} text */
function withDays(text) {
  return text.replace(DAY, (_, sign, at) => `${at === 0 ? '' : ', '}${DAYS[/** @type {keyof typeof DAYS} */ (sign)]} `);
}

/** Ends the lines before and of a field with a hard break. @param {string} text */
function withFields(text) {
  if (!text.includes('::')) return text;
  const lines = text.split('\n');
  for (const [i, line] of lines.entries()) {
    const field = FIELD.exec(line.trimStart());
    if (field === null) continue;
    lines[i] = `${field[1]}: ${line.trimStart().slice(field[0].length)}`;
    if (i > 0) lines[i - 1] = `${lines[i - 1].trimEnd()}  `;
    if (i < lines.length - 1) lines[i] = `${lines[i].trimEnd()}  `;
  }
  return lines.join('\n');
}

/**
 * Lets a parser of Markdown leave out the remarks of Obsidian that take several lines, from a line that begins with `%%` to the next `%%`.
 * @param {import('markdown-it').default} markdown
 */
export function addRemarks(markdown) {
  markdown.block.ruler.before('fence', 'remark', (state, line, endLine, silent) => {
    const start = state.bMarks[line] + state.tShift[line];
    if (!state.src.startsWith('%%', start) || state.src[start + 2] === '%') return false;
    if (state.src.slice(start + 2, state.eMarks[line]).includes('%%')) return false;
    let last = line + 1;
    while (last < endLine && !state.src.slice(state.bMarks[last], state.eMarks[last]).includes('%%')) last += 1;
    if (last >= endLine) return false;
    if (!silent) state.line = last + 1;
    return true;
  });
}
