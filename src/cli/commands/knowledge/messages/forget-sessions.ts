import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { SvcError } from '../../../../core/errors.js';
import { groupBy } from '../../../../core/group-by.js';
import { given } from '../../../arguments.js';
import { UsageError } from '../../../cli.js';
import type { Connection } from '../../../connection.js';
import { type Document, type Forgotten, isSessionOf, named, nameOf, sessionsIn } from '../named-documents.js';
import { absentMessages, type Message } from './absent-messages.js';
import { type Conversations, conversationsAt } from './conversations.js';
import { followConversations } from './follow-conversations.js';
import { separateSessions } from './separate-sessions.js';

interface ForgetSessionsOptions {
  readonly domain: string | undefined;
  readonly dry_run: boolean | undefined;
}

/**
 * Forgets every session of a chat file. A file that is there is read: its sessions are those that hold its messages and no
 * others, and sessions of its name beside them are left. By its name alone, all sessions of that name are forgotten. Throws
 * where there is none, where they lie in several domains, and where they are not, or may not be, of this file alone.
 */
export async function forgetSessions(
  connection: Connection,
  file: string,
  { domain, dry_run }: ForgetSessionsOptions,
): Promise<Forgotten> {
  const sessions = await sessionsIn(connection, domain);
  const read = (named: string | undefined) => messagesBySession(connection, { file, sessions, domain: named });
  const said = existsSync(file) ? await read(undefined) : undefined;
  const found = sessions.filter((one) => said?.has(one.label) === true || isSessionOf(one, file));
  found.sort((a, b) => (a.label < b.label ? -1 : 1));
  refuseUnclear(found, file);
  const own = said === undefined ? found : found.filter(({ label }) => said.has(label));
  const left = found.filter((one) => !own.includes(one));
  if (said === undefined) refuseByName(found, file);
  else await refuseOthers(connection, { file, said, again: read, own, left });
  let [sources, removed] = [0, 0];
  for (const { source_id } of own) {
    const gone = (await connection.call('forget_document', given({ source_id, dry_run }))) as Forgotten;
    sources += gone.sources;
    removed += gone.removed ?? 0;
  }
  const status = dry_run === true ? 'dry_run' : 'forgotten';
  return {
    status,
    sources,
    ...(dry_run === true ? {} : { removed }),
    documents: own.map(shown),
    ...(left.length === 0 ? {} : { left: left.map(shown) }),
  };
}

function shown({ source_id, label, domain }: Document) {
  return { source_id, label, domain };
}

interface ForgottenChat {
  readonly file: string;
  readonly sessions: readonly Document[];
  readonly domain: string | undefined;
}

/** Returns the messages of a chat by their sessions, as an ingest reads them into a domain, or into those that they name themselves. */
async function messagesBySession(
  connection: Connection,
  { file, sessions, domain }: ForgottenChat,
): Promise<ReadonlyMap<string, readonly Message[]>> {
  const read: Conversations[] = [];
  for await (const one of conversationsAt(file, { domain })) read.push(one);
  const { files } = await followConversations(connection, read, sessions);
  const separate = await separateSessions(connection, files, sessions);
  return groupBy(
    separate.flatMap(({ messages }) => messages),
    ({ session_id }) => session_id,
  );
}

function refuseUnclear(found: readonly Document[], file: string): void {
  if (found.length === 0)
    throw new SvcError(
      'source_not_found',
      `No session was read from ${JSON.stringify(file)}, or its messages name their sessions themselves; \`documents\` lists them.`,
    );
  const domains = [...new Set(found.map(({ domain }) => domain))];
  if (domains.length > 1)
    throw new UsageError(`${JSON.stringify(file)} has sessions in ${domains.join(', ')}; say which with --domain.`);
}

/** Throws where nothing tells which of the sessions are of a file that is not there. */
function refuseByName(found: readonly Document[], file: string): void {
  const name = nameOf(file);
  if (file.includes(sep))
    throw new UsageError(
      `${JSON.stringify(file)} is not there, and another file of that name may have brought these sessions; give ${JSON.stringify(name)} alone to forget all of that name, or one with --source: ${named(found)}.`,
    );
  // A file of messages gives one session of its name, an exported chat one for each of its days: both are of two files.
  const undated = found.filter(({ label }) => label === name);
  if (undated.length > 0 && undated.length < found.length)
    throw new UsageError(
      `The sessions named like ${JSON.stringify(file)} are of more than one file; forget each with --source: ${named(found)}.`,
    );
}

interface Read {
  readonly file: string;
  readonly said: ReadonlyMap<string, readonly Message[]>;
  /** Reads the file again, into a domain. */
  readonly again: (domain: string) => Promise<ReadonlyMap<string, readonly Message[]>>;
  /** Sessions that the file names. */
  readonly own: readonly Document[];
  readonly left: readonly Document[];
}

/** Throws where the file names none of the sessions, or one of those it names holds messages that it does not. */
async function refuseOthers(connection: Connection, { file, said, again, own, left }: Read): Promise<void> {
  const cause = 'another file of that name brought them, or it has changed since';
  if (own.length === 0)
    throw new UsageError(
      `${JSON.stringify(file)} holds no message of the sessions of its name: ${cause}; forget each with --source: ${named(left)}.`,
    );
  // The id that a message without one was given tells whether a domain was named when the file was read.
  const ofDomain = await again(own[0]!.domain);
  const sessions = own.map(({ label, ...of }) => {
    const messages = [said, ofDomain].flatMap((one) => one.get(label) ?? []);
    return { ...of, session_id: label, messages };
  });
  const foreign = new Set((await absentMessages(connection, sessions, undefined)).map(({ source_id }) => source_id));
  const mixed = own.filter(({ source_id }) => foreign.has(source_id));
  if (mixed.length > 0)
    throw new UsageError(
      `These sessions hold messages that are not in ${JSON.stringify(file)}: ${cause}; nothing was forgotten, --source forgets one as a whole: ${named(mixed)}.`,
    );
}
