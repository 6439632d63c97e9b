import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../backends/store/schema.js';
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

/** Numbers of the visible records of each kind. */
const NUMBERS: Record<RecordKind, RawBuilder<unknown>> = {
  domain: sql`select ref from domain where true`,
  node: sql`select ref from node where true`,
  key: sql`select ref from key where node <> 0`,
  mention: sql`select node as ref from passage where true`,
  edge: sql`select ref from edge where shown = 1`,
  rule: sql`select ref from rule where shown = 1`,
};

const COLUMN: Record<RecordKind, string> = {
  domain: 'ref',
  node: 'ref',
  key: 'ref',
  mention: 'node',
  edge: 'ref',
  rule: 'ref',
};

/** Returns the first position of a resync of these kinds; null where there are none. */
export function firstPosition(kinds: readonly RecordKind[]): SyncPosition | null {
  return kinds[0] === undefined ? null : { kind: kinds[0], after: 0 };
}

/** Returns the range at a position, of at most `size` records, and the position after it: null after the last one. */
export async function rangeAt(
  db: Kysely<Database>,
  { kind, after }: SyncPosition,
  { kinds, size = RANGE }: { readonly kinds: readonly RecordKind[]; readonly size?: number },
): Promise<{ readonly range: SyncRange; readonly next: SyncPosition | null }> {
  const column = sql.ref(COLUMN[kind]);
  const { rows } = await sql<{ ref: number }>`${NUMBERS[kind]} and ${column} > ${after}
    order by ${column} limit ${size}`.execute(db);
  const last = rows.length < size;
  const upTo = last ? Number.MAX_SAFE_INTEGER : rows.at(-1)!.ref;
  const refs = rows.map((row) => row.ref);
  const records = await recordsOf(db, kind, refs);
  const following = kinds[kinds.indexOf(kind) + 1];
  const next = last ? (following === undefined ? null : { kind: following, after: 0 }) : { kind, after: upTo };
  return { range: { kind, after, upTo, records: await fingerprinted(kind, records) }, next };
}

async function recordsOf(db: Kysely<Database>, kind: RecordKind, refs: readonly number[]) {
  const read: { readonly [K in RecordKind]: () => Promise<Array<RecordOf[K]>> } = {
    domain: () => recordReader(db).domains(refs),
    node: () => nodeRecords(db, refs),
    key: () => keyRecords(db, refs),
    mention: () => mentionRecords(db, refs),
    edge: () => edgeRecordsOf(db, refs),
    rule: () => ruleRecordsOf(db, refs),
  };
  return read[kind]();
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
