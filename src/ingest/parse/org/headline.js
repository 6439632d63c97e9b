import { dayText, STAMP } from './stamps.js';

/** States of tasks that people have without saying so in the file. */
const OPEN = 'TODO NEXT STARTED DOING IN-PROGRESS INPROGRESS WAITING WAIT HOLD SOMEDAY MAYBE PROJ'.split(' ');
const DONE = 'DONE CANCELLED CANCELED KILL'.split(' ');

/** @typedef {Map<string, boolean>} States Whether a task is done, by the word before its title. */
/** @typedef {{ level: number, title: string, state?: string, isDone: boolean, priority?: string, tags: string[], isComment: boolean }} Headline */

/**
 * Returns the states of tasks: the usual ones and those of `#+TODO: DRAFT REVIEW(r!) | PUBLISHED`.
 * @param {readonly string[]} lines What stands behind `#+TODO:`.
 * @returns {States}
 */
export function statesOf(lines) {
  /** @type {States} */
  const states = new Map([...OPEN.map((word) => [word, false]), ...DONE.map((word) => [word, true])]);
  for (const line of lines) {
    const words = line.replace(/\([^)]{0,20}\)/gu, '').split(/\s+/u);
    const bar = words.indexOf('|');
    for (const [i, word] of words.entries()) {
      if (/^[\p{L}\p{N}_-]{1,30}$/u.test(word)) states.set(word, bar < 0 ? i === words.length - 1 : i > bar);
    }
  }
  return states;
}

/** @param {string} line @param {States} states @returns {Headline | undefined} */
export function headlineOf(line, states) {
  const stars = /^\*+(?=[ \t])/u.exec(line)?.[0].length ?? 0;
  if (stars === 0) return undefined;
  let rest = line.slice(stars).trim();
  const tags = /(?:^|[ \t]):([\p{L}\p{N}_@#%:]{1,300}):$/u.exec(rest);
  if (tags !== null) rest = rest.slice(0, tags.index).trimEnd();
  const [word = ''] = rest.split(/\s/u, 1);
  const state = states.has(word) ? word : undefined;
  if (state !== undefined) rest = rest.slice(word.length).trimStart();
  const priority = /^\[#(\w{1,2})\]\s*/u.exec(rest);
  if (priority !== null) rest = rest.slice(priority[0].length);
  const isComment = /^COMMENT(?:\s|$)/u.test(rest);
  return {
    level: stars,
    // How many of the tasks below are done changes with them.
    title: rest.replace(/(?<![ \t])[ \t]*\[(?:\d{0,5}\/\d{0,5}|\d{0,3}%)\]/gu, '').trim(),
    ...(state === undefined ? {} : { state }),
    isDone: state !== undefined && states.get(state) === true,
    ...(priority === null ? {} : { priority: priority[1] }),
    tags: tags === null ? [] : tags[1].split(':').filter((tag) => tag !== ''),
    isComment,
  };
}

/** What stands below a headline of the day on which something is to be done. */
const PLANNING = new RegExp(`(CLOSED|SCHEDULED|DEADLINE):[ \\t]*(${STAMP.source})`, 'gu');
const IS_PLANNING = /^\s*(?:CLOSED|SCHEDULED|DEADLINE):[ \t]*[<[]\d{4}-/u;
const PLANNED = /** @type {Record<string, string>} */ ({ CLOSED: 'closed', SCHEDULED: 'scheduled', DEADLINE: 'due' });

/** Returns the days of a line below a headline in words: "scheduled 2026-03-01", "due 2026-03-04"; undefined for another line. @param {string} line */
export function planningOf(line) {
  if (!IS_PLANNING.test(line)) return undefined;
  return [...line.slice(0, 1000).matchAll(PLANNING)].map(([, name, stamp]) => `${PLANNED[name]} ${dayText(stamp)}`);
}

/**
 * Returns what a headline says besides its title, in a line: "- [ ] WAITING, due 2026-03-04, priority A, tags: health"; empty where it says nothing.
 * @param {Headline} headline @param {readonly string[]} planning
 */
export function statusOf({ state, isDone, priority, tags }, planning) {
  const status = [
    ...(state === undefined ? [] : [state]),
    ...planning,
    ...(priority === undefined ? [] : [`priority ${priority}`]),
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
  ].join(', ');
  return state === undefined ? status : `- [${isDone ? 'x' : ' '}] ${status}`;
}

/** Returns the item that a headline with nothing below it is: "- [ ] Buy milk (WAITING, priority A)". @param {Headline} headline @param {string} title */
export function itemOf({ state, isDone, priority, tags }, title) {
  const about = [
    ...(state === undefined || state === 'TODO' || state === 'DONE' ? [] : [state]),
    ...(priority === undefined ? [] : [`priority ${priority}`]),
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
  ].join(', ');
  const box = state === undefined ? '' : `[${isDone ? 'x' : ' '}] `;
  return `- ${box}${title}${about === '' ? '' : ` (${about})`}`;
}
