import type { Cell, Row, TableInfo } from '../backends/relational/port.js';
import type { EdgeAssertion, Manifest } from '../core/model.js';
import { descriptionColumns, domainOf, nameColumn, relationOf } from './classify.js';
import { keyText, rowConceptId, rowHash, rowKey, rowSource, tableConceptId } from './identity.js';
import type { SchemaView } from './schema-graph.js';

const LONGEST_CELL = 8000;

/** What of a table does not depend on the row: worked out once a table. */
export interface RowPlan {
  readonly table: TableInfo;
  readonly domain: string;
  readonly nameColumn: string | null;
  readonly descriptionColumns: readonly string[];
  readonly textColumns: readonly string[];
  readonly keys: readonly RowEdge[];
}

interface RowEdge {
  readonly columns: readonly string[];
  readonly relation: string;
  readonly domain: string;
  readonly target: TableInfo;
  /** Positions of the target's primary key columns among the referenced ones. */
  readonly order: readonly number[];
}

export function rowPlan(view: SchemaView, table: TableInfo): RowPlan {
  const { conventions } = view;
  const name = nameColumn(table, conventions);
  const description = descriptionColumns(table, conventions);
  const left = new Set([
    ...table.pk_columns,
    ...table.foreign_keys.flatMap((key) => key.columns),
    ...description,
    ...(name === null ? [] : [name]),
  ]);
  return {
    table,
    domain: domainOf(table, view.domainMap, view.sourceId),
    nameColumn: name,
    descriptionColumns: description.filter((column) => column !== name),
    textColumns: table.columns
      .filter(
        (column) =>
          !left.has(column.name) &&
          !isTimestamp(column.type) &&
          !conventions.bookkeeping_columns.includes(column.name.toLowerCase()),
      )
      .map((column) => column.name),
    keys: table.foreign_keys.flatMap((key) => {
      const target = view.tables.find((t) => t.schema === key.references.schema && t.name === key.references.table);
      if (target === undefined) return [];
      const order = target.pk_columns.map((column) => key.references.columns.indexOf(column));
      // Only keys that point at the primary key name a row; one at another unique column would need a look-up.
      if (order.length === 0 || order.includes(-1) || order.length !== key.columns.length) return [];
      return [
        {
          columns: key.columns,
          relation: relationOf(table, key, conventions),
          domain: domainOf(target, view.domainMap, view.sourceId),
          target,
          order,
        },
      ];
    }),
  };
}

function isTimestamp(type: string): boolean {
  return /^(timestamp|datetime|time\b)/i.test(type);
}

/** A row as one source asserts it: a concept, an edge to its table, and (unless vectors only) an edge a foreign key. */
export function rowManifest(
  view: SchemaView,
  plan: RowPlan,
  row: { readonly cells: Row; readonly edges: boolean },
): Manifest {
  const key = rowKey(plan.table, row.cells);
  const id = rowConceptId(view.sourceId, plan.table, key);
  const self = `${plan.domain}:${id}`;
  const edges: EdgeAssertion[] = row.edges
    ? plan.keys.flatMap((foreign) => rowEdge(view, foreign, { self, cells: row.cells }))
    : [];
  if (row.edges) {
    const table = `${plan.domain}:${tableConceptId(view.sourceId, plan.table)}`;
    edges.push({ source: self, target: table, relation: 'instance_of', confidence: 1 });
  }
  return {
    domain: plan.domain,
    source: rowSource(view.sourceId, plan.table, { key, domain: plan.domain }),
    content_hash: `${rowHash(row.cells)}${row.edges ? '' : ':vec'}`,
    concepts: [
      {
        id,
        name: rowName(plan, row.cells, key),
        description: rowText(plan, row.cells),
        properties: { kind: 'row', source_id: view.sourceId, schema: plan.table.schema, table: plan.table.name, key },
      },
    ],
    edges,
    rules: [],
    passages: [],
    warnings: [],
  };
}

function rowEdge(
  view: SchemaView,
  foreign: RowEdge,
  from: { readonly self: string; readonly cells: Row },
): EdgeAssertion[] {
  const values = foreign.order.map((position) => from.cells[foreign.columns[position] ?? ''] ?? null);
  if (values.some((value) => value === null)) return [];
  const target = rowConceptId(view.sourceId, foreign.target, keyText(values));
  return [
    {
      source: from.self,
      target: `${foreign.domain}:${target}`,
      relation: foreign.relation,
      confidence: 1,
      properties: { columns: [...foreign.columns] },
    },
  ];
}

function rowName(plan: RowPlan, cells: Row, key: string): string {
  const given = plan.nameColumn === null ? null : cells[plan.nameColumn];
  const name = given === null || given === undefined ? '' : String(given).replace(/\s+/g, ' ').trim();
  return (name === '' ? `${plan.table.name} ${key.length > 60 ? key.slice(0, 12) : key}` : name).slice(0, 500);
}

/** Description columns as they are, then the others as `column name: value`; booleans as yes and no, nulls left out. */
function rowText(plan: RowPlan, cells: Row): string {
  const prose = plan.descriptionColumns.map((column) => said(cells[column])).filter((text) => text !== '');
  const facts = plan.textColumns.flatMap((column) => {
    const value = said(cells[column]);
    return value === '' ? [] : [`${column.replaceAll('_', ' ')}: ${value}`];
  });
  const listed = facts.length === 0 ? '' : `${plan.table.name.replaceAll('_', ' ')} with ${facts.join('; ')}.`;
  return [...prose, listed].filter((part) => part !== '').join(' ');
}

function said(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return String(cell).replace(/\s+/g, ' ').trim().slice(0, LONGEST_CELL);
}
