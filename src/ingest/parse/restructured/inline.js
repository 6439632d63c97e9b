/**
 * Marks within a line: literals, roles before or behind their text, references, strong and emphasized text, and escapes. A mark ends within
 * so many characters, lest a text of marks without ends takes long.
 */
const MARKS = new RegExp(
  [
    '``(?<literal>.{1,1000}?)``(?!`)',
    '(?<![\\w:]):(?<before>[a-z][\\w.+:-]{0,60}):`(?<role>[^`]{1,1000})`',
    '(?<!\\w)`(?<text>[^`]{1,1000})`(?:__?(?!\\w)|:[a-z][\\w.+:-]{0,60}:(?![\\w`]))?',
    '(?<![^\\s\'"(\\[{<\\-/:|])\\*\\*(?<strong>(?=\\S)[^*]{0,500}[^*\\s])\\*\\*(?![\\p{L}\\p{N}*])',
    '(?<![^\\s\'"(\\[{<\\-/:|])\\*(?<emphasis>(?=\\S)[^*]{0,500}[^*\\s])\\*(?![\\p{L}\\p{N}*])',
    '(?<note>\\[(?:#|\\d+|#?[a-z][\\w-]{0,60})\\])_(?!\\w)',
    '\\\\(?<escaped>.)',
  ].join('|'),
  'gisu',
);
/** What is shown, and where it leads: "the guide <guide>". */
const LABELLED = /^(?<label>.*?)\s*<(?<target>[^<>]+)>$/su;
/** Roles whose name is read before their text. */
const NAMED = new Set(['pep', 'rfc']);

/**
 * Returns a text of reStructuredText as people read it: without the marks of literals and roles, and without what links lead to.
 * @param {string} written @param {RegExp | undefined} references As `referencesIn` returns it.
 */
export function inlineText(written, references) {
  const text = written.replace(MARKS, (...found) => {
    const { literal, before, role, text, strong, emphasis, note, escaped } = found.at(-1);
    if (escaped !== undefined) return /\s/u.test(escaped) ? '' : escaped;
    if (role !== undefined) return shownByRole(before.toLowerCase(), role);
    return text === undefined ? (literal ?? strong ?? emphasis ?? note) : labelOf(text);
  });
  return references === undefined ? text : text.replace(references, '$1');
}

/** @param {string} role @param {string} text */
function shownByRole(role, text) {
  if (role === 'code' || role === 'math') return text;
  const shown = labelOf(text);
  if (NAMED.has(role) && shown === text) return `${role.toUpperCase()} ${shown}`;
  // A tilde shows the last name of "package.module.Class" alone, "!" makes no link.
  return shown.startsWith('~') ? shown.slice(shown.lastIndexOf('.') + 1).replace('~', '') : shown.replace(/^!/u, '');
}

/** @param {string} text */
function labelOf(text) {
  const { label, target } = LABELLED.exec(text)?.groups ?? {};
  return label || target || text;
}

/** Names that a text refers to at most. */
const MOST = 500;

/**
 * Returns the pattern of references of one word to the targets that a text names: "Python_" where there is ".. _Python:". Undefined for none.
 * @param {string} text
 */
export function referencesIn(text) {
  const names = new Set();
  for (const [, name] of text.matchAll(/^\s*\.\. _([a-z][\w.+-]{0,100}):/gimu)) {
    names.add(name);
    if (names.size === MOST) break;
  }
  if (names.size === 0) return undefined;
  const literal = [...names].map((name) => name.replace(/[.+]/gu, '\\$&')).join('|');
  return new RegExp(`(?<![\\w.-])(${literal})_(?!\\w)`, 'giu');
}
