import type { ForeignKey, TableInfo } from '../../backends/relational/port.js';
import { contentHash } from '../../core/ids.js';
import type { ConceptAssertion, EdgeAssertion, Manifest, RuleAssertion } from '../../core/model.js';
import { someOf } from '../../core/wording/some-of.js';
import { checkRule } from './check-rules.js';
import { descriptionColumns, domainOf, isCatalog, nameColumns, relationOf } from './classify.js';
import type { Conventions } from './conventions.js';
import { schemaSource, tableConceptId } from './identity.js';
import { inColumnOrder, joinedEdges } from './parallel-keys.js';

/** A database's tables with what they mean: the input of every manifest. */
export interface SchemaView {
  readonly sourceId: string;
  readonly tables: readonly TableInfo[];
  readonly domainMap: Readonly<Record<string, string>>;
  readonly conventions: Conventions;
}

/** A table as inspection shows it. */
export type InspectedTable = {
  readonly name: string;
  readonly schema: string;
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string; readonly nullable: boolean }>;
  readonly row_count: number;
  readonly row_count_estimated?: true;
  readonly pk_columns: readonly string[];
  readonly foreign_keys: readonly ForeignKey[];
  readonly check_constraints: ReadonlyArray<{ readonly name: string; readonly sql: string }>;
  readonly unique_constraints: ReadonlyArray<readonly string[]>;
  readonly is_catalog: boolean;
  readonly domain: string;
  readonly name_column: string | null;
  /** The columns of the first and last name, where these name a row. */
  readonly name_columns?: readonly string[];
};

export type SchemaEdge = {
  readonly source: string;
  readonly target: string;
  readonly relation_type: string;
  readonly columns: readonly string[];
  readonly confidence: number;
};

export type SchemaRule = {
  readonly table: string;
  readonly text: string;
  readonly sql: string;
};

export function inspectTable(view: SchemaView, table: TableInfo): InspectedTable {
  const named = nameColumns(table, view.conventions);
  return {
    name: table.name,
    schema: table.schema,
    columns: table.columns,
    row_count: table.row_count,
    ...(table.row_count_estimated ? { row_count_estimated: true as const } : {}),
    pk_columns: table.pk_columns,
    foreign_keys: table.foreign_keys,
    check_constraints: table.check_constraints,
    unique_constraints: table.unique_constraints,
    is_catalog: isCatalog(table, view.conventions),
    domain: domainOf(table, view.domainMap, view.sourceId),
    name_column: named.length === 1 ? (named[0] ?? null) : null,
    ...(named.length > 1 ? { name_columns: named } : {}),
  };
}

/** Returns edges between tables, one per foreign key, sorted by their endpoints. */
export function schemaEdges(view: SchemaView): SchemaEdge[] {
  return view.tables.flatMap((table) =>
    table.foreign_keys.map((key) => ({
      source: `${table.schema}.${table.name}`,
      target: `${key.references.schema}.${key.references.table}`,
      relation_type: relationOf(table, key, view.conventions),
      columns: key.columns,
      confidence: 1,
    })),
  );
}

/** Returns check constraints as readable rules. */
export function schemaRules(view: SchemaView): SchemaRule[] {
  return view.tables.flatMap((table) =>
    table.check_constraints.map((check) => ({
      table: `${table.schema}.${table.name}`,
      text: checkRule(tableName(view, table), check),
      sql: check.sql,
    })),
  );
}

/**
 * Returns what a table itself asserts: its concept, one edge per table and relation of its foreign keys, one rule per check constraint. That rules
 * were left out is noted on the concept, so that a later sync leaves them out too.
 */
