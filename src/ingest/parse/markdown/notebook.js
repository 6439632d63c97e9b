import { masked } from '../../../core/wording/secrets.js';
import { codeWithoutSecrets } from '../code/secrets.js';
import { markdownParts } from '../markdown.js';
import { BrokenRecord } from '../table/record-table.js';
import { frontMatter } from '../titles/front-matter.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {Record<string, unknown>} Member */

/** Lines of an output that are kept, and characters: more of it is mostly numbers. */
const MOST_LINES = 20;
const MOST_CHARACTERS = 2000;
/** What stands for an object that is no text: "<Figure size 640x480 with 1 Axes>". */
const OBJECT = /^[\s[(]*<[^<>]{1,200}>[\s\])]*$/u;
/** Signs that colour the text of a terminal. */
const COLOURS = /\u001b\[[\d;]{0,20}m/gu;
/** A line for the notebook or the shell, not for the language of the code. */
const COMMAND = /^\s{0,8}[%!]/u;

/**
 * Returns the title and the parts of a Jupyter notebook: the Markdown of its cells, code, and the beginning of what the code wrote as text. Pictures,
 * warnings and progress bars are left out. The title is the first heading.
 * @param {string} text
 * @returns {{ title?: string, parts: Part[] }}
 */
export function notebookParts(text) {
  /** @type {Part[]} */
  const parts = [];
  /** @type {string | undefined} */
  let named;
  for (const cell of cellsOf(text)) {
    const source = textOf(cell.source ?? cell.input);
    if (cell.cell_type === 'markdown') add(parts, markdownParts(source));
    else if (cell.cell_type === 'heading')
      parts.push({ kind: 'heading', level: levelOf(cell.level), text: source.trim() });
    else if (cell.cell_type === 'code') add(parts, codeParts(source, listOf(cell.outputs)));
    else if (cell.cell_type === 'raw') {
      const { title, end } = frontMatter(`${source}\n`);
      named ??= title;
      add(parts, markdownParts(source.slice(end)));
    }
  }
  const title = named ?? parts.find(({ kind }) => kind === 'heading')?.text;
  return title === undefined ? { parts } : { title, parts };
}

/** @param {Part[]} parts @param {Iterable<Part>} more */
function add(parts, more) {
  for (const part of more) parts.push(part);
}

/** Returns the cells of a notebook; older ones have sheets of them. @param {string} text @returns {Member[]} */
function cellsOf(text) {
  let root;
  try {
    root = JSON.parse(text.replace(/^\ufeff/u, ''));
  } catch {
    throw new BrokenRecord('is no notebook: damaged, cut off, or of another type; save it anew in Jupyter');
  }
  const cells = listOf(root?.cells);
  const sheets = listOf(root?.worksheets).flatMap(({ cells: own }) => listOf(own));
  if (!Array.isArray(root?.cells) && !Array.isArray(root?.worksheets))
    throw new BrokenRecord('is no notebook: it has no cells; rename it if it is a file of another type');
  return [...cells, ...sheets];
}

/** Returns the objects of a list. @param {unknown} list @returns {Member[]} */
function listOf(list) {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : [];
}

/** A text is written whole or in lines. @param {unknown} written */
function textOf(written) {
  const lines = Array.isArray(written) ? written : [written];
  return lines.filter((line) => typeof line === 'string').join('');
}

/** @param {unknown} level */
function levelOf(level) {
  return Number.isInteger(level) && Number(level) > 0 ? Math.min(6, Number(level)) : 1;
}

/** @param {string} source @param {Member[]} outputs @returns {Generator<Part>} */
function* codeParts(source, outputs) {
  const code = source.replace(/^\n+/u, '').trimEnd();
  if (code !== '') yield { kind: 'code', text: withoutSecrets(code) };
  const written = outputs
    .map(outputText)
    .filter((one) => one !== '')
    .join('\n');
  if (written !== '') yield { kind: 'code', text: `output:\n${masked(beginning(written), true)}` };
}

/** Returns what an output says as text. @param {Member} output */
function outputText(output) {
  const { output_type: type, name, stream, text, ename, evalue } = output;
  if (type === 'stream') return (name ?? stream) === 'stderr' ? '' : readable(textOf(text));
  if (type === 'error' || type === 'pyerr') return readable(`${textOf(ename)}: ${textOf(evalue)}`);
  const { data = output } = output;
  const plain = /** @type {Member} */ (data)['text/plain'] ?? /** @type {Member} */ (data).text;
  return readable(textOf(plain));
}

/** Returns a text as a terminal shows it, without lines that stand for an object. @param {string} written */
function readable(written) {
  const lines = written.replace(COLOURS, '').split('\n');
  const shown = lines.map((line) => line.trimEnd()).map((line) => line.slice(line.lastIndexOf('\r') + 1));
  return shown
    .filter((line) => !OBJECT.test(line))
    .join('\n')
    .replace(/^\n+/u, '')
    .trimEnd();
}

/** @param {string} text */
function beginning(text) {
  const head = text.split('\n').slice(0, MOST_LINES).join('\n').slice(0, MOST_CHARACTERS);
  return head.length < text.length ? `${head}\n…` : head;
}

/** Returns code without the passwords and keys that stand in it as texts. @param {string} code */
function withoutSecrets(code) {
  const lines = code.split('\n').map((line) => (COMMAND.test(line) ? masked(line) : line));
  return codeWithoutSecrets(lines.join('\n'));
}
