import { treeOf, withoutSecrets } from '../../../core/wording/secrets.js';
import { LONGEST_ALIAS } from '../titles/aliases.js';
import { planningOf } from './headline.js';
import { END_DRAWER } from './syntax.js';

/** Properties that say how Emacs shows or runs an entry, or that only a program uses. */
const OF_EMACS =
  /^(?:(?:custom_)?id|visibility|columns|ordered|cookie_data|header-args.*|export_.*|archive_.*|style|logging|log_into_drawer|unnumbered|appt_warntime|category|created|last_repeat|repeat_to_state|roam_\w+|drill_\w+|anki_\w+|dir|attach\w*|lockbox|crypt\w*|trigger|blocker|html_container\w*|beamer_\w+|noter_\w+|interleave_\w+|clock_modeline_total|.*_all)$/iu;
const PROPERTY = /^[ \t]*:([^\s:][^:\n]{0,80}?)\+?:[ \t]*(.*)$/u;
/** Properties of an entry that are kept at most. */
const MOST = 40;

/** @typedef {{ planning: string[], facts: Array<{ key: string, value: string }>, aliases: string[], content: string[] }} Entry */

/** Returns what stands below a headline: its days, its properties, and the lines after them. @param {string[]} body @returns {Entry} */
export function readEntry(body) {
  let at = skipBlank(body, 0);
  const planning = [];
  for (let days = planningOf(body[at] ?? ''); days !== undefined; days = planningOf(body[at] ?? '')) {
    planning.push(...days);
    at = skipBlank(body, at + 1);
  }
  /** @type {Entry} */
  const entry = { planning, facts: [], aliases: [], content: [] };
  if (/^[ \t]*:PROPERTIES:[ \t]*$/iu.test(body[at] ?? '')) {
    const end = body.findIndex((line, i) => i > at && END_DRAWER.test(line));
    if (end > at) {
      readProperties(body.slice(at + 1, end), entry);
      at = end + 1;
    } else at += 1;
  }
  entry.content = body.slice(at);
  return entry;
}

/** @param {string[]} body @param {number} from */
function skipBlank(body, from) {
  let at = from;
  while (at < body.length && body[at].trim() === '') at += 1;
  return at;
}

/** @param {string[]} lines @param {Entry} entry */
function readProperties(lines, entry) {
  for (const line of lines) {
    const [, key, value = ''] = PROPERTY.exec(line) ?? [];
    if (key === undefined || value.trim() === '') continue;
    if (/^roam_alias(?:es)?$/iu.test(key)) entry.aliases.push(...aliasesIn(value));
    else if (!OF_EMACS.test(key) && entry.facts.length < MOST) entry.facts.push({ key, value: value.trim() });
  }
}

/** Returns properties as a row has them: "phone: 0123 456; effort: 1:30." Secrets are left out. @param {Entry['facts']} facts */
export function factsOf(facts) {
  const named = facts.map(({ key, value }) => [key.toLowerCase().replaceAll('_', ' '), value]);
  const { pairs } = withoutSecrets(treeOf(Object.fromEntries(named)));
  return `${pairs.map((/** @type {{ key: string, value: string }} */ { key, value }) => `${key}: ${value}`).join('; ')}.`;
}

/** Returns the names in a line: "Pump room" Cellar. @param {string} line */
export function aliasesIn(line) {
  return [...line.slice(0, 5000).matchAll(/"([^"]+)"|(\S+)/gu)]
    .map(([, quoted, bare]) => (quoted ?? bare ?? '').trim())
    .filter((name) => name !== '' && name.length <= LONGEST_ALIAS);
}
