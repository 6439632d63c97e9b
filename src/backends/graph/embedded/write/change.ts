import { ByteReader, ByteWriter } from '../varint.js';

export interface NodeMark {
  readonly domain: number;
  readonly kind: number;
  readonly hash: number;
}

export interface EdgeMark {
  readonly src: number;
  readonly dst: number;
  /** Null where the edge is no longer seen. */
  readonly confidence: number | null;
}

/**
 * What one committed write changed in the topology, by internal numbers; the last word on each thing it names, so that
 * applying it twice does no harm. Null or undefined stands for "no longer there".
 */
export class Change {
  readonly nodes = new Map<number, NodeMark | null>();
  /** Key number → node that stands for it. */
  readonly hubs = new Map<number, number | null>();
  /** Passage → key number → how often. */
  readonly mentions = new Map<number, ReadonlyMap<number, number>>();
  /** Key number → node about it → alias 1, title 0. */
  readonly about = new Map<number, Map<number, number | null>>();
  /** Edge number → its ends. */
  readonly edges = new Map<number, EdgeMark>();
  readonly domainsGone = new Set<number>();
  /** True where everything changed (a restore). */
  everything = false;

  setAbout(key: number, node: number, alias: number | null): void {
    const at = this.about.get(key);
    if (at === undefined) this.about.set(key, new Map([[node, alias]]));
    else at.set(node, alias);
  }
}

export function packChange(change: Change): Uint8Array {
  const out = new ByteWriter();
  out.number(change.everything ? 1 : 0).number(change.domainsGone.size);
  for (const domain of change.domainsGone) out.number(domain);
  out.number(change.nodes.size);
  for (const [ref, mark] of change.nodes) {
    out.number(ref).number(mark === null ? 0 : mark.kind + 1);
    if (mark !== null) out.number(mark.domain).number(mark.hash);
  }
  out.number(change.hubs.size);
  for (const [key, node] of change.hubs) out.number(key).number(node ?? 0);
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
  out.number(change.edges.size);
  for (const [ref, { src, dst, confidence }] of change.edges) {
    out
      .number(ref)
      .number(src)
      .number(dst)
      .number(confidence === null ? 0 : 1);
    if (confidence !== null) out.float(confidence);
  }
  return out.done();
}

export function unpackChange(bytes: Uint8Array): Change {
  const read = new ByteReader(bytes);
  const change = new Change();
  change.everything = read.number() === 1;
  for (let n = read.number(); n > 0; n -= 1) change.domainsGone.add(read.number());
  for (let n = read.number(); n > 0; n -= 1) {
    const ref = read.number();
    const kind = read.number() - 1;
    change.nodes.set(ref, kind < 0 ? null : { kind, domain: read.number(), hash: read.number() });
  }
  for (let n = read.number(); n > 0; n -= 1) {
    const key = read.number();
    change.hubs.set(key, read.number() || null);
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
  for (let n = read.number(); n > 0; n -= 1) {
    const [ref, src, dst] = [read.number(), read.number(), read.number()];
    change.edges.set(ref, { src, dst, confidence: read.number() === 1 ? read.float() : null });
  }
  return change;
}
