import { createHash } from 'node:crypto';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { chunks } from '../../backends/store/sql.js';
import type { Row } from '../tables.js';
import type { Restored } from '../types.js';

/** Id of a returnable node → what of it text and vectors are made from, as a short hash. */
export type NodeFingerprints = Map<string, string>;

/** Hashes the fields that go into the text index, the vector or the sentence vectors. */
export function nodeFingerprint(...fields: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64').slice(0, 16);
}

/** Returns what text and vectors must follow when one state of the graph replaced another. */
export function differencesOf(before: NodeFingerprints, after: NodeFingerprints): Restored {
  const changed: string[] = [];
  for (const [id, fingerprint] of after) if (before.get(id) !== fingerprint) changed.push(id);
  const removed: string[] = [];
  for (const id of before.keys()) if (!after.has(id)) removed.push(id);
  return { changed: changed.sort(), removed: removed.sort() };
}

type FingerprintRow = Pick<Row<'node'>, 'id' | 'kind' | 'name'> &
  Readonly<Record<'description' | 'text' | 'sentences' | 'message', string | null>>;

const ROWS = 2000;

/** Returns the fingerprints of those of the nodes that are concepts or passages; a bare entity is in no index. */
export async function readNodeFingerprints(db: Db, nodes: Iterable<number>): Promise<NodeFingerprints> {
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
