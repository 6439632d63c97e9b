import { push } from '../../core/group-by.js';
import { edgeName, type LedgerChange, ruleName } from '../change.js';
import type { LedgerRecords, RecordKind, RecordOf } from '../records.js';
import { KINDS } from '../tables.js';
import { ChangeBuilder } from '../write/change-builder.js';

/** One thing that a change names. */
export interface ChangeEntry {
  readonly kind: RecordKind;
  /** Numbers (of an edge: source, target and relation; of a rule: its domain and id) that identify it in its kind. */
  readonly name: string;
  /** True where it takes something away: such an entry is never passed by. */
  readonly removes?: boolean;
  add(to: ChangeBuilder): void;
}

/** A record as it is now, with what people know it by. */
export interface PresentEntry extends ChangeEntry {
  readonly id: string;
}

/** Returns the entries of a change, in an order in which they can be applied one after the other. */
export function entriesIn(change: LedgerChange): ChangeEntry[] {
  const { nodes, removedNodes, records, keyNodes, about, mentions, edges, edgeRecords, rules } = change;
  const entry = (kind: RecordKind, name: number | string, add: ChangeEntry['add']) => ({ kind, name: `${name}`, add });
  const removal = (...given: Parameters<typeof entry>) => ({ ...entry(...given), removes: true });
  const present = new Set([...records, ...nodes.keys()].filter((ref) => nodes.get(ref) !== null));
  const keys = new Set([...keyNodes.keys(), ...about.keys()]);
  const named = new Map([...edges.values(), ...edgeRecords].map((edge) => [edgeName(edge), edge]));
  const marks = new Map<string, number[]>();
  for (const [ref, mark] of edges) if (mark.confidence !== null) push(marks, edgeName(mark), ref);
  return [
    ...Array.from(change.removedDomains, ([ref, name]) =>
      removal('domain', ref, (to) => void to.removedDomains.set(ref, name)),
    ),
    ...Array.from(present, (ref) =>
      entry('node', ref, (to) => {
        const mark = nodes.get(ref);
        if (mark != null) to.nodes.set(ref, mark);
        if (records.has(ref)) to.records.add(ref);
      }),
    ),
    ...Array.from(edges).flatMap(([ref, mark]) =>
      mark.confidence === null ? [removal('edge', edgeName(mark), (to) => void to.edges.set(ref, mark))] : [],
    ),
    ...Array.from(keys, (ref) =>
      (keyNodes.get(ref) === null ? removal : entry)('key', ref, (to) => {
        const node = keyNodes.get(ref);
        if (node !== undefined) to.keyNodes.set(ref, node);
        for (const [other, alias] of about.get(ref) ?? []) to.setAbout(ref, other, alias);
      }),
    ),
    ...Array.from(mentions, ([ref, found]) => entry('mention', ref, (to) => void to.mentions.set(ref, found))),
    ...Array.from(named, ([name, edge]) =>
      entry('edge', name, (to) => {
        for (const ref of marks.get(name) ?? []) to.edges.set(ref, edges.get(ref)!);
        to.touchEdge(edge);
      }),
    ),
    ...rules.map((rule) => entry('rule', ruleName(rule), (to) => to.touchRule(rule.domain, rule.id))),
    // Last: a key may have moved to another node in the same change, and keeps what is about it.
    ...Array.from(nodes).flatMap(([ref, mark]) =>
      mark === null ? [removal('node', ref, (to) => to.removeNode(ref, removedNodes.get(ref) ?? ''))] : [],
    ),
  ];
}

/** Makes a change of some entries of another one. */
export function changeOf(
  entries: readonly ChangeEntry[],
  { from, version }: Pick<LedgerChange, 'from' | 'version'>,
): LedgerChange {
  const builder = new ChangeBuilder();
  for (const entry of entries) entry.add(builder);
  return Object.assign(builder, { from, version });
}

/** Returns the entry of a record as it is now; null where there is no such record any more. */
export async function presentEntry(
  records: LedgerRecords,
  kind: RecordKind,
  name: string,
): Promise<PresentEntry | null> {
  const record = await recordNamed(records, kind, name);
  return record === undefined ? null : entryOf(kind, record as never);
}

/** Returns the entry of a record that was just read. */
export function entryOf<K extends RecordKind>(kind: K, record: RecordOf[K]): PresentEntry {
  return { kind, name: nameOf(kind, record), id: idOf(kind, record), add: (to) => ADD[kind](to, record) };
}

async function recordNamed(
  records: LedgerRecords,
  kind: RecordKind,
  name: string,
): Promise<RecordOf[RecordKind] | undefined> {
  const [first, second, ...rest] = name.split(' ');
  const numbers = [Number(first)];
  const id = [second, ...rest].join(' ');
  const read: { readonly [K in RecordKind]: () => Promise<Array<RecordOf[K]>> } = {
    domain: () => records.domains(numbers),
    node: () => records.nodes(numbers),
    key: () => records.keys(numbers),
    mention: () => records.mentions(numbers),
    edge: () => records.edges([{ src: Number(first), dst: Number(second), relation: rest.join(' ') }]),
    rule: () => records.rules([{ domain: Number(first), id }]),
  };
  return (await read[kind]())[0];
}

const ADD: { readonly [K in RecordKind]: (to: ChangeBuilder, record: RecordOf[K]) => void } = {
  domain: () => undefined,
  node: (to, { ref, domain, kind, hash }) => to.setNode(ref, { domain, kind: KINDS.indexOf(kind), hash }),
  key: (to, { ref, node, about }) => {
    to.keyNodes.set(ref, node);
    for (const [other, alias] of about) to.setAbout(ref, other, alias);
  },
  mention: (to, { ref, keys }) => void to.mentions.set(ref, keys),
  edge: (to, { ref, src, dst, relation, confidence }) => {
    to.edges.set(ref, { src, dst, relation, confidence });
    to.touchEdge({ src, dst, relation });
  },
  rule: (to, { domain, id }) => to.touchRule(domain, id),
};

/** Returns the name of a record within its kind, as entries have it. */
export function nameOf<K extends RecordKind>(kind: K, record: RecordOf[K]): string {
  if (kind === 'edge') return edgeName(record as RecordOf['edge']);
  if (kind === 'rule') return ruleName(record as RecordOf['rule']);
  return `${record.ref}`;
}

/** Returns what people know a record by. */
export function idOf<K extends RecordKind>(kind: K, record: RecordOf[K]): string {
  if (kind === 'key') return (record as RecordOf['key']).key;
  if (kind === 'domain') return (record as RecordOf['domain']).name;
  return 'id' in record ? record.id : `${record.ref}`;
}