export function tableManifest(view: SchemaView, table: TableInfo, options: { readonly rules: boolean }): Manifest {
  const domain = domainIn(view, table);
  const keys = inColumnOrder(table, table.foreign_keys).flatMap((key) => {
    const target = referenced(view, key);
    return target === undefined ? [] : [{ key, target }];
  });
  const edges = joinedEdges(keys.map(({ key, target }) => edgeOf(view, table, { key, target })));
  const elsewhere = [...new Set(keys.map(({ target }) => target))].filter(
    (target) => domainIn(view, target) !== domain,
  );
  const rules = options.rules ? table.check_constraints.map((check) => ruleOf(view, table, check)) : [];
  const concept = {
    id: tableConceptId(view.sourceId, table),
    name: tableName(view, table),
    description: tableText(view, table),
    properties: {
      kind: 'table',
      source_id: view.sourceId,
      schema: table.schema,
      table: table.name,
      row_count: table.row_count,
      is_catalog: isCatalog(table, view.conventions),
      ...(options.rules ? {} : { extract_rules: false }),
    },
  };
  const concepts = [concept, ...elsewhere.map((target) => standIn(view, target))];
  return {
    domain,
    source: schemaSource(view.sourceId, table, domain),
    content_hash: contentHash(JSON.stringify([concepts, edges, rules])),
    concepts,
    edges,
    rules: once(rules),
    passages: [],
    warnings: [],
  };
}

/** Returns a table's name; with its schema where two schemas have a table of that name. */
export function tableName(view: Pick<SchemaView, 'tables'>, table: TableInfo): string {
  const twins = view.tables.filter((other) => other.name.toLowerCase() === table.name.toLowerCase());
  return (twins.length > 1 ? `${table.schema}.${table.name}` : table.name).replace(/\s+/g, ' ').trim();
}

/** Columns of a table that its text names. */
const SHOWN = 40;

function tableText(view: SchemaView, table: TableInfo): string {
  const columns = table.columns.map((column) => column.name);
  const described = descriptionColumns(table, view.conventions).length > 0 ? ' Its rows carry a description.' : '';
  return `Database table of ${view.sourceId} with the columns ${someOf(columns, SHOWN)}.${described}`;
}

function edgeOf(
  view: SchemaView,
  table: TableInfo,
  { key, target }: { readonly key: ForeignKey; readonly target: TableInfo },
): EdgeAssertion {
  const domain = domainIn(view, table);
  return {
    source: `${domain}:${tableConceptId(view.sourceId, table)}`,
    target: `${domain}:${tableConceptId(view.sourceId, target)}`,
    relation: relationOf(table, key, view.conventions),
    confidence: 1,
    properties: {
      foreign_key: key.name,
      columns: [...key.columns],
      on_delete: key.on_delete,
      provenance: 'schema',
    },
  };
}

/** Returns the table that a foreign key points at, where it is among those read. */
export function referenced(view: Pick<SchemaView, 'tables'>, key: ForeignKey): TableInfo | undefined {
  return view.tables.find((table) => table.schema === key.references.schema && table.name === key.references.table);
}

export function domainIn(view: SchemaView, table: TableInfo): string {
  return domainOf(table, view.domainMap, view.sourceId);
}

/**
 * Returns the concept that stands for a table of another domain; edges stay within a domain, so a table of another
 * domain is represented by a concept with the same opaque id.
 */
export function standIn(view: SchemaView, table: TableInfo): ConceptAssertion {
  return {
    id: tableConceptId(view.sourceId, table),
    name: `${tableName(view, table)} (${view.sourceId})`,
    description: `Database table ${table.schema}.${table.name} of ${view.sourceId}, described in the domain ${domainIn(view, table)}.`,
    properties: {
      kind: 'table',
      source_id: view.sourceId,
      schema: table.schema,
      table: table.name,
      domain: domainIn(view, table),
    },
  };
}

/** Returns the rules with each text once, as a rule of the same text in the domain is one rule. */
function once(rules: readonly RuleAssertion[]): RuleAssertion[] {
  return [...new Map(rules.map((rule) => [rule.text, rule])).values()];
}

function ruleOf(
  view: SchemaView,
  table: TableInfo,
  check: { readonly name: string; readonly sql: string },
): RuleAssertion {
  return {
    text: checkRule(tableName(view, table), check),
    category: 'schema',
    confidence: 1,
    concepts: [`${domainIn(view, table)}:${tableConceptId(view.sourceId, table)}`],
    metadata: {
      sql: check.sql,
      constraint: check.name,
      table: `${table.schema}.${table.name}`,
      source_id: view.sourceId,
    },
  };
}
