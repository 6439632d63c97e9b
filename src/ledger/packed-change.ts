import type { LedgerChange } from './change.js';
import { ByteReader, ByteWriter } from './varint.js';
import { ChangeBuilder } from './write/change-builder.js';

/** First byte of a packed change: its format. */
const FORMAT = 2;

/** Packs a change as the log keeps it: numbers in one to eight bytes each, relations once. */
export function packChange(change: Omit<LedgerChange, 'from' | 'version'>): Uint8Array {
  const out = new ByteWriter();
  out.number(FORMAT).number(change.everything ? 1 : 0);
  packNodes(out, change);
  out.number(change.keyNodes.size);
  for (const [key, node] of change.keyNodes) out.number(key).number(node ?? 0);
  out.number(change.mentions.size);
  for (const [passage, keys] of change.mentions) {
    out.number(passage).number(keys.size);
    for (const [key, tf] of keys) out.number(key).number(tf);
  }
  out.number(change.about.size);
  for (const [key, nodes] of change.about) {
    out.number(key).number(nodes.size);
    for (const [node, alias] of nodes) out.number(node).number(alias ?? 2);
  }
  packEdges(out, change);
  out.number(change.rules.length);
  for (const { domain, id } of change.rules) out.number(domain).text(id);
  return out.done();
}

function packNodes(out: ByteWriter, change: Omit<LedgerChange, 'from' | 'version'>): void {
  out.number(change.removedDomains.size);
  for (const [ref, name] of change.removedDomains) out.number(ref).text(name);
  out.number(change.nodes.size);
  for (const [ref, mark] of change.nodes) {
    out.number(ref).number(mark === null ? 0 : mark.kind + 1);
    if (mark === null) out.text(change.removedNodes.get(ref) ?? '');
    else out.number(mark.domain).number(mark.hash);
  }
  const others = [...change.records].filter((ref) => change.nodes.get(ref) == null);
  out.number(others.length);
  for (const ref of others) out.number(ref);
}

function packEdges(out: ByteWriter, { edges, edgeRecords }: Omit<LedgerChange, 'from' | 'version'>): void {
  const relations = new Map<string, number>();
  for (const { relation } of edges.values()) if (!relations.has(relation)) relations.set(relation, relations.size);
  for (const { relation } of edgeRecords) if (!relations.has(relation)) relations.set(relation, relations.size);
  out.number(relations.size);
  for (const relation of relations.keys()) out.text(relation);
  out.number(edges.size);
  for (const [ref, { src, dst, relation, confidence }] of edges) {
    out.number(ref).number(src).number(dst).number(relations.get(relation)!);
    out.number(confidence === null ? 0 : confidence === 1 ? 1 : 2);
    if (confidence !== null && confidence !== 1) out.float(confidence);
  }
  out.number(edgeRecords.length);
  for (const { src, dst, relation } of edgeRecords) out.number(src).number(dst).number(relations.get(relation)!);
}

/** Unpacks a change; undefined where another release packed it. */
export function unpackChange(bytes: Uint8Array, version: number): LedgerChange | undefined {
  const read = new ByteReader(bytes);
  if (read.number() !== FORMAT) return undefined;
  const change = new ChangeBuilder();
  change.everything = read.number() === 1;
  unpackNodes(read, change);
  for (let n = read.number(); n > 0; n -= 1) {
    const key = read.number();
    change.keyNodes.set(key, read.number() || null);
  }
  for (let n = read.number(); n > 0; n -= 1) {
    const passage = read.number();
    const keys = new Map<number, number>();
    for (let m = read.number(); m > 0; m -= 1) {
      const key = read.number();
      keys.set(key, read.number());
    }
    change.mentions.set(passage, keys);
  }
  for (let n = read.number(); n > 0; n -= 1) {
    const key = read.number();
    for (let m = read.number(); m > 0; m -= 1) {
      const node = read.number();
      const alias = read.number();
      change.setAbout(key, node, alias === 2 ? null : alias);
    }
  }
  unpackEdges(read, change);
  for (let n = read.number(); n > 0; n -= 1) change.touchRule(read.number(), read.text());
  return Object.assign(change, { from: version - 1, version });
}

function unpackNodes(read: ByteReader, change: ChangeBuilder): void {
  for (let n = read.number(); n > 0; n -= 1) {
    const ref = read.number();
    change.removedDomains.set(ref, read.text());
  }
  for (let n = read.number(); n > 0; n -= 1) {
    const ref = read.number();
    const kind = read.number() - 1;
    if (kind < 0) change.removeNode(ref, read.text());
    else change.setNode(ref, { kind, domain: read.number(), hash: read.number() });
  }
  for (let n = read.number(); n > 0; n -= 1) change.records.add(read.number());
}

function unpackEdges(read: ByteReader, change: ChangeBuilder): void {
  const relations: string[] = [];
  for (let n = read.number(); n > 0; n -= 1) relations.push(read.text());
  for (let n = read.number(); n > 0; n -= 1) {
    const [ref, src, dst] = [read.number(), read.number(), read.number()];
    const relation = relations[read.number()]!;
    const state = read.number();
    change.edges.set(ref, {
      src,
      dst,
      relation,
      confidence: state === 0 ? null : state === 1 ? 1 : read.float(),
    });
  }
  for (let n = read.number(); n > 0; n -= 1) {
    const [src, dst] = [read.number(), read.number()];
    change.touchEdge({ src, dst, relation: relations[read.number()]! });
  }
}
