import type { EdgeAssertion, Manifest } from '../../core/model.js';
import { keyText, rowConceptId, rowKey, rowSource, tableKey } from '../inspect/identity.js';
import { inColumnOrder, joinedEdges } from '../inspect/parallel-keys.js';
import type { SchemaView } from '../inspect/schema-graph.js';
import type { ReadRow, RowPlan, RowReference } from './row-plan.js';
import { rowFingerprint, rowName, rowText } from './row-text.js';

/** Returns a row as one source asserts it: a concept, and an edge for each row that its foreign keys refer to. */
export function rowManifest(view: SchemaView, plan: RowPlan, row: ReadRow & { readonly hash?: string }): Manifest {
  const key = rowKey(plan.table, row.cells);
  const id = rowConceptId(view.sourceId, plan.table, key);
  const edges = inColumnOrder(plan.table, plan.keys).flatMap((foreign): EdgeAssertion[] => {
    const target = targetKey(foreign, row);
    if (target === null) return [];
    return [
      {
        source: `${plan.domain}:${id}`,
        target: `${plan.domain}:${rowConceptId(view.sourceId, foreign.target, target)}`,
        relation: foreign.relation,
        confidence: 1,
        properties: {
          columns: [...foreign.columns],
          provenance: 'row',
          ...(plan.deriveRules ? { derive_rules: true } : {}),
        },
      },
    ];
  });
  return {
    domain: plan.domain,
    source: rowSource(view.sourceId, { table: tableKey(plan.table), key, domain: plan.domain }),
    content_hash: row.hash ?? rowFingerprint(plan, row),
    concepts: [
      {
        id,
        name: rowName(plan, row.cells, key),
        description: rowText(plan, row),
        properties: { kind: 'row', source_id: view.sourceId, schema: plan.table.schema, table: plan.table.name, key },
      },
    ],
    edges: joinedEdges(edges),
    rules: [],
    passages: [],
    warnings: [],
  };
}

/** Returns the key of the row that a foreign key points at; null where a column is null or there is no such row. */
function targetKey(foreign: RowReference, row: ReadRow): string | null {
  const values = foreign.columns.map((column) => row.cells[column] ?? null);
  if (values.includes(null)) return null;
  if (foreign.order !== null) return keyText(foreign.order.map((position) => values[position] ?? null));
  return row.found.get(foreign)?.get(keyText(values))?.key ?? null;
}
