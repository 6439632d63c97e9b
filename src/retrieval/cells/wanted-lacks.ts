import type { GraphNode } from '../../core/model.js';
import { wordsOf } from '../../core/text/words.js';
import { ASKED, type AskedLabel, areAlike, askedLabels } from './empty-cells.js';
import { cellUnder, type LabelledRow, type Lack, type LackContext, rowsAmong, shareOf } from './row-labels.js';
import { wantedOfRows } from './without-words.js';

/** 1/√n of a name that one row alone has: what the question names it asks about. */
const ALONE = 1;
/** Values that say that there is nothing, or not yet. */
const NOTHING =
  /^(?:[-–—✗✘☐]+|n|n\/a|no|not\b.*|none|nil|null|0|false|never|open|outstanding|pending|overdue|missing|un\p{L}+|tbd|nein|nicht\b.*|keine?[nrs]?|offen|ausstehend|überfällig|fehlt|non|pas\b.*|aucune?|à payer|impayée?|ning[uú]n[oa]?|pendiente|nessun[oa]?|não|nenhuma?|pendente|nee|niet\b.*|geen|openstaand)$/iu;

/**
 * Finds the rows that a question wants for what they lack, "who has not paid?", and those that have it: rows of one table, of which one at
 * least has nothing in the column, or says so. Where a row has in this column what else the question says ("not paid by card"), the question is about values, and nothing is
 * said; nor where a row that has it holds more of what else the question says than any that lacks it, "I don't know the phone of the caterer": then that row is asked for. Returns item → what it lacks or has. Pure.
 */
export function wantedLacks(
  nodes: readonly GraphNode[],
  { question, texts, like, days }: Pick<LackContext, 'question' | 'texts' | 'like' | 'days'>,
): ReadonlyMap<string, Lack> {
  const found = new Map<string, Lack>();
  const absent = wantedOfRows(question, days);
  const rows = absent.size === 0 ? [] : rowsAmong(nodes, 1);
  if (rows.length < 2) return found;
  const asked = new Set(absent.keys());
  const labels = askedLabels(rows, { asked, like, language: question.language });
  const columns = [...labels.values()].reverse().map((label) => {
    const covered = [...absent].flatMap(([stem, own]) =>
      label.words.some((word) => shareOf(word, stem, like) >= ASKED) ? [own] : [],
    );
    return { label, covered };
  });
  const held = restOf(rows, { question, texts, covered: new Set(columns.flatMap(({ covered }) => covered)) });
  for (const { label, covered } of columns) {
    const column = columnOf(rows, label, { question, covered });
    const most = (wanted: boolean) =>
      Math.max(-1, ...column.flatMap(([id, has]) => (has === wanted ? [held.get(id)!] : [])));
    if (most(true) > most(false)) continue;
    for (const [id, has] of column) {
      const base = { what: label.label, share: label.match };
      if (!has) found.set(id, { ...base, kind: 'wanted', covered });
      else if ((question.named.get(id) ?? 0) < ALONE) found.set(id, { ...base, kind: 'held' });
    }
  }
  return found;
}

/** Returns whether the value of a cell says that there is nothing, or not yet: "no", "open". Pure. */
export function saysNothing(value: string): boolean {
  return NOTHING.test(value);
}

/** Returns item → how many words of its values are words of the question that say nothing of columns and of what is wanted lacking. */
function restOf(
  rows: readonly LabelledRow[],
  { question, texts, covered }: Pick<LackContext, 'question' | 'texts'> & { readonly covered: ReadonlySet<string> },
): ReadonlyMap<string, number> {
  const { words, language } = question;
  const labels = new Set(rows.flatMap((row) => [...row.labels]));
  const ofLabels = new Set([...labels].flatMap((label) => wordsOf(label, language).map(({ stem }) => stem)));
  const rest = new Set(
    words.flatMap(({ stem, content }) => (content && !covered.has(stem) && !ofLabels.has(stem) ? [stem] : [])),
  );
  return new Map(rows.map(({ node }) => [node.id, [...rest].filter((stem) => texts.of(node).all.has(stem)).length]));
}

/** Returns item → whether it has something in a column, for the rows of the table; none where no row lacks it, or where the question is about values. */
function columnOf(
  rows: readonly LabelledRow[],
  { label }: AskedLabel,
  { question, covered }: Pick<LackContext, 'question'> & { readonly covered: readonly string[] },
): Array<[string, boolean]> {
  const others = new Set(
    question.words.flatMap(({ stem, content }) => (content && !covered.includes(stem) ? [stem] : [])),
  );
  // A row of one cell is one where another row of the table has more.
  const holders = rows.filter(({ labels }) => labels.size > 1 && labels.has(label));
  const values = new Map(holders.map(({ node }) => [node.id, cellUnder(node, label)]));
  for (const value of values.values())
    if (wordsOf(value, question.language).some(({ stem }) => others.has(stem))) return [];
  const column = rows.flatMap(({ node, labels }): Array<[string, boolean]> => {
    const value = values.get(node.id);
    if (value !== undefined) return [[node.id, !saysNothing(value)]];
    return holders.some((other) => areAlike(labels, other.labels)) ? [[node.id, false]] : [];
  });
  return column.every(([, has]) => has) ? [] : column;
}
