import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '../../store/schema.js';
import { isPostgres } from '../../store/sql.js';
import { decodeRefs } from './lists/bytes.js';

export interface LogEntry {
  readonly version: number;
  readonly stamp: number;
  readonly parent: number;
  readonly keys: string | null;
  readonly adds: Uint8Array | null;
  readonly dead: Uint8Array | null;
}

export interface DomainEntry {
  readonly num: number;
  readonly name: string;
  readonly documents: number;
  readonly length: number;
}

/** What happened after a version, as one statement saw it. */
export interface Changes {
  readonly version: number;
  readonly stamp: number;
  readonly flushed: number;
  readonly lastRef: number;
  /** Ascending by version. */
  readonly log: readonly LogEntry[];
  readonly domains: readonly DomainEntry[];
}

interface DocumentChangeRow {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly name: string | null;
  readonly data: Uint8Array | null;
  readonly dead: Uint8Array | null;
}

const STATEMENT = `select 0 as kind, version as a, stamp as b, parent as c, 0 as d, keys as name, adds as data, dead
from text_log where version > $1
union all select 1, num, documents, length, 0, name, null, null from text_domain where version > $2
union all select 2, version, stamp, flushed, last_ref, null, null, null from text_meta`;
const SQLITE_STATEMENT = STATEMENT.replace(/\$\d/gu, '?');

/** Reads the changes after a version; with nothing new it reads one row. */
export async function readChanges(db: Kysely<Database>, after: number): Promise<Changes> {
  const statement = isPostgres(db) ? STATEMENT : SQLITE_STATEMENT;
  const { rows } = await db.executeQuery<DocumentChangeRow>(CompiledQuery.raw(statement, [after, after]));
  const log: LogEntry[] = [];
  const domains: DomainEntry[] = [];
  let meta = { version: 0, stamp: 0, flushed: 0, lastRef: 0 };
  for (const { kind, a, b, c, d, name, data, dead } of rows) {
    if (kind === 0) log.push({ version: a, stamp: b, parent: c, keys: name, adds: data, dead });
    else if (kind === 1) domains.push({ num: a, documents: b, length: c, name: name ?? '' });
    else meta = { version: a, stamp: b, flushed: c, lastRef: d };
  }
  log.sort((x, y) => x.version - y.version);
  return { ...meta, log, domains };
}

/** Returns the refs of documents deleted long ago, whose log rows were trimmed. */
export async function readTombstones(db: Kysely<Database>): Promise<number[]> {
  const rows = await db.selectFrom('text_dead').select('refs').execute();
  return rows.flatMap((row) => decodeRefs(row.refs));
}
