import { type RawBuilder, sql } from 'kysely';
import type { Filter, Leaf } from '../filter.js';

/**
 * Returns a filter as SQL over the column `metadata` (jsonb). No part is ever null, so `not` means what it says.
 * Equality is written as containment, which the GIN index answers; containment of an object is strict about types.
 */
export function filterSql(filter: Filter): RawBuilder<boolean> {
  switch (filter.kind) {
    case 'and':
      return filter.parts.length === 0 ? sql`true` : joined(filter.parts, sql` and `);
    case 'or':
      return joined(filter.parts, sql` or `);
    case 'not':
      return sql`(not ${filterSql(filter.part)})`;
    case 'in':
      return memberSql(filter);
    default:
      return comparisonSql(filter);
  }
}

function joined(parts: readonly Filter[], separator: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${sql.join(parts.map(filterSql), separator)})`;
}

const FEW = 50;

function memberSql(test: Leaf & { kind: 'in' }): RawBuilder<boolean> {
  if (test.values.length === 0) return sql`false`;
  const documents = test.values.map((value) => JSON.stringify(nested(test.path, value)));
  // The GIN index answers single containments, not those of `any`.
  if (documents.length <= FEW) {
    const tests = documents.map((document) => sql`metadata @> ${document}::jsonb`);
    return sql`(${sql.join(tests, sql` or `)})`;
  }
  return sql`(metadata @> any(${documents}::text[]::jsonb[]))`;
}

const SIGNS = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` };

function comparisonSql(test: Exclude<Leaf, { kind: 'in' }>): RawBuilder<boolean> {
  const member = test.path.reduce((at, name) => sql`${at} -> ${name}::text`, sql`metadata`);
  // Only `case` promises that the cast is not tried on another type.
  if (typeof test.value === 'number') {
    return sql`(case when jsonb_typeof(${member}) = 'number'
      then (${member})::numeric ${SIGNS[test.kind]} ${String(test.value)}::numeric else false end)`;
  }
  return sql`(case when jsonb_typeof(${member}) = 'string'
    then ((${member}) #>> '{}') collate "C" ${SIGNS[test.kind]} ${test.value} else false end)`;
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}
