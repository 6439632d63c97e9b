import type { GraphNode } from '../../core/model.js';
import { byLanguage } from '../dates/by-language.js';
import { bounded } from '../dates/date-patterns.js';
import type { Question } from '../seed/question.js';
import type { Lack } from './row-labels.js';

/** What is to be done, not a program that is called so. */
const TO_DO = 'to-?dos?(?![ -](?:apps?|tools?|programs?|plug-?ins?|software))';

/** Returns a pattern of words that ask for tasks only behind "what is …": a shop is still open, too. */
function behind(asking: string, words: string): string {
  return `(?<=(?<!\\p{L})(?:${asking})(?: \\S{1,40}){0,8} )${words}`;
}

/** How languages ask for what is still to be done. */
const ASKING: Readonly<Record<string, string>> = {
  english: `${behind("what(?:['’]s| (?:is|are|of|in|for|at|on|about|with|from))|(?:any|every|some|no)thing", '(?:still|yet) (?:open|outstanding|pending)')}|(?:still|yet) (?:undone|unfinished|to (?:do|be done))|(?:open|outstanding|unfinished|pending|remaining) (?:tasks?|to-?dos?|points?|items?|actions?|jobs?)|(?:tasks?|to-?dos?|points?|jobs?|work) (?:(?:is|are) )?(?:still )?(?:open|left|remaining|outstanding|pending)|(?:is|are|what['’]s)(?: there)?(?: left)? to do|left to do|remains? to (?:do|be done)|${TO_DO}`,
  german: `${behind('was(?! hat)|etwas|alles|nichts', 'noch (?:offen|ausstehend)')}|noch zu (?:tun|erledigen|machen)|offene?[nmrs]? (?:aufgaben?|punkte?|to-?dos?)|(?:aufgaben?|punkte?|to-?dos?) sind (?:noch )?offen|(?:ist|gibt es) (?:noch )?zu (?:tun|erledigen)|unerledigt\\p{L}*|${TO_DO}`,
  french: `rest(?:e|ent|e-t-il) à faire|encore à faire|(?:est|sont|a-t-il) à faire|tâches? (?:sont )?(?:encore )?(?:ouvertes?|restantes?|en attente)|${TO_DO}`,
  spanish:
    '(?:queda|quedan|falta|faltan|hay) por hacer|tareas? (?:(?:est[aá]n?|siguen?|quedan?) )?(?:abiertas?|pendientes?)|(?:queda|sigue|est[aá]) pendiente|to-dos?',
  italian: `(?:resta|rimane|manca|c['’]è)(?: ancora)? da fare|ancora da fare|(?:compiti|attività)(?: sono)?(?: ancora)? (?:apert[ie]|in sospeso)|${TO_DO}`,
  portuguese:
    '(?:falta|resta)(?: por| a)? fazer|(?:est[aá]|h[aá]) por fazer|tarefas? (?:(?:est[aã]o?|ficam) )?(?:abertas?|pendentes?)|(?:est[aá]|continua) pendente|to-dos?',
  dutch: `${behind('wat|iets|alles|niets', 'nog open')}|nog te doen|open(?:staande)? (?:taken|punten|acties)|(?:taken|punten) (?:staan|zijn) (?:nog )?open|(?:is|valt)(?: er)?(?: nog)? te doen|${TO_DO}`,
};

/** Letters of a question and of an item that are read. */
const READ = 1000;
const READ_OF_ITEM = 8000;
const OPEN = /^[ \t]{0,20}(?:[-*+]|\d{1,9}[.)]) \[ \] \S/mu;
const DONE = /^[ \t]{0,20}(?:[-*+]|\d{1,9}[.)]) \[[xX]\] \S/mu;

const patternOf = byLanguage((language) => bounded(ASKING[language] ?? ASKING.english!, 'giu'));

/**
 * Finds the items with tasks where a question asks for what is still to be done ("What is still open for the move?"): one with an open task,
 * `- [ ]`, is wanted and counts as holding the words that ask so; one with done tasks alone has what tasks are to lack. Returns item → what its
 * tasks lack or have; none where no item has an open task. Pure.
 */
export function openTasks(
  nodes: readonly GraphNode[],
  { text, language, words }: Pick<Question, 'text' | 'language' | 'words'>,
): ReadonlyMap<string, Lack> {
  const found = new Map<string, Lack>();
  const asking = [...text.slice(0, READ).matchAll(patternOf(language))].map(({ index, 0: written }) => ({
    start: index,
    end: index + written.length,
  }));
  if (asking.length === 0) return found;
  const isAsking = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    asking.some((one) => one.start <= start && end <= one.end);
  const told = words.flatMap((word) => (word.content && !word.inName && isAsking(word) ? [word.stem] : []));
  for (const { id, description, passage } of nodes) {
    if (passage?.message !== undefined) continue;
    const read = description.slice(0, READ_OF_ITEM);
    if (OPEN.test(read)) found.set(id, { what: 'done', share: 1, kind: 'wanted', told });
    else if (DONE.test(read)) found.set(id, { what: 'done', share: 1, kind: 'held' });
  }
  return [...found.values()].some(({ kind }) => kind === 'wanted') ? found : new Map();
}
