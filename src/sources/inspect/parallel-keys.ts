import type { TableInfo } from '../../backends/relational/port.js';
import type { EdgeAssertion, JsonObject } from '../../core/model.js';

/** Members of an edge's properties that tell which key made it. */
type KeyProperties = { readonly [member in 'column' | 'foreign_key' | 'on_delete']?: string } & {
  readonly columns?: readonly string[];
};

/** Returns foreign keys in the order of their columns: engines list them in orders of their own. */
export function inColumnOrder<T extends { readonly columns: readonly string[] }>(
  table: TableInfo,
  keys: readonly T[],
): T[] {
  const place = ({ columns }: T): number => table.columns.findIndex(({ name }) => name === columns[0]);
  return [...keys].sort((a, b) => place(a) - place(b));
}

/**
 * Returns edges of one source with those joined that have the same ends and relation, as two keys of a row that refer to the same row
 * do: a graph keeps one such edge, which then names the columns of all, those of the first edge first.
 */
export function joinedEdges(edges: readonly EdgeAssertion[]): EdgeAssertion[] {
  const joined = new Map<string, EdgeAssertion>();
  for (const edge of edges) {
    const key = JSON.stringify([edge.source, edge.target, edge.relation.toUpperCase()]);
    const known = joined.get(key);
    joined.set(key, known === undefined ? edge : both(known, edge));
  }
  return [...joined.values()];
}

function both(first: EdgeAssertion, second: EdgeAssertion): EdgeAssertion {
  const [one, other] = [first.properties ?? {}, second.properties ?? {}] as [
    KeyProperties & JsonObject,
    KeyProperties & JsonObject,
  ];
  const { column: _, ...properties } = { ...other, ...one };
  return {
    ...first,
    confidence: Math.max(first.confidence ?? 1, second.confidence ?? 1),
    properties: {
      ...properties,
      columns: once([...columnsOf(one), ...columnsOf(other)]),
      ...listed('foreign_key', one, other),
      ...listed('on_delete', one, other),
    },
  };
}

function columnsOf({ column, columns = column === undefined ? [] : [column] }: KeyProperties): readonly string[] {
  return columns;
}

/** Returns a member as a list of the values of both, with commas between. */
function listed(member: 'foreign_key' | 'on_delete', one: KeyProperties, other: KeyProperties): JsonObject {
  const values = once([one[member], other[member]].flatMap((value) => value?.split(', ') ?? []));
  return values.length === 0 ? {} : { [member]: values.join(', ') };
}

function once(values: readonly string[]): string[] {
  return [...new Set(values)];
}
