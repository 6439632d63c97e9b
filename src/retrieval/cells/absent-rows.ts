import { forEachInSlices } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import { PATH_SEPARATOR } from '../../core/text/about.js';
import { wordsOf } from '../../core/text/words.js';
import type { RetrievalParts } from '../collaborators.js';
import type { ItemDays } from '../dates/item-days.js';
import type { Question } from '../seed/question.js';
import { areAlike, askedLabels } from './empty-cells.js';
import { cellUnder, type LabelledRow, rowsAmong } from './row-labels.js';
import { saysNothing } from './wanted-lacks.js';
import { wantedOfRows } from './without-words.js';

/** Rows of a table that are compared; of a larger one none are brought in. */
const MOST_ROWS = 1000;
/** Rows that are read at once. */
const READ_AT_ONCE = 200;
/** Rows that are brought in at most, of so many tables. */
const MOST = 40;
const TABLES = 2;
/** Rows among the items by which a table is told, at least. */
const FEWEST = 3;
/** Stems that tell the rows of a table. */
const STEMS = 12;

/** A table of which rows among the items have the column that others are to lack. */
interface Table {
  readonly domain: string;
  /** What the names of its rows begin with: "invoices > ". */
  readonly title: string;
  readonly label: string;
  readonly rows: readonly LabelledRow[];
}

/**
 * Returns rows that lack what a question wants lacking ("who has not paid?"), of the tables whose rows are among the items: no word of the question
 * stands in them. The text index tells the rows of a table as what holds its title and its other labels; those count that have nothing under the label,
 * or "no". Of tables of 1,000 rows at most, 40 rows.
 */
export async function rowsWithout(
  { text, graph }: Pick<RetrievalParts, 'text' | 'graph'>,
  question: Question,
  { nodes, days }: { readonly nodes: Iterable<GraphNode>; readonly days: ItemDays | undefined },
): Promise<GraphNode[]> {
  const absent = wantedOfRows(question, days);
  if (absent.size === 0) return [];
  const known = [...nodes];
  const seen = new Set(known.map(({ id }) => id));
  const found: GraphNode[] = [];
  for (const table of tablesOf(rowsAmong(known), { asked: new Set(absent.keys()), language: question.language })) {
    const unseen = (await idsOf(text, table)).filter((id) => !seen.has(id));
    for (let at = 0; at < unseen.length && found.length < MOST; at += READ_AT_ONCE) {
      const read = await graph.getNodes(unseen.slice(at, at + READ_AT_ONCE));
      await forEachInSlices(read, (node) => isWithout(node, table) && found.push(node), 'urgent');
    }
  }
  return found.slice(0, MOST);
}

/** Returns whether a node is a row of a table that has nothing under its label, or says so. */
function isWithout(node: GraphNode, { title, label, rows: [first] }: Table): boolean {
  const [row] = rowsAmong([node], 1);
  if (row === undefined || !node.name.startsWith(title) || !areAlike(row.labels, first!.labels)) return false;
  return !row.labels.has(label) || saysNothing(cellUnder(node, label));
}

function tablesOf(
  rows: readonly LabelledRow[],
  { asked, language }: { readonly asked: ReadonlySet<string>; readonly language: string },
): Table[] {
  const tables = new Map<string, Table & { readonly rows: LabelledRow[] }>();
  for (const { label } of askedLabels(rows, { asked, like: new Map(), language }).values()) {
    for (const row of rows) {
      const { domain, name } = row.node;
      const end = name.lastIndexOf(PATH_SEPARATOR);
      if (end < 0 || !row.labels.has(label)) continue;
      const title = name.slice(0, end + PATH_SEPARATOR.length);
      const key = JSON.stringify([domain, title, label]);
      const table = tables.get(key);
      if (table === undefined) tables.set(key, { domain, title, label, rows: [row] });
      else table.rows.push(row);
    }
  }
  const large = [...tables.values()].filter(({ rows: { length } }) => length >= FEWEST);
  return large.sort((a, b) => b.rows.length - a.rows.length).slice(0, TABLES);
}

/** Returns ids of documents with the title of a table and the labels that its rows have in common besides the one that others are to lack. */
async function idsOf(text: RetrievalParts['text'], { domain, title, label, rows }: Table): Promise<string[]> {
  const [first, ...others] = rows;
  const common = [...first!.labels].filter((one) => one !== label && others.every(({ labels }) => labels.has(one)));
  const own = stemsOf(label);
  const stems = [...new Set([title, ...common].flatMap(stemsOf))].filter((stem) => !own.includes(stem)).slice(0, STEMS);
  if (stems.length === 0 || own.length === 0) return [];
  const [all] = await text.containingEach(domain, [stems], { most: MOST_ROWS });
  return all!.length > MOST_ROWS ? [] : [...all!].sort();
}

/** Every text is found by its English stems, too. */
function stemsOf(text: string): string[] {
  return wordsOf(text).flatMap(({ stem, stop }) => (stop ? [] : [stem]));
}
