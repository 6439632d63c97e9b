import { existsSync } from 'node:fs';
import { basename, extname, sep } from 'node:path';
import type { Command } from 'commander';
import { SvcError, toSvcError } from '../../../core/errors.js';
import { realPath } from '../../../core/files/real-path.js';
import { sourceId } from '../../../core/ids.js';
import { counted } from '../../../core/wording/counted.js';
import { given } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { dim } from '../../output/output.js';

interface ForgetOptions extends CommonOptions {
  readonly domain?: string;
  readonly source?: string;
  readonly sessions?: boolean;
  readonly dryRun?: boolean;
}

/** Kinds of sources that are forgotten by their label: what people call documents, sessions, and what was given as facts. */
const LABELLED = new Set(['file', 'upload', 'text', 'session', 'structured']);

interface Forgotten {
  readonly status: string;
  readonly sources: number;
  /** Nodes that no longer exist; a database does not count them. */
  readonly removed?: number;
  /** What was named by a file or label. */
  readonly documents?: ReadonlyArray<Pick<Document, 'source_id' | 'label' | 'domain'>>;
}

export function forgetCommand(cli: Cli): Command {
  return cli
    .command('forget', 'forget what a source asserted, or a whole domain')
    .argument(
      '[file]',
      'a document by its path, or a source by its label in `documents`; with --domain, of this domain',
    )
    .option('--source <source_id>', 'the source, as `documents` shows it, or a database, as `sources list` does')
    .option('--domain <name>', 'the domain')
    .option('--sessions', 'all sessions that were read from the chat file of that name')
    .option('--dry-run', 'only count what would be forgotten')
    .action(async (file: string | undefined, options: ForgetOptions) => {
      const output = await cli.withConnection('forget', options, forgetting(file, options));
      cli.print(output as Forgotten, options, ({ status, sources, removed, documents = [] }) => {
        if (removed === undefined) return forgottenSentence(status, rowsAndTables(sources));
        const planned = removed === 0 ? '' : ` with ${counted(removed, 'node')}`;
        const nodes =
          status === 'dry_run'
            ? planned
            : `; ${counted(removed, 'node')} no longer ${removed === 1 ? 'exists' : 'exist'}`;
        const labels = documents.map(({ label, domain }) => `${label}, in ${domain}`);
        return forgottenSentence(status, `${counted(sources, 'source')}${nodes}`, labels);
      });
    });
}

/** Returns what a command line asks for; throws `UsageError` where it does not say one thing. */
function forgetting(file: string | undefined, options: ForgetOptions): (connection: Connection) => Promise<unknown> {
  const { source, domain, sessions = false, dryRun: dry_run } = options;
  if (sessions && (file === undefined || source !== undefined))
    throw new UsageError('--sessions is for the file of a chat; name it.');
  if (file !== undefined) {
    if (source !== undefined) throw new UsageError('Give either a file or --source.');
    if (sessions) return (connection) => forgetSessions(connection, file, { domain, dry_run });
    return async (connection) => {
      const { source_id, label, domain: of } = await documentOf(connection, file, domain);
      const done = (await connection.call('forget_document', given({ source_id, dry_run }))) as Forgotten;
      return { ...done, documents: [{ source_id, label, domain: of }] };
    };
  }
  if ((source === undefined) === (domain === undefined))
    throw new UsageError('Give a file, as `documents` labels it, or one of --source and --domain.');
  if (domain !== undefined) {
    const input = given({ name: domain, dry_run });
    checkedInput('forget_domain', input);
    return (connection) => connection.call('forget_domain', input);
  }
  const input = given({ source_id: source, dry_run });
  checkedInput('forget_document', input);
  return (connection) => forgetSource(connection, input);
}

interface Listed {
  readonly documents: readonly Document[];
  readonly next: string | null;
}

interface Document {
  readonly source_id: string;
  readonly kind: string;
  readonly label: string;
  readonly domain: string;
}

/** Yields what `documents` lists, of one domain or of all. */
async function* documentsIn(connection: Connection, domain: string | undefined): AsyncGenerator<Document> {
  for (let after: string | null | undefined; after !== null; ) {
    const page = (await connection.call('documents', given({ domain, after, limit: 10_000 }))) as Listed;
    yield* page.documents;
    after = page.next;
  }
}

