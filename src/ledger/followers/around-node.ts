import { type Kysely, sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Database } from '../../backends/store/schema.js';
import { chunks } from '../../backends/store/sql.js';
import { edgeRefsAt } from '../read/edges/edges-at.js';
import { entryOf, type PresentEntry } from './change-entries.js';
import { edgeRecordsOf, mentionRecords, ruleRecordsOf } from './record-reader.js';

type Db = Kysely<Database>;

/** Records that one step brings. */
const PAGE = 1000;

/**
 * Yields entries of everything that is at a node: the keys it is about or stands for, what it mentions, its edges, the
 * rules that touch it. An engine that had not this node could take none of that.
 */
export async function* entriesAround(db: Db, ref: number): AsyncGenerator<readonly PresentEntry[]> {
  yield await keysAt(db, ref);
  yield (await mentionRecords(db, [ref])).map((record) => entryOf('mention', record));
  for (const refs of chunks(await edgeRefsAt(db, [ref]), PAGE)) {
    yield (await edgeRecordsOf(db, refs)).map((record) => entryOf('edge', record));
  }
  const touching = await sql<{ rule: number }>`select rule from rule_concept where node = ${ref}`.execute(db);
  const rules = touching.rows.map(({ rule }) => rule);
  for (const refs of chunks(rules, PAGE)) {
    yield (await ruleRecordsOf(db, refs)).map((record) => entryOf('rule', record));
  }
}

/** Of each key only what this node is to it: thousands of others may be about it, and another stands for it then. */
async function keysAt(db: Db, node: number): Promise<PresentEntry[]> {
  const { rows } = await sql<{ domain: number; kind: number; key: string; about: string | null }>`
    select n.domain, n.kind, n.key, p.about from node n left join passage p on p.node = n.ref where n.ref = ${node}
    union all select m.domain, 2, m.key, null from merged_node m where m.target = ${node}`.execute(db);
  const named = new Set(rows.flatMap(({ key, about }) => [key, ...titlesIn(about)]));
  const own = rows.find(({ kind }) => kind === 0)?.key;
  const keys = await forValues(db, named)<{ ref: number; key: string; stands: number; alias: number | null }>`
    select k.ref, k.key, k.node as stands, a.alias from ${GIVEN} join key k on k.key = given.v
    and k.domain = ${rows[0]?.domain ?? 0} left join about a on a.key = k.ref and a.node = ${node} where k.node <> 0`;
  return keys.map(({ ref, key, stands, alias }) => ({
    kind: 'key',
    name: `${ref}`,
    id: key,
    add: (to) => {
      if (stands === node) to.keyNodes.set(ref, node);
      if (key === own) to.setAbout(ref, node, 0);
      else if (alias !== null) to.setAbout(ref, node, alias);
    },
  }));
}

function titlesIn(about: string | null): string[] {
  return about === null ? [] : (JSON.parse(about) as Array<{ key: string }>).map(({ key }) => key);
}
