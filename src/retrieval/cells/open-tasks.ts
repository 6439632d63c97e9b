import type { GraphNode } from '../../core/model.js';
import { byLanguage } from '../dates/by-language.js';
import { bounded } from '../dates/date-patterns.js';
import type { Question } from '../seed/question.js';
import type { Lack } from './row-labels.js';

/** Returns what is to be done, as languages write it, and not a program that is called so: "the Todo app", "la aplicación To-do". */
function noProgram(written: string): string {
  const programs =
    'apps?|tools?|program(?:s|m|me|ma|a|as)?|plug-?ins?|software|applications?|anwendung|aplicaci[oó]n|aplicativo|applicazione|logiciel';
  return `(?<!(?:${programs}) )${written}(?![ -](?:${programs}))`;
}
const TO_DO = noProgram('to-?dos?');
/** Spanish and Portuguese call all of something so without the hyphen. */
const TO_DO_APART = noProgram('to-dos?');

/** What a traveller asks of a place, not of a list of tasks: "What is there to do in Oslo?". A room or a garden has an article. */
const NO_PLACE = '(?! (?:in|near|around) (?!(?:the|my|our|this|that|your|his|her|their)(?!\\p{L})))';
const NO_PLACE_OF: Readonly<Record<string, string>> = {
  german: '(?! (?:in|bei|um) (?!(?:de[rmn]|diese[rmn]|(?:m|d|s)eine[rmn]?|(?:m|d|s)einem|unsere[rmn])(?!\\p{L})))',
  french: '(?! (?:à|en) (?!(?:la|l)(?!\\p{L})))',
  spanish: '(?! en (?!(?:el|la|los|las|mi|este|esta)(?!\\p{L})))',
  italian: '(?! (?:a|ad|in) (?!(?:casa|cucina|giardino|ufficio)(?!\\p{L})))',
  portuguese: '(?! em (?!(?:casa|meu|minha)(?!\\p{L})))',
  dutch: '(?! (?:in|rond|bij|nabij) (?!(?:de|het|mijn|ons|onze|dit|deze)(?!\\p{L})))',
};

/** What a shop asks of its goods: "remaining items in stock". */
const NO_GOODS =
  '(?!(?: \\S{1,40}){0,6} (?:in stock|on sale|for sale|(?:in|on) the (?:basket|cart|menu|shel(?:f|ves)|shop|store|warehouse)|on (?:the )?shelves)(?!\\p{L}))';

/** Returns a pattern of words that ask for tasks only behind "what is …": a shop is still open, too. */
function behind(asking: string, words: string): string {
  return `(?<=(?<!\\p{L})(?:${asking})(?: \\S{1,40}){0,8} )${words}`;
}

/** How languages ask for what is still to be done. */
const ASKING: Readonly<Record<string, string>> = {
  english: `${behind("what(?:['’]s| (?:is|are|of|in|for|at|on|about|with|from))|(?:any|every|some|no)thing", '(?:still|yet) (?:open|outstanding|pending)')}|(?:still|yet) (?:undone|unfinished|to (?:do|be done))|(?:open|outstanding|unfinished|pending|remaining) (?:tasks?|to-?dos?|points?|items?${NO_GOODS}|actions?)|(?:outstanding|unfinished|pending|remaining) jobs?|(?:tasks?|to-?dos?|points?|work) (?:(?:is|are) )?(?:still )?(?:open|left|remaining|outstanding|pending)|jobs? (?:(?:is|are) )?(?:still )?(?:left|remaining|outstanding|pending)|(?:is|are|what['’]s)(?: there)? to do${NO_PLACE}|left to do|remains? to (?:do|be done)|${TO_DO}`,
  german: `${behind('was(?! hat)|etwas|alles|nichts', 'noch (?:offen|ausstehend)')}|noch zu (?:tun|erledigen|machen)|offene?[nmrs]? (?:aufgaben?|punkte?|to-?dos?)|(?:aufgaben?|punkte?|to-?dos?) sind (?:noch )?offen|(?:ist|gibt es) zu (?:tun|erledigen)${NO_PLACE_OF.german}|unerledigt\\p{L}*|${TO_DO}`,
  french: `rest(?:e|ent|e-t-il) à faire|encore à faire|(?:est|sont|a-t-il) à faire${NO_PLACE_OF.french}|tâches? (?:sont )?(?:encore )?(?:ouvertes?|restantes?|en attente)|${TO_DO}`,
  spanish: `(?:queda|quedan|falta|faltan) por hacer|hay por hacer${NO_PLACE_OF.spanish}|tareas? (?:(?:est[aá]n?|siguen?|quedan?) )?(?:abiertas?|pendientes?)|(?:queda|sigue|est[aá]) pendiente|${TO_DO_APART}`,
  italian: `(?:resta|rimane|manca) da fare|c['’]è da fare${NO_PLACE_OF.italian}|ancora da fare|(?:compiti|attività)(?: sono)?(?: ancora)? (?:apert[ie]|in sospeso)|${TO_DO}`,
  portuguese: `(?:falta|resta)(?: por| a)? fazer|est[aá] por fazer|h[aá] por fazer${NO_PLACE_OF.portuguese}|tarefas? (?:(?:est[aã]o?|ficam) )?(?:abertas?|pendentes?)|(?:est[aá]|continua) pendente|${TO_DO_APART}`,
  dutch: `${behind('wat|iets|alles|niets', 'nog open')}|nog te doen|open(?:staande)? (?:taken|punten|acties)|(?:taken|punten) (?:staan|zijn) (?:nog )?open|(?:is|valt)(?: er)? te doen${NO_PLACE_OF.dutch}|${TO_DO}`,
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
  const covered = words.flatMap((word) => (word.content && !word.inName && isAsking(word) ? [word.stem] : []));
  for (const { id, description, passage } of nodes) {
    if (passage?.message !== undefined) continue;
    const read = description.slice(0, READ_OF_ITEM);
    if (OPEN.test(read)) found.set(id, { what: 'done', share: 1, kind: 'wanted', covered });
    else if (DONE.test(read)) found.set(id, { what: 'done', share: 1, kind: 'held' });
  }
  return [...found.values()].some(({ kind }) => kind === 'wanted') ? found : new Map();
}
