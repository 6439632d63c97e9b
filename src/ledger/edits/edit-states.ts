import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../backends/store/schema.js';
import { sourceId } from '../../core/ids.js';
import { CONCEPT } from '../tables.js';
import { type EdgeName, type EditRecord, type EditState, editsSource } from './edit-types.js';

/** Returns whether an edit counts now, or waits for what it changes. */
export async function stateOf(db: Db, edit: EditRecord): Promise<EditState> {
  if (edit.undone_at !== null) return 'undone';
  const found = await effectOf(edit).execute(db);
  return found.rows.length > 0 ? 'active' : 'inert';
}

/** Returns a query that finds a row where the edit has something to change. */
function effectOf({ body, domain }: EditRecord): RawBuilder<unknown> {
  const edits = sourceId(editsSource(domain));
  switch (body.type) {
    case 'add_concept':
    case 'change_concept':
      return sql`select 1 from node where id = ${body.id} and kind = ${CONCEPT}
        union select 1 from merged_node where id = ${body.id}`;
    case 'add_edge':
      return ownEdge(edits, body, sql``);
    case 'change_edge':
    case 'remove_edge':
      return ownEdge(
        edits,
        body,
        sql`and exists (select 1 from edge o where o.src = e.src and o.dst = e.dst and o.relation = e.relation
          and (o.edit is null or o.edit like '{"is":"added"%'))`,
      );
    case 'add_rule':
      return sql`select 1 from rule where id = ${body.rule_id}`;
    case 'change_rule':
    case 'remove_rule':
      return sql`select 1 from rule r join domain d on d.ref = r.domain where r.id = ${body.rule_id}
        and d.name = ${domain} and (r.edit is null or r.edit like '{"is":"added"%') limit 1`;
    case 'merge':
      return sql`select 1 from entity_merge m join merged_node n on n.id = m.from_id
        where m.id = ${body.merge_id ?? ''} and m.undone_at is null`;
    case 'remove_message':
      return sql`select 1 from removed_message where source_id = ${body.source_id} and identity = ${body.identity}`;
    case 'remove_session':
      return sql`select 1 from removed_message where source_id = ${body.source_id} limit 1`;
  }
}

/** Finds the row of `edits` of an edge both ends of which exist. */
function ownEdge(
  edits: string,
  { source, relation, target }: EdgeName,
  more: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`select 1 from edge e join source s on s.ref = e.source where s.id = ${edits} and e.src_end = ${source}
    and e.dst_end = ${target} and e.relation = ${relation} and e.src <> 0 and e.dst <> 0 ${more} limit 1`;
}
