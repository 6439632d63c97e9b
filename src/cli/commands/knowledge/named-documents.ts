import { existsSync } from 'node:fs';
import { basename, extname, sep } from 'node:path';
import { SvcError } from '../../../core/errors.js';
import { realPath } from '../../../core/files/real-path.js';
import { sourceId } from '../../../core/ids.js';
import { withoutPageId } from '../../../ingest/read/exported-pages.js';
import { given } from '../../arguments.js';
import { UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';

/** Kinds of sources that are forgotten by their label: what people call documents, sessions, and what was given as facts. */
const LABELLED = new Set(['file', 'upload', 'text', 'session', 'structured']);

/** What a command that forgets answers. */
export interface Forgotten {
  readonly status: string;
  readonly sources: number;
  /** The database that was forgotten; `sources` are its rows and tables then. */
  readonly source_id?: string;
  /** Nodes that no longer exist; a database does not count them, nor does a dry run of documents. */
  readonly removed?: number;
  /** What was named by a file or label. */
  readonly documents?: ReadonlyArray<Named>;
  /** Sessions of the name of a chat file that are not of this file. */
  readonly left?: ReadonlyArray<Named>;
}

type Named = Pick<Document, 'source_id' | 'label' | 'domain'>;

interface Listed {
  readonly documents: readonly Document[];
  readonly next: string | null;
}

export interface Document {
  readonly source_id: string;
  readonly kind: string;
  readonly label: string;
  readonly domain: string;
}

/** Yields what `documents` lists, of one domain or of all. */
export async function* documentsIn(connection: Connection, domain: string | undefined): AsyncGenerator<Document> {
  for (let after: string | null | undefined; after !== null; ) {
    const page = (await connection.call('documents', given({ domain, after, limit: 10_000 }))) as Listed;
    yield* page.documents;
    after = page.next;
  }
}

/** Returns the sessions of conversations of one domain or of all. */
export async function sessionsIn(connection: Connection, domain: string | undefined): Promise<Document[]> {
  const sessions: Document[] = [];
  for await (const one of documentsIn(connection, domain)) if (one.kind === 'session') sessions.push(one);
  return sessions;
}

/** Returns the one document that a file's path or a label names; throws where there is none, or more. */
export async function documentOf(connection: Connection, file: string, domain: string | undefined): Promise<Document> {
  const isPath = fromPath(file);
  const ofPath: Document[] = [];
  const labelled: Document[] = [];
  const said: Document[] = [];
  const alike = new Set<string>();
  for await (const one of documentsIn(connection, domain)) {
    const isLabelled = LABELLED.has(one.kind);
    if (isLabelled && isPath(one)) ofPath.push(one);
    if (isLabelled && isNamed(one, file)) labelled.push(one);
    if (isSessionOf(one, file)) said.push(one);
    if (isLabelled && isAlike(one.label, file) && alike.size < MOST_ALIKE) alike.add(one.label);
  }
  // A path names the file that it leads to; a bare name may be that of several, and of one that was never ingested.
  const isBare = !file.includes(sep);
  const found = isBare
    ? [...new Set([...labelled, ...ofPath])]
    : ofPath.length > 0 || existsSync(file)
      ? ofPath
      : labelled.filter(({ label }) => label === file);
  const isOther = isBare && ofPath.length === 0 && existsSync(file) && found.some(({ kind }) => kind === 'file');
  if (found.length === 0 && said.length > 0)
    throw new UsageError(
      `${JSON.stringify(file)} was read as messages; --sessions forgets all of its sessions, --source one of them: ${named(said)}.`,
    );
  if (found.length === 0) {
    const what = file.includes(sep) ? 'No document was ingested from' : 'No document is labelled';
    const near = alike.size === 0 ? '' : ` There is ${[...alike].join(', ')}.`;
    throw new SvcError('source_not_found', `${what} ${JSON.stringify(file)}; \`documents\` lists them.${near}`);
  }
  if (found.length > 1)
    throw new UsageError(`${JSON.stringify(file)} names ${found.length} sources; give --source: ${named(found)}.`);
  if (isOther)
    throw new UsageError(
      `${JSON.stringify(file)} of this directory was not ingested, another file of that name was; give --source: ${named(found)}.`,
    );
  return found[0]!;
}

/** Labels like a name that a refusal shows at most. */
const MOST_ALIKE = 5;

/** Returns true for a label of the same name, whatever its directory, its ending and its capitals. */
function isAlike(label: string, file: string): boolean {
  return nameOf(label).toLowerCase() === nameOf(withoutPageId(file)).toLowerCase();
}

/** Returns sources as a refusal names them. */
export function named(documents: readonly Named[]): string {
  return documents.map(({ source_id, label, domain }) => `${source_id} (${label}, in ${domain})`).join(', ');
}

/** Returns true for a document of this label, an upload of this name, and a file whose name another one bears too, so that its label has folders in front. */
function isNamed({ label, kind, source_id, domain }: Document, file: string): boolean {
  if (kind === 'upload' && source_id === sourceId({ domain, kind, key: file })) return true;
  return label === file || (kind === 'file' && label.endsWith(`/${file}`));
}

/** Returns what tells a document that was ingested from a path, of a file that is there or is not any more. */
function fromPath(path: string): (document: Document) => boolean {
  const key = realPath(path);
  return ({ source_id, domain }) => source_id === sourceId({ domain, kind: 'file', key });
}

/** Returns true for a session that was read from a file of this name: it is named like the file, or like it and a day. */
export function isSessionOf({ kind, label }: Document, file: string): boolean {
  const name = nameOf(file);
  return kind === 'session' && label.startsWith(name) && /^(?: \d{4}-\d\d-\d\d)?$/u.test(label.slice(name.length));
}

/** Returns the name of a file without its directory and ending. */
export function nameOf(file: string): string {
  return basename(file, extname(file));
}
