import { parse } from 'yaml';
import { LONGEST_ALIAS, MOST_ALIASES } from './aliases.js';

/**
 * What opens a list or a mapping within a line. More than this many are not parsed: the parser calls itself for each level, and
 * a pattern that Node compiles where the stack is almost full ends the process, which no `catch` keeps.
 */
const OPENERS = /[[{]|[-?:][ \t]+(?=[-?][ \t])/gu;
const MOST_OPENERS = 500;

/** A line of a mapping of YAML, as front matter is: a key, which may be of several words, or what goes on with the line above. */
const LINE = /^(?:\s*$|\s+\S|#|-\s|[\w-]+\s*:|["']?[\p{L}\p{N}][\p{L}\p{N}_ .()-]{0,40}["']?:(?:\s|$))/u;

/**
 * Returns the title and the other names (`aliases` or `alias`) in a YAML block between two lines of `---` at the very start,
 * and the offset of the text after the block; offset 0 where there is none.
 * @param {string} text
 * @returns {{ title?: string, aliases?: string[], end: number }}
 */
export function frontMatter(text) {
  const block = frontBlock(text);
  if (block === undefined) return { end: 0 };
  const { body, end } = block;
  const title = titleOf(body);
  const aliases = /^alias(?:es)?\s*:/mu.test(body) ? aliasesOf(body) : [];
  return {
    ...(title === undefined ? {} : { title }),
    ...(aliases.length === 0 ? {} : { aliases }),
    end,
  };
}

/**
 * Returns the lines of the YAML block at the very start of a text, and the offset of the text after it; undefined where there is none.
 * @param {string} text
 * @returns {{ body: string, end: number } | undefined}
 */
export function frontBlock(text) {
  if (!/^---[ \t]*\n/u.test(text)) return undefined;
  const close = text.slice(0, 20_000).search(/\n(?:---|\.\.\.)[ \t]*(?:\n|$)/u);
  if (close === -1) return undefined;
  const body = text.slice(text.indexOf('\n') + 1, Math.max(close, text.indexOf('\n') + 1));
  if (!body.split('\n').every((line) => LINE.test(line))) return undefined;
  const end = text.indexOf('\n', close + 1);
  return { body, end: end === -1 ? text.length : end + 1 };
}

/** How the value of a title begins that goes on in the lines below it. */
const FOLDED = /^[|>][+-]?$/u;
/** A list or a mapping that is never closed, and what a template has yet to fill in, are no titles; "[Draft] Heating" is one. */
const NO_TITLE = /^(?:\[[^\]]*|\{[^}]*)$|\{\{|<%/u;

/** @param {string} body @returns {string | undefined} */
function titleOf(body) {
  const found = /^title\s*:\s*["']?(.+?)["']?\s*$/mu.exec(body);
  if (found === null || NO_TITLE.test(found[1])) return undefined;
  if (!FOLDED.test(found[1])) return found[1];
  const below = body
    .slice(found.index + found[0].length)
    .split('\n')
    .slice(1);
  const end = below.findIndex((line) => !/^\s/u.test(line));
  const title = below
    .slice(0, end < 0 ? below.length : end)
    .map((line) => line.trim())
    .join(' ')
    .trim();
  return title === '' ? undefined : title;
}

/** Returns whether a block may be parsed in the process of the service. @param {string} body */
export function isShallow(body) {
  return (body.match(OPENERS)?.length ?? 0) <= MOST_OPENERS;
}

/** @param {string} body @returns {string[]} None where the block is no YAML, or too deep. */
function aliasesOf(body) {
  if (!isShallow(body)) return [];
  let found;
  try {
    found = parse(body, { logLevel: 'silent' });
  } catch {
    return [];
  }
  const names = [found?.aliases, found?.alias].flat().filter((name) => ['string', 'number'].includes(typeof name));
  return names
    .map((name) => String(name).trim())
    .filter((name) => name !== '' && name.length <= LONGEST_ALIAS)
    .slice(0, MOST_ALIASES);
}
