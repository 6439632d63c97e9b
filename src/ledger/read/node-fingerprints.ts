import type { Kysely } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Database } from '../../backends/store/schema.js';
import { chunks } from '../../backends/store/sql.js';
import { type NodeFingerprints, nodeFingerprint } from '../checkpoint/node-fingerprints.js';
import type { Row } from '../tables.js';

type FingerprintRow = Pick<Row<'node'>, 'id' | 'kind' | 'name'> &
  Readonly<Record<'description' | 'text' | 'sentences' | 'message', string | null>>;

const ROWS = 2000;

/** Returns the fingerprints of those of the nodes that are concepts or passages; a bare entity is in no index. */
export async function readNodeFingerprints(db: Kysely<Database>, nodes: Iterable<number>): Promise<NodeFingerprints> {
  const fingerprints: NodeFingerprints = new Map();
  for (const some of chunks([...nodes], ROWS)) {
    const rows = await forValues(db, some)<FingerprintRow>`
      select n.id, n.kind, n.name, c.description, p.text, p.sentences, p.message from ${GIVEN}
      join node n on n.ref = given.v left join concept c on n.kind = 0 and c.node = n.ref and c.source = n.shown
      left join passage p on n.kind = 1 and p.node = n.ref where n.kind <> 2`;
    for (const { id, kind, name, description, text, sentences, message } of rows) {
      fingerprints.set(id, nodeFingerprint(kind, name, description, text, sentences, message));
    }
  }
  return fingerprints;
}
