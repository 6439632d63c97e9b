import type { GraphNode } from '../../core/model.js';
import { isStopWord } from '../../core/text/stop-words.js';
import { tokenize } from '../../core/text/tokens.js';
import { bounded } from '../dates/date-patterns.js';

/** A longer label or value is a text. In characters. */
const LONGEST = 40;
/** Characters of an item that are read. */
const READ = 4000;
/** Words from which on a value tells something: with a function word among them ("no snow any more"), and without. */
const CLAUSE = 3;
const TEXT = 5;
/** What columns are called that say why or what is wrong, however few words they hold. */
const TELLING = bounded(
  [
    'reasons?|causes?|why|because|motives?|grounds|notes?|comments?|remarks?|explanations?|descriptions?|details?|summary|subject|title|results?|outcomes?|faults?|defects?|problems?|issues?|errors?|damages?|complaints?|symptoms?|diagnos[ei]s|status|state|events?|incidents?|happened|actions?|findings?|meaning',
    '\\p{L}*(?:grund|gründe|ursachen?|meldung(?:en)?|beschreibung(?:en)?|fehler|mangel|mängel|schaden|schäden|störung(?:en)?|probleme?)|(?:fehler|schadens|stör|mangel)\\p{L}*|bemerkung(?:en)?|notiz(?:en)?|anmerkung(?:en)?|kommentare?|begründung(?:en)?|ergebnis(?:se)?|diagnosen?|zustand|vorf(?:all|älle)|ereignis(?:se)?|bedeutung|betreff|titel',
    'raisons?|motifs?|remarques?|commentaires?|résultats?|défauts?|pannes?|problèmes?|statut|état|événements?|motivos?|causas?|notas?|observaci(?:ón|ones)|comentarios?|descripci(?:ón|ones)|resultados?|fallos?|aver[ií]as?|problemas?|estado|eventos?',
    'ragion[ei]|osservazion[ei]|comment[oi]|descrizion[ei]|risultat[oi]|guast[oi]|difett[oi]|problem[ai]|stato|event[oi]|raz(?:ão|ões)|observaç(?:ão|ões)|comentários?|descriç(?:ão|ões)|defeitos?',
    '\\p{L}*(?:reden(?:en)?|oorza(?:ak|ken))|opmerking(?:en)?|toelichting(?:en)?|beschrijving(?:en)?|storing(?:en)?|gebrek(?:en)?|problemen|probleem|klacht(?:en)?|gebeurtenis(?:sen)?',
  ].join('|'),
  'iu',
);

/** One value of a row with its label. */
export interface Cell {
  readonly label: string;
  readonly value: string;
}

/** Returns the short cells of a line with their labels: "from: 2026-11-16; to: 2026-11-22". */
export function cellsOf(line: string): Cell[] {
  return factsOf(line).flatMap((fact) => cellIn(fact) ?? []);
}

/**
 * Returns whether an item is a row of short values alone: "member: Dora Pym; voice: soprano 1". Such a row says who, when and how many, and neither why nor what
 * came about. `language`: of function words, besides English. Pure.
 */
export function isBareRow(
  { description, passage }: Pick<GraphNode, 'description' | 'passage'>,
  language: string,
): boolean {
  if (passage?.message !== undefined || description.length > READ) return false;
  const facts = description.split('\n').flatMap(factsOf);
  return (
    facts.length > 1 &&
    facts.every((fact) => {
      const cell = cellIn(fact);
      return cell !== undefined && !TELLING.test(cell.label) && !isTelling(cell.value, language);
    })
  );
}

function isTelling(value: string, language: string): boolean {
  const words = tokenize(value);
  if (words.length >= TEXT) return true;
  return words.length >= CLAUSE && words.some(({ norm }) => isStopWord(norm, language) || isStopWord(norm));
}

function factsOf(line: string): string[] {
  return line.split(/; |\.(?: |$)/u).filter((fact) => fact.trim() !== '');
}

function cellIn(fact: string): Cell | undefined {
  const at = fact.indexOf(': ');
  if (at <= 0 || at > LONGEST || fact.length - at > LONGEST) return undefined;
  return { label: fact.slice(0, at).replace(/^- /u, ''), value: fact.slice(at + 2) };
}
