import { type Selectable, sql } from 'kysely';
import { columnTypes, forValues, GIVEN, insertRows, type ValueRow } from '../backends/store/rows.js';
import type { Database, Db } from '../backends/store/schema.js';
import { forEachInSlices, mapInSlices } from '../core/async/slices.js';
import { fnv1a } from '../core/random.js';
import type { DomainRef, WriteState } from './write/write-state.js';

export const CONCEPT = 0;
export const PASSAGE = 1;
export const ENTITY = 2;
export const KINDS = ['concept', 'passage', 'entity'] as const;

/** How a concept has its id (`node.own`): from its name, from the caller, or from the name it had before an edit gave it this. */
export const NAMED = 0;
export const BY_ID = 1;
export const RENAMED = 2;

/** A row of a table as it is read. */
export type Row<T extends keyof Database> = Readonly<Selectable<Database[T]>>;

export type NodeRow = Omit<Row<'node'>, 'hash'>;

/** What the steps of a write share. */
export interface Writer {
  readonly state: WriteState;
  readonly db: Db;
  readonly domain: DomainRef;
}

const NODE_COLUMNS = columnTypes(
  'id text, domain int, hash int, kind int, own int, key text, norm text, name text, confidence real, shown int',
);

/** Writes new nodes of a kind: id, own, key, norm, name, confidence, shown. Returns their numbers by id. */
export async function insertNodes(
  { db, state, domain }: Writer,
  kind: number,
  nodes: ReadonlyArray<readonly [id: string, ...rest: ValueRow]>,
): Promise<Map<string, number>> {
  const made = (await insertRows(db, 'node', {
    columns: NODE_COLUMNS,
    rows: await mapInSlices(nodes, ([id, ...rest]): ValueRow => [id, domain.ref, fnv1a(id), kind, ...rest]),
    tail: sql`returning ref, id`,
  })) as Array<{ ref: number; id: string }>;
  await forEachInSlices(made, ({ ref, id }) =>
    state.change.setNode(ref, { domain: domain.ref, kind, hash: fnv1a(id) }),
  );
  state.count(domain.ref)[kind === PASSAGE ? 'passages' : 'concepts'] += made.length;
  return new Map(made.map(({ ref, id }) => [id, ref]));
}

const NODE = sql`n.ref, n.id, n.domain, n.kind, n.own, n.key, n.norm, n.name, n.confidence, n.shown`;

export function nodesById(db: Db, ids: Iterable<string>): Promise<NodeRow[]> {
  return forValues(db, ids)<NodeRow>`select ${NODE} from ${GIVEN} join node n on n.id = given.v`;
}

export function nodesByRef(db: Db, refs: Iterable<number>): Promise<NodeRow[]> {
  return forValues(db, refs)<NodeRow>`select ${NODE} from ${GIVEN} join node n on n.ref = given.v`;
}

/** Returns 53 bits of (domain, text), to find rows by; a reader that finds one compares the text. */
export function lookupHash(domain: DomainRef, text: string): number {
  const full = `${domain.ref}\0${text}`;
  return fnv1a(full) * 2 ** 20 + (fnv1a(`${full}\0`) & 0xfffff);
}
