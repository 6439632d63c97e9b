import { isDeepStrictEqual } from 'node:util';
import type { EdgeMark, LedgerChange, NodeMark } from '../../src/ledger/change.js';
import { fingerprintOf } from '../../src/ledger/fingerprint.js';
import type { SyncRange } from '../../src/ledger/follower.js';
import type { LedgerRecords, RecordKind, RecordOf } from '../../src/ledger/records.js';
import type { Visible } from './world.js';

const KINDS = { concept: 0, passage: 1, entity: 2 } as const;

/** What differs between two moments, as the ledger would list it. */
export function changeBetween(before: Visible, after: Visible, step: { from: number; version: number }): LedgerChange {
  const removedDomains = new Map(
    [...before.domains].filter(([ref]) => !after.domains.has(ref)).map(([ref, d]) => [ref, d.name]),
  );
  const nodes = new Map<number, NodeMark | null>();
  const removedNodes = new Map<number, string>();
  const records = new Set<number>();
  for (const [ref, node] of after.nodes) {
    const old = before.nodes.get(ref);
    if (old?.kind !== node.kind) nodes.set(ref, { domain: node.domain, kind: KINDS[node.kind], hash: node.hash });
    if (!isDeepStrictEqual(old, node)) records.add(ref);
  }
  for (const [ref, node] of before.nodes) {
    if (after.nodes.has(ref) || removedDomains.has(node.domain)) continue;
    nodes.set(ref, null);
    removedNodes.set(ref, node.id);
  }
  const keyNodes = new Map<number, number | null>();
  const about = new Map<number, Map<number, number | null>>();
  for (const [ref, key] of after.keys) {
    const old = before.keys.get(ref);
    if (old?.node !== key.node) keyNodes.set(ref, key.node);
    const arcs = new Map<number, number | null>();
    for (const [node, alias] of key.about) if (old?.about.get(node) !== alias) arcs.set(node, alias);
    for (const node of old?.about.keys() ?? []) if (!key.about.has(node)) arcs.set(node, null);
    if (arcs.size > 0) about.set(ref, arcs);
  }
  for (const [ref, key] of before.keys)
    if (!after.keys.has(ref) && !removedDomains.has(key.domain)) keyNodes.set(ref, null);
  const mentions = new Map<number, ReadonlyMap<number, number>>();
  for (const [ref, record] of after.mentions) {
    if (!isDeepStrictEqual(before.mentions.get(ref), record)) mentions.set(ref, record.keys);
  }
  for (const [ref] of before.mentions) {
    if (!after.mentions.has(ref) && after.nodes.has(ref)) mentions.set(ref, new Map());
  }
  const edges = new Map<number, EdgeMark>();
  const edgeRecords: Array<Omit<EdgeMark, 'confidence'>> = [];
  for (const [name, old] of before.edges) {
    const { src, dst, relation } = old;
    if (after.edges.get(name)?.ref !== old.ref) edges.set(old.ref, { src, dst, relation, confidence: null });
  }
  for (const [name, { ref, src, dst, relation, confidence }] of after.edges) {
    const old = before.edges.get(name);
    if (old?.ref !== ref || old.confidence !== confidence) edges.set(ref, { src, dst, relation, confidence });
    else if (!isDeepStrictEqual(old, after.edges.get(name))) edgeRecords.push({ src, dst, relation });
  }
  const rules = [...new Set([...before.rules.keys(), ...after.rules.keys()])].flatMap((name) => {
    const rule = after.rules.get(name) ?? before.rules.get(name)!;
    if (isDeepStrictEqual(before.rules.get(name), after.rules.get(name)) || removedDomains.has(rule.domain)) return [];
    return [{ domain: rule.domain, id: rule.id }];
  });
  return {
    ...step,
    everything: false,
    removedDomains,
    nodes,
    removedNodes,
    records,
    keyNodes,
    mentions,
    about,
    edges,
    edgeRecords,
    rules,
  };
}

/** Reads what is visible at the moment of the call. */
export function recordsOf(now: () => Visible): LedgerRecords {
  const some = <K, V>(map: ReadonlyMap<K, V>, names: Iterable<K>): Promise<V[]> => {
    return Promise.resolve([...new Set(names)].flatMap((name) => map.get(name) ?? []));
  };
  return {
    domains: (refs) => some(now().domains, refs),
    nodes: (refs) => some(now().nodes, refs),
    keys: (refs) => some(now().keys, refs),
    mentions: (refs) => some(now().mentions, refs),
    edges: (names) =>
      some(
        now().edges,
        [...names].map(({ src, relation, dst }) => `${src} ${relation} ${dst}`),
      ),
    rules: (names) =>
      some(
        now().rules,
        [...names].map(({ domain, id }) => `${domain} ${id}`),
      ),
  };
}

/** All records of a kind, in the order of their numbers. */
export function recordsOfKind(visible: Visible, kind: RecordKind): Array<RecordOf[RecordKind]> {
  const maps = {
    domain: visible.domains,
    node: visible.nodes,
    key: visible.keys,
    mention: visible.mentions,
    edge: visible.edges,
    rule: visible.rules,
  };
  return [...(maps[kind].values() as Iterable<RecordOf[RecordKind]>)].sort((a, b) => a.ref - b.ref);
}

/** The range of at most `size` records after a number. */
export function rangeAfter(
  visible: Visible,
  kind: RecordKind,
  { after, size }: { after: number; size: number },
): SyncRange {
  const rest = recordsOfKind(visible, kind).filter(({ ref }) => ref > after);
  const records = rest
    .slice(0, size)
    .map((record) => ({ ref: record.ref, fingerprint: fingerprintOf(kind, record), record }));
  const upTo = rest.length > size ? records.at(-1)!.ref : Number.MAX_SAFE_INTEGER;
  return { kind, after, upTo, records };
}
