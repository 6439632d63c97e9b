import { type Kysely, sql } from 'kysely';
import type { Database } from '../../backends/store/schema.js';
import { slicer } from '../../core/slices.js';
import { type NodeFingerprints, nodeFingerprint } from '../checkpoint/node-fingerprints.js';

interface FingerprintRow {
  readonly ref: number;
  readonly id: string;
  readonly kind: number;
  readonly name: string;
  readonly description: string | null;
  readonly text: string | null;
  readonly sentences: string | null;
  readonly message: string | null;
}

const ROWS = 2000;

/** Returns the fingerprints of all concepts and passages; a bare entity is in no index. */
export async function readNodeFingerprints(db: Kysely<Database>): Promise<NodeFingerprints> {
  const fingerprints: NodeFingerprints = new Map();
  const pause = slicer();
  for (let after = -1; ; ) {
    const { rows } =
      await sql<FingerprintRow>`select n.ref, n.id, n.kind, n.name, c.description, p.text, p.sentences, p.message
      from node n left join concept c on n.kind = 0 and c.node = n.ref and c.source = n.shown
      left join passage p on n.kind = 1 and p.node = n.ref
      where n.ref > ${after} and n.kind <> 2 order by n.ref limit ${ROWS}`.execute(db);
    for (const { id, kind, name, description, text, sentences, message } of rows) {
      fingerprints.set(id, nodeFingerprint(kind, name, description, text, sentences, message));
    }
    if (rows.length < ROWS) return fingerprints;
    after = rows.at(-1)!.ref;
    await pause();
  }
}
