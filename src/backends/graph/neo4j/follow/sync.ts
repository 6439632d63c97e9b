import { countDifferences, toWrite } from '../../../../ledger/count-differences.js';
import type { RangeDifference, SyncOutcome, SyncRange, SyncStep } from '../../../../ledger/follower.js';
import { wantedIn } from '../../../../ledger/followers/range-records.js';
import type { RecordKind, RecordOf } from '../../../../ledger/records.js';
import { int, type Neo4jConnection, type Neo4jTransaction } from '../../../neo4j-connection.js';
import { bytesOf, ints, type Writing } from './rows.js';
import { PASSAGES, SLICE, type Slice, slicesOf } from './slices.js';
import { countEdges, sweepEdges } from './sweep-edges.js';
import { removeEdges, removeOthers, writeEdges, writeRules } from './write-edges.js';
import { removeKeys, replaceAbout, writeKeys, writeMentions } from './write-keys.js';
import { removeNodes, writeDomains, writeNodes } from './write-nodes.js';
import { writeSliced } from './write-sliced.js';

interface Present {
  readonly ref: number;
  readonly fingerprint: string | null;
  readonly [member: string]: unknown;
}

/** Two records have this number: a rule that another ledger left, and one of this ledger. Counts as different. */
const REPEATED = Symbol('repeated');
type Fingerprint = string | null | typeof REPEATED;

const presentAs = (label: string, fingerprint = 'fingerprint', where = ''): string =>
  `MATCH (x:${label}) WHERE x.ref > $after AND x.ref <= $upTo ${where} RETURN x.ref AS ref, x.${fingerprint} AS fingerprint`;

const PRESENT: Record<Exclude<RecordKind, 'edge'>, string> = {
  domain: presentAs('Domain'),
  node: presentAs('Node'),
  key: presentAs('Key'),
  mention: presentAs('Node', 'mentions_fingerprint', 'AND EXISTS { (x)-[:MENTIONS]->() }'),
  rule: presentAs('Rule'),
};

/** Relationships have no index by number: those of a range are looked up by what they join. */
const PRESENT_EDGES = `UNWIND $rows AS row
  MATCH (a:Node {ref: row.src})-[r]->(b:Node {ref: row.dst}) WHERE type(r) = row.relation
  RETURN r.ref AS ref, r.fingerprint AS fingerprint`;

/** Makes one range equal to the ledger, writing differences only; null where the cursor is elsewhere. */
export async function syncNeo4j(connection: Neo4jConnection, step: SyncStep): Promise<SyncOutcome | null> {
  const { from, to, range } = step;
  const present = await presentIn(connection, range);
  const wanted = wantedIn(range);
  const obsolete = obsoleteIn(present, wanted);
  const different = toWrite(wanted, present, ({ ref }) => ref);
  const records = different.records.map(({ record }) => record);
  const slices = [...removal(range.kind, obsolete), ...writing(range.kind, records)];
  const { written, rewritten } = different;
  const outcome = { written, rewritten, removed: obsolete.length };
  if (range.kind !== 'edge') return (await writeSliced(connection, { from, to, slices })) ? outcome : null;
  const tally = (before: number | null): number | null => {
    const sum = range.after === 0 ? 0 : before;
    return sum === null ? null : sum + range.records.length;
  };
  if (to.sync?.kind === 'edge') {
    return (await writeSliced(connection, { from, to, slices, tally })) ? outcome : null;
  }
  const removed = await finishEdges(connection, { ...step, slices, tally });
  return removed === null ? null : { ...outcome, removed };
}

/** Counts in how many records of a range the engine differs; a record without a fingerprint is only looked for. */
export async function compareNeo4j(
  connection: Neo4jConnection,
  range: SyncRange,
  before: number,
): Promise<RangeDifference> {
  const present = await presentIn(connection, range);
  const wanted = wantedIn(range);
  const found = countDifferences(wanted, present, ({ ref }) => ref);
  if (range.kind !== 'edge') return { ...found, stale: obsoleteIn(present, wanted).length };
  if (range.upTo !== Number.MAX_SAFE_INTEGER) return { ...found, stale: 0 };
  const known = before + wanted.length - found.missing;
  return { ...found, stale: Math.max(0, (await countEdges(connection)) - known) };
}

