import { sql } from 'kysely';
import { forValues, GIVEN } from '../../../backends/store/rows.js';
import type { Db } from '../../../backends/store/schema.js';
import { derivedRuleId, type EdgeTemplate, yieldsNamedRule } from '../../../core/derive-rules.js';
import type { JsonObject } from '../../../core/model.js';
import type { Row } from '../../tables.js';

/** An edge that yields a rule, by its number; all that filters of rules ask for. */
export interface DerivedRuleEntry {
  readonly edge: number;
  readonly domain: number;
  readonly category: string;
  readonly confidence: number;
}

/** An entry with the id of its rule. */
export interface NamedEntry {
  readonly id: string;
  readonly entry: DerivedRuleEntry;
}

/** An edge as far as its rule depends on it. */
export type YieldingRow = Pick<Row<'edge'>, 'ref' | 'confidence' | 'properties'> & {
  readonly domain: number;
} & Readonly<Record<'source_id' | 'target_id' | 'relation_type' | 'source_name' | 'target_name', string>>;

/** Of edge `e`, its source `a` and target `b`. */
export const YIELDING = sql`e.ref, a.domain, a.id as source_id, b.id as target_id, e.relation as relation_type,
  e.confidence, e.properties, a.name as source_name, b.name as target_name`;

export type Templates = ReadonlyMap<string, EdgeTemplate>;

/** Returns the entry of an edge; none where it yields no rule. */
export function entryOf(row: YieldingRow, templates: Templates): NamedEntry[] {
  const template = templates.get(row.relation_type);
  if (template === undefined) return [];
  const properties = row.properties === '{}' ? {} : (JSON.parse(row.properties) as JsonObject);
  if (!yieldsNamedRule({ ...row, properties }, { source: row.source_name, target: row.target_name })) return [];
  const { category } = template;
  const entry = { edge: row.ref, domain: Number(row.domain), category, confidence: row.confidence };
  return [{ id: derivedRuleId(row, template), entry }];
}

/** Returns the entries of visible edges among these numbers, in any order. */
export async function entriesOf(db: Db, refs: Iterable<number>, templates: Templates): Promise<NamedEntry[]> {
  const rows = await forValues(db, refs)<YieldingRow>`
    select ${YIELDING} from ${GIVEN} join edge e on e.ref = given.v and e.shown = 1 join node a on a.ref = e.src
    join node b on b.ref = e.dst`;
  return rows.flatMap((row) => entryOf(row, templates));
}
