import type { EdgeMark, LedgerChange } from '../../../../ledger/change.js';
import type { ApplyStep } from '../../../../ledger/follower.js';
import type { LedgerRecords, MentionRecord } from '../../../../ledger/records.js';
import type { Neo4jConnection } from '../../../neo4j-connection.js';
import { removeDomain } from './remove-domain.js';
import { bytesOf, nodeProperties } from './rows.js';
import { type PreparedSlice, type Slice, slicesOf, writeSliced } from './slices.js';
import { type EdgeName, edgeKey, removeEdges, removeRules, writeEdges, writeRules } from './write-edges.js';
import { type AboutRow, forgetFingerprints, removeKeys, writeAbout, writeKeys, writeMentions } from './write-keys.js';
import { removeNodes, writeDomains, writeNodes } from './write-nodes.js';

const SLICE = 2000;
/** Passages of a slice: each brings some twenty mentions. */
const PASSAGES = 200;

/** Applies one change, in one transaction with the cursor where it is small enough. */
export async function applyToNeo4j(connection: Neo4jConnection, engine: string, step: ApplyStep): Promise<boolean> {
  const { from, to, change, records } = step;
  for (const [ref, name] of change.removedDomains) {
    if (!(await removeDomain(connection, { ref, name, engine, from }))) return false;
  }
  const whole = from.sync === null;
  const slices = [
    ...removedNodes(change),
    ...domainsOf(change, records),
    ...nodesOf(change, records),
    ...keysOf(change, records, whole),
    ...mentionsOf(change, whole),
    ...aboutOf(change),
    ...edgesOf(change, records),
    ...rulesOf(change, records, whole),
  ];
  // Edges that are added and removed while they are resynced make their number uncertain: the tally is dropped.
  return writeSliced(connection, { engine, from, to, slices });
}

function removedNodes({ nodes }: LedgerChange): Slice[] {
  const removed = [...nodes].flatMap(([ref, mark]) => (mark === null ? [ref] : []));
  return slicesOf(removed, SLICE, async (refs) => ({
    bytes: 0,
    write: async (tx, touched) => {
      for (const key of await removeNodes(tx, refs)) touched.add(key);
    },
  }));
}

function domainsOf({ nodes, rules }: LedgerChange, records: LedgerRecords): Slice[] {
  const domains = new Set<number>();
  for (const mark of nodes.values()) if (mark !== null) domains.add(mark.domain);
  for (const { domain } of rules) domains.add(domain);
  return slicesOf(domains, SLICE, async (refs) => {
    const found = await records.domains(refs);
    return { bytes: 0, write: (tx) => writeDomains(tx, found) };
  });
}

function nodesOf({ nodes, records: changed }: LedgerChange, records: LedgerRecords): Slice[] {
  const refs = new Set(changed);
  for (const [ref, mark] of nodes) if (mark !== null) refs.add(ref);
  return slicesOf(refs, SLICE, async (some) => {
    const found = await records.nodes(some);
    const rows = found.map((record) => ({ kind: record.kind, properties: nodeProperties(record) }));
    const removed = missing(some, found);
    return {
      bytes: bytesOf(rows.map((row) => row.properties)),
      write: async (tx, touched) => {
        for (const key of await removeNodes(tx, removed)) touched.add(key);
        await writeNodes(tx, rows);
      },
    };
  });
}

function keysOf({ keyNodes }: LedgerChange, records: LedgerRecords, whole: boolean): Slice[] {
  return slicesOf(keyNodes.keys(), SLICE, async (refs) => {
    const found = await records.keys(refs);
    return {
      bytes: 0,
      write: async (tx, touched) => {
        await removeKeys(tx, missing(refs, found));
        await writeKeys(tx, found, whole);
        for (const { ref } of found) touched.add(ref);
      },
    };
  });
}

function mentionsOf({ mentions }: LedgerChange, whole: boolean): Slice[] {
  const all = [...mentions].map(([ref, keys]): MentionRecord => ({ ref, keys }));
  return slicesOf(all, PASSAGES, async (some) => ({
    bytes: 0,
    write: async (tx, touched) => {
      for (const key of await writeMentions(tx, some, whole)) touched.add(key);
    },
  })).map(heavier(10));
}

function aboutOf({ about, keyNodes }: LedgerChange): Slice[] {
  const arcs: AboutRow[] = [];
  for (const [key, nodes] of about) for (const [node, alias] of nodes) arcs.push({ key, node, alias });
  return slicesOf(arcs, SLICE, async (some) => ({
    bytes: 0,
    write: async (tx, touched) => {
      await writeAbout(tx, some);
      const keys = [...new Set(some.map(({ key }) => key))];
      for (const key of keys) touched.add(key);
      // The record of a key that is not written here holds other arcs now.
      const elsewhere = keys.filter((key) => !keyNodes.has(key));
      await forgetFingerprints(tx, elsewhere);
    },
  }));
}

function edgesOf({ edges, edgeRecords }: LedgerChange, records: LedgerRecords): Slice[] {
  const names = new Map<string, EdgeName>();
  const add = ({ src, dst, relation }: EdgeName | EdgeMark): void => {
    names.set(edgeKey({ src, dst, relation }), { src, dst, relation });
  };
  for (const mark of edges.values()) add(mark);
  for (const name of edgeRecords) add(name);
  return slicesOf(names.values(), SLICE, async (some) => {
    const found = await records.edges(some);
    const there = new Set(found.map(edgeKey));
    return {
      bytes: bytesOf(found.map(({ properties }) => properties)),
      write: async (tx) => {
        const removed = some.filter((name) => !there.has(edgeKey(name)));
        await removeEdges(tx, removed);
        await writeEdges(tx, found);
      },
    };
  });
}

function rulesOf({ rules }: LedgerChange, records: LedgerRecords, whole: boolean): Slice[] {
  return slicesOf(rules, SLICE, async (some): Promise<PreparedSlice> => {
    const found = await records.rules(some);
    const there = new Set(found.map(({ domain, id }) => `${domain} ${id}`));
    return {
      bytes: bytesOf(found.map(({ text }) => ({ text }))),
      write: async (tx) => {
        const removed = some.filter(({ domain, id }) => !there.has(`${domain} ${id}`));
        await removeRules(tx, removed);
        await writeRules(tx, found, whole);
      },
    };
  });
}

function missing(refs: readonly number[], found: ReadonlyArray<{ readonly ref: number }>): number[] {
  const there = new Set(found.map(({ ref }) => ref));
  return refs.filter((ref) => !there.has(ref));
}

/** Returns the same slice, counted as more records. */
function heavier(times: number): (slice: Slice) => Slice {
  return (slice) => ({ ...slice, weight: slice.weight * times });
}
