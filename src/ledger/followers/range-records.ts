import type { SyncRange } from '../follower.js';
import type { NodeRecord } from '../records.js';

type RangeRecord = SyncRange['records'][number];

/** Returns the records of a range that a graph engine has: a passage that mentions nothing is listed, and has nothing there. */
export function wantedIn({ records }: SyncRange): RangeRecord[] {
  return records.filter(({ record }) => !('keys' in record) || record.keys.size > 0);
}

/** A node that text index and vectors hold, with its fingerprint. */
export interface RangeDocument {
  readonly id: string;
  readonly fingerprint: string;
  readonly record: NodeRecord;
}

/** Returns the documents of a range of nodes. */
export function documentsIn({ records }: SyncRange): RangeDocument[] {
  return records.flatMap(({ record: node, fingerprint }) => {
    const record = node as NodeRecord;
    return isDocument(record) ? [{ id: record.id, fingerprint, record }] : [];
  });
}

/** Returns whether a node is a document of the indexes: a bare entity is a bridge, never an answer. */
export function isDocument(node: NodeRecord): boolean {
  return node.kind !== 'entity';
}
