import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../backends/store/schema.js';
import { slicer } from '../../core/async/slices.js';
import { fingerprintOf } from '../fingerprint.js';
import type { SyncPosition, SyncRange } from '../follower.js';
import type { RecordKind, RecordOf } from '../records.js';
import {
  edgeRecordsOf,
  keyRecords,
  mentionRecords,
  nodeRecords,
  recordReader,
  ruleRecordsOf,
} from './record-reader.js';

/** Records of one range. */
export const RANGE = 2000;

/** Where the numbers of the visible records of a kind come from, and what reads the records. */
const KINDS: { readonly [K in RecordKind]: KindSource<K> } = {
  domain: { from: sql`domain where true`, read: (db, refs) => recordReader(db).domains(refs) },
  node: { from: sql`node where true`, read: nodeRecords },
  key: { from: sql`key where node <> 0`, read: keyRecords },
  mention: { from: sql`passage where true`, column: 'node', read: mentionRecords },
  edge: { from: sql`edge where shown = 1`, read: edgeRecordsOf },
  rule: { from: sql`rule where shown = 1`, read: ruleRecordsOf },
};

interface KindSource<K extends RecordKind> {
  readonly from: RawBuilder<unknown>;
  /** Of the numbers; default `ref`. */
  readonly column?: string;
  readonly read: (db: Db, refs: readonly number[]) => Promise<Array<RecordOf[K]>>;
}

/** Returns the first position in these kinds; null where there are none. */
export function firstPosition(kinds: readonly RecordKind[]): SyncPosition | null {
  return kinds[0] === undefined ? null : { kind: kinds[0], after: 0 };
}

/** Returns the range at a position, of at most `size` records, and the position after it: null after the last one. */
export async function rangeAt(
  db: Db,
  { kind, after }: SyncPosition,
  { kinds, size = RANGE }: { readonly kinds: readonly RecordKind[]; readonly size?: number },
): Promise<{ readonly range: SyncRange; readonly next: SyncPosition | null }> {
  const { from, column: name = 'ref', read } = KINDS[kind];
  const column = sql.ref(name);
  const { rows } = await sql<{ ref: number }>`select ${column} as ref from ${from} and ${column} > ${after}
    order by ${column} limit ${size}`.execute(db);
  const last = rows.length < size;
  const upTo = last ? Number.MAX_SAFE_INTEGER : rows.at(-1)!.ref;
  const refs = rows.map((row) => row.ref);
  const records = await read(db, refs);
  const next = last ? firstPosition(kinds.slice(kinds.indexOf(kind) + 1)) : { kind, after: upTo };
  return { range: { kind, after, upTo, records: await fingerprinted(kind, records) }, next };
}

async function fingerprinted(kind: RecordKind, records: ReadonlyArray<RecordOf[RecordKind]>) {
  const pause = slicer();
  const found: Array<SyncRange['records'][number]> = [];
  for (const record of records) {
    found.push({ ref: record.ref, fingerprint: fingerprintOf(kind, record), record });
    await pause();
  }
  return found.sort((a, b) => a.ref - b.ref);
}