/** Forgets every session of a chat file; throws where there is none, or they lie in several domains or are of several files. */
async function forgetSessions(
  connection: Connection,
  file: string,
  { domain, dry_run }: { readonly domain: string | undefined; readonly dry_run: boolean | undefined },
): Promise<Forgotten> {
  const found: Document[] = [];
  for await (const one of documentsIn(connection, domain)) if (isSessionOf(one, file)) found.push(one);
  found.sort((a, b) => (a.label < b.label ? -1 : 1));
  const domains = [...new Set(found.map((one) => one.domain))];
  if (found.length === 0) {
    const sentence = `No session was read from ${JSON.stringify(file)}, or its messages name their sessions themselves; \`documents\` lists them.`;
    throw new SvcError('source_not_found', sentence);
  }
  if (domains.length > 1)
    throw new UsageError(`${JSON.stringify(file)} has sessions in ${domains.join(', ')}; say which with --domain.`);
  // A file of messages gives one session of its name, an exported chat one for each of its days: both are of two files.
  const undated = found.filter(({ label }) => label === nameOf(file));
  if (undated.length > 0 && undated.length < found.length)
    throw new UsageError(
      `The sessions named like ${JSON.stringify(file)} are of more than one file; forget each with --source: ${named(found)}.`,
    );
  let [sources, removed] = [0, 0];
  for (const { source_id } of found) {
    const gone = (await connection.call('forget_document', given({ source_id, dry_run }))) as Forgotten;
    sources += gone.sources;
    removed += gone.removed ?? 0;
  }
  const documents = found.map(({ source_id, label, domain: of }) => ({ source_id, label, domain: of }));
  return { status: dry_run === true ? 'dry_run' : 'forgotten', sources, removed, documents };
}

/** Returns the one document that a file's path or a label names; throws where there is none, or more. */
async function documentOf(connection: Connection, file: string, domain: string | undefined): Promise<Document> {
  const isPath = fromPath(file);
  const ofPath: Document[] = [];
  const labelled: Document[] = [];
  const said: Document[] = [];
  for await (const one of documentsIn(connection, domain)) {
    const isLabelled = LABELLED.has(one.kind);
    if (isLabelled && isPath(one)) ofPath.push(one);
    if (isLabelled && isNamed(one, file)) labelled.push(one);
    if (isSessionOf(one, file)) said.push(one);
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
    throw new SvcError('source_not_found', `${what} ${JSON.stringify(file)}; \`documents\` lists them.`);
  }
  if (found.length > 1)
    throw new UsageError(`${JSON.stringify(file)} names ${found.length} sources; give --source: ${named(found)}.`);
  if (isOther)
    throw new UsageError(
      `${JSON.stringify(file)} of this directory was not ingested, another file of that name was; give --source: ${named(found)}.`,
    );
  return found[0]!;
}

function named(documents: readonly Document[]): string {
  return documents.map(({ source_id, label, domain }) => `${source_id} (${label}, in ${domain})`).join(', ');
}

/** Returns true for a document of this label, and for a file whose name another one bears too, so that its label has folders in front. */
function isNamed({ label, kind }: Document, file: string): boolean {
  return label === file || (kind === 'file' && label.endsWith(`/${file}`));
}

/** Returns what tells a document that was ingested from a path, of a file that is there or is not any more. */
function fromPath(path: string): (document: Document) => boolean {
  const key = realPath(path);
  return ({ source_id, domain }) => source_id === sourceId({ domain, kind: 'file', key });
}

/** Returns true for a session that was read from a file of this name: it is named like the file, or like it and a day. */
function isSessionOf({ kind, label }: Document, file: string): boolean {
  const name = nameOf(file);
  return kind === 'session' && label.startsWith(name) && /^(?: \d{4}-\d\d-\d\d)?$/u.test(label.slice(name.length));
}

function nameOf(file: string): string {
  return basename(file, extname(file));
}

/** Returns `1 row or table`, `2 rows and tables`. */
export function rowsAndTables(count: number): string {
  return count === 1 ? '1 row or table' : `${count} rows and tables`;
}

/** Says what was forgotten, or would be, with the names of it. */
export function forgottenSentence(status: string, what: string, names: readonly string[] = []): string {
  const dry = status === 'dry_run';
  return [
    dry ? `Would be forgotten: ${what}.` : `Forgotten: ${what}.`,
    ...names.map((name) => `  ${name}`),
    ...(dry ? [dim('A dry run; nothing was changed.')] : []),
  ].join('\n');
}

/** Forgets a document's source, else everything that a database of this name asserted. */
async function forgetSource(connection: Connection, input: object): Promise<unknown> {
  try {
    return await connection.call('forget_document', input);
  } catch (error) {
    if (toSvcError(error).code !== 'source_not_found') throw error;
    const made = await connection.call('source_forget', input).catch(() => null);
    if (made === null || (made as Forgotten).sources === 0) throw error;
    return made;
  }
}
