import { type Selectable, sql } from 'kysely';
import { columnTypes, forValues, GIVEN } from '../backends/store/rows.js';
import type { Database, Db } from '../backends/store/schema.js';
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

/** Columns of a node's row but its number, which the store gives. */
export const NODE_COLUMNS = columnTypes(
  'id text, domain int, hash int, kind int, own int, key text, norm text, name text, confidence real, shown int',
);

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
