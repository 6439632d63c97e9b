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
const SIGNS = Object.keys(DAYS).join('|');
const DAY = new RegExp(`(?<![ \\t])[ \\t]*(${SIGNS})\\ufe0f?[ \\t]?(?=\\d{4}-\\d\\d-\\d\\d)`, 'gu');
/** A field of Dataview: a line `manager:: Ada`, and `[due:: 2026-12-15]` within a text. Not `add :: Int`, a signature of a program. */
const KEY = '\\p{L}(?:[\\p{L}\\p{N} _-]{0,40}[\\p{L}\\p{N}])?';
const FIELD = new RegExp(`^([*_]{0,2}${KEY}[*_]{0,2})::[ \\t]+(?=\\S)`, 'u');
const INNER_FIELD = new RegExp(
  `((?<![\\p{L}\\p{N}])[[(]${KEY})::[ \\t]{1,4}(?=[^\\s\\]()][^\\]()\\n]{0,299}[\\])])`,
  'gu',
);
/** Marked words, not an operator that stands alone between signs: `(==)`, `"=="`. */
const HIGHLIGHT =
  /(?<![\p{L}\p{N}=])==(?!(?<=["'“([{]==)["'”)\]}])([^\s=](?:[^=\n]{0,500}[^\s=])?)==(?![\p{L}\p{N}=])/gu;
/** What the remainder of a division has behind its operator, in R: `5 %% 2`. */
const DIVISOR = '[ \\t]{1,2}\\d';
/** Where no remark begins: between two numbers, and where a number stands behind both signs (`x %% 2 == 0 | y %% 3 == 0`). */
const OPERATOR = `(?<=[\\d)\\]][ \\t]{1,2}%%)${DIVISOR}|${DIVISOR}(?:[^%]|%(?!%)){0,5000}%%${DIVISOR}`;
/** A remark that is not shown; not what stands between two `%%i` of a program or the signs of `'%%name%%'`. */
const COMMENT = new RegExp(
  `(?:[ \\t]|(?<!\\S))%%(?!%|${OPERATOR})(?:[^%]|%(?!%)){0,5000}%%(?![\\p{L}\\p{N}%'"])(?!(?<=\\n%%)[ \\t]*\\S)`,
  'gu',
);
/** The name of a paragraph, for links to it. */
const BLOCK_ID = /[ \t]\^(?:(?=\d*[a-f])[\da-f]{6}|\p{L}[\p{L}\p{N}-]{2,60})[ \t]*$/u;
const ANY_SIGN = new RegExp(`::|==|%%|\\^|${SIGNS}`, 'u');

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
  return text.replace(DAY, (_, sign, at) => {
    const before = at === 0 ? '' : /[\p{L}\p{N}`*_)\]]/u.test(text.slice(at - 1, at)) ? ', ' : ' ';
    return `${before}${DAYS[/** @type {keyof typeof DAYS} */ (sign)]} `;
  });
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
 * Lets a parser of Markdown leave out the remarks of Obsidian that take several lines: from a line of `%%` alone to the next `%%`, and from one that goes
 * on behind it to a line that ends so. `%% Section 1` above `%% Section 2` is a program.
 * @param {import('markdown-it').default} markdown
 */
export function addRemarks(markdown) {
  markdown.block.ruler.before('fence', 'remark', (state, line, endLine, silent) => {
    const start = state.bMarks[line] + state.tShift[line];
    if (!state.src.startsWith('%%', start) || state.src[start + 2] === '%') return false;
    const opening = state.src.slice(start + 2, state.eMarks[line]);
    if (opening.includes('%%')) return false;
    let last = line + 1;
    while (last < endLine && !lineOf(state, last).includes('%%')) last += 1;
    if (last >= endLine) return false;
    const written = lineOf(state, last);
    const rest = written.slice(written.indexOf('%%') + 2);
    if (rest.trim() === '') {
      if (!silent) state.line = last + 1;
      return true;
    }
    if (opening.trim() !== '') return false;
    if (!silent) beginAt(state, last, state.eMarks[last] - rest.trimStart().length);
    return true;
  });
}

/** @param {any} state @param {number} line @returns {string} */
function lineOf(state, line) {
  return state.src.slice(state.bMarks[line], state.eMarks[line]);
}

/** Goes on within a line. @param {any} state @param {number} line @param {number} place */
function beginAt(state, line, place) {
  state.bMarks[line] = place;
  state.tShift[line] = 0;
  state.sCount[line] = state.blkIndent;
  state.line = line;
}
