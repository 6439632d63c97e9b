import { LatexReader } from '../latex/reader.js';
import { readMarks, SCRIPT_CLOSE, scriptOpen } from '../notes/marks.js';

/** Signs that LaTeX reads otherwise than as themselves. */
const MARKED = /[\\{}$~]|--|``|''/u;
/** A number above or below the line, as Zotero writes it: CH$_{\textrm{4}}$. */
const SCRIPT = /\$([_^])(?:\{\s?(?:\\(?:text(?:rm|normal)?|mathrm)\s?\{)?|)(-?\d{1,4}[+-]?)\}{0,2}\$/gu;
/** Commands that stand for text of their own are written in no list of literature. */
const DEFINES = /\\(?:(?:re)?newcommand|providecommand|DeclareMathOperator|e?def|let)\b/u;

/** Returns a value of a list of literature as a reader sees it: accents as letters, without braces and commands, a line for each paragraph. @param {string} written */
export function latexText(written) {
  if (!MARKED.test(written) || DEFINES.test(written)) return written.replace(/[^\S\n]+/gu, ' ').trim();
  // A sign of percent begins no comment here.
  const source = written
    .replace(/(?<!\\)((?:\\\\)*)%/gu, '$1\\%')
    .replace(SCRIPT, (_, sign, digits) => scriptOpen(sign === '_' ? 'sub' : 'sup') + digits + SCRIPT_CLOSE);
  const { parts } = new LatexReader(source).read();
  return parts
    .map(({ part }) => readMarks(part.text).text)
    .join('\n')
    .trim();
}
