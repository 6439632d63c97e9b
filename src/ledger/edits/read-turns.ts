import { sql } from 'kysely';
import type { Db } from '../../backends/store/schema.js';
import type { MessageFields } from '../../core/model.js';
import { PASSAGE } from '../tables.js';

/** A piece of a message of a session, in the order of the conversation. */
export interface SessionTurn extends Omit<MessageFields, 'session_id'> {
  /** Id of its passage. */
  readonly node_id: string;
  readonly text: string;
}

/** Returns messages of a session, a long one in pieces, and how many pieces there are. */
export async function sessionTurns(
  db: Db,
  sourceId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly messages: SessionTurn[]; readonly total: number }> {
  const from = sql`from source s join passage p on p.source = s.ref where s.id = ${sourceId} and p.message is not null`;
  const { rows } = await sql<{ node: number; text: string; message: string; id: string }>`
    select n.id, given.text, given.message from (select p.node, p.ord, p.text, p.message ${from}
      order by p.ord limit ${limit} offset ${offset}) as given
    join node n on n.ref = given.node order by given.ord`.execute(db);
  const counted = await sql<{ n: number }>`select count(*) as n ${from}`.execute(db);
  return {
    messages: rows.map(({ id, text, message }) => {
      const { session_id: _, ...fields } = JSON.parse(message) as MessageFields;
      return { node_id: id, text, ...fields };
    }),
    total: Number(counted.rows[0]?.n ?? 0),
  };
}

/** What one source says of a node. */
export interface NodeAssertion {
  readonly source_id: string;
  readonly label: string;
  readonly kind: string;
  readonly name: string;
  readonly description: string;
  readonly confidence: number;
  /** Whether it is what readers see. */
  readonly visible: boolean;
}

/** Returns what sources say of a node, what is visible first; of a passage its source alone, without its text. */
export async function nodeAssertions(db: Db, id: string): Promise<NodeAssertion[]> {
  const { rows } = await sql<Omit<NodeAssertion, 'visible'> & { visible: number }>`
    select s.id as source_id, s.label, s.kind, c.name, c.description, c.confidence,
      case when c.source = n.shown then 1 else 0 end as visible
    from node n join concept c on c.node = n.ref join source s on s.ref = c.source where n.id = ${id}
    union all select s.id, s.label, s.kind, n.name, '', n.confidence, 1
    from node n join passage p on p.node = n.ref join source s on s.ref = p.source
    where n.id = ${id} and n.kind = ${PASSAGE}`.execute(db);
  return rows
    .map((row) => ({ ...row, visible: row.visible === 1 }))
    .sort((a, b) => Number(b.visible) - Number(a.visible) || (a.source_id < b.source_id ? -1 : 1));
}