/** Returns the numbers that the engine has and the ledger has not. */
function obsoleteIn(present: ReadonlyMap<number, Fingerprint>, wanted: SyncRange['records']): number[] {
  const listed = new Set(wanted.map(({ ref }) => ref));
  return [...present.keys()].filter((ref) => !listed.has(ref));
}

/** Ends the last range of edges: where the engine has another number of them than were seen, surplus ones go. */
async function finishEdges(
  connection: Neo4jConnection,
  step: SyncStep & { readonly slices: readonly Slice[]; readonly tally: (before: number | null) => number | null },
): Promise<number | null> {
  const { from, to, slices } = step;
  let seen: number | null = null;
  const tally = (before: number | null): number | null => {
    seen = step.tally(before);
    return before;
  };
  if (!(await writeSliced(connection, { from, to: from, slices, tally }))) return null;
  const removed = seen === (await countEdges(connection)) ? 0 : await sweepEdges(connection, step);
  if (removed === null) return null;
  return (await writeSliced(connection, { from, to, slices: [] })) ? removed : null;
}

async function presentIn(connection: Neo4jConnection, range: SyncRange): Promise<Map<number, Fingerprint>> {
  const { kind, after, upTo } = range;
  const rows =
    kind === 'edge'
      ? await connection.read<Present>(PRESENT_EDGES, {
          rows: (range.records as SyncRange<'edge'>['records']).map(({ record }) => {
            return { src: int(record.src), dst: int(record.dst), relation: record.relation };
          }),
        })
      : await connection.read<Present>(PRESENT[kind], { after: int(after), upTo: int(upTo) });
  const present = new Map<number, Fingerprint>();
  for (const { ref, fingerprint } of rows) {
    present.set(ref, kind !== 'edge' && present.has(ref) ? REPEATED : fingerprint);
  }
  return present;
}

function removal(kind: RecordKind, obsolete: readonly number[]): Slice[] {
  // What else the engine has between two endpoints is found by the sweep.
  if (kind === 'edge') return [];
  return slicesOf(obsolete, SLICE, async (refs) => ({
    write: (tx, writing) => REMOVE[kind](tx, refs, writing),
  }));
}

type Remove = (tx: Neo4jTransaction, refs: readonly number[], writing: Writing) => Promise<void> | void;

const removeLabelled = (label: string): Remove => {
  const statement = `UNWIND $refs AS ref MATCH (x:${label} {ref: ref}) DETACH DELETE x`;
  return (tx, refs) => tx.send(statement, { refs: ints(refs) });
};

const REMOVE: { readonly [K in Exclude<RecordKind, 'edge'>]: Remove } = {
  domain: removeLabelled('Domain'),
  node: removeNodes,
  key: removeKeys,
  mention: (tx, refs, writing) => {
    const empty = refs.map((ref) => ({ ref, keys: new Map<number, number>() }));
    return writeMentions(tx, empty, writing);
  },
  rule: removeLabelled('Rule'),
};

function writing(kind: RecordKind, records: ReadonlyArray<RecordOf[RecordKind]>): Slice[] {
  const size = kind === 'mention' ? PASSAGES : SLICE;
  return slicesOf(records, size, async (some) => ({
    bytes: bytesOf(some),
    write: (tx, writing) => WRITE[kind](tx, some as never, writing),
  }));
}

type Write<K extends RecordKind> = (
  tx: Neo4jTransaction,
  records: ReadonlyArray<RecordOf[K]>,
  writing: Writing,
) => Promise<void> | void;

const WRITE: { readonly [K in RecordKind]: Write<K> } = {
  domain: writeDomains,
  node: writeNodes,
  key: (tx, records, writing) => {
    writeKeys(tx, records, writing);
    replaceAbout(tx, records);
  },
  mention: writeMentions,
  edge: (tx, records, writing) => {
    removeEdges(tx, records);
    writeEdges(tx, records, writing);
  },
  rule: (tx, records, writing) => {
    removeOthers(tx, records);
    writeRules(tx, records, writing);
  },
};
