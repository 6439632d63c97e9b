import { SvcError } from '../../../../core/errors.js';
import { counted } from '../../../../core/wording/counted.js';
import { type Cli, type CommonOptions, checkedInput } from '../../../cli.js';
import type { Connection } from '../../../connection.js';
import { Progress } from '../../../output/progress.js';
import { noteLine } from '../ingest-lines.js';
import { type Document, sessionsIn } from '../named-documents.js';
import { type AbsentMessages, absentLines, absentMessages, type Message } from './absent-messages.js';
import { type Conversations, conversationsAt } from './conversations.js';
import { leftOutLines, remarksOn } from './export-remarks.js';
import { followConversations } from './follow-conversations.js';
import type { LeftOutFile } from './read-below.js';
import { ReadSessions } from './read-sessions.js';
import { separateSessions } from './separate-sessions.js';

interface MessagesOptions extends CommonOptions {
  readonly domain?: string;
}

/** What becomes of messages; hidden ones are kept, and seen once the edit that hides them is undone. */
const COUNTS = ['added', 'replaced', 'unchanged', 'hidden'] as const;
type Count = (typeof COUNTS)[number];

/** How many messages became what; a service of a release before does not tell which were added and which replaced. */
type Counts = Readonly<Partial<Record<Count, number>>>;

/** What a call of `ingest_messages` answers. */
type Ingested = Counts & {
  readonly warnings: readonly string[];
  readonly hidden: number;
  readonly domain: string;
  readonly chunks: number;
  readonly sessions: ReadonlyArray<{ readonly session_id: string; readonly source_id: string }>;
};

/** What became of the messages of a file. */
interface IngestedMessages extends Counts {
  readonly path: string;
  readonly messages: number;
  readonly sessions: number;
  readonly warnings: readonly string[];
}

/** Messages, and characters of their texts, of one call at most. */
const MESSAGES = 100;
const CHARACTERS = 1_000_000;

const AGAIN = 'type the same command again to go on: what is in already is passed over.';

/**
 * Ingests exported conversations: what WhatsApp, Slack, Telegram, Discord, ChatGPT or Claude exports, or JSON Lines or a list of JSON, a message each, with the members of `ingest_message`, where a message
 * without `session_id` belongs to the session that is named like its file; of a directory, as Slack exports one, the files that are such; others are named.
 * Checks every line before it ingests the first. The same file again doubles nothing.
 */
export async function ingestMessages(cli: Cli, paths: readonly string[], options: MessagesOptions): Promise<void> {
  if (options.domain !== undefined) checkedInput('forget_domain', { name: options.domain });
  const read = new Map<string, Conversations>();
  const leftOut = new Map<string, LeftOutFile>();
  const onLeftOut = (file: LeftOutFile) => leftOut.set(file.path, file);
  for (const path of new Set(paths))
    for await (const one of conversationsAt(path, { domain: options.domain, onLeftOut }))
      if (!read.has(one.path)) read.set(one.path, one);
  const written = [...read.values()];
  const total = written.reduce((sum, { messages }) => sum + messages.length, 0);
  const progress = new Progress(options.json === true);
  const ingested: IngestedMessages[] = [];
  const sessions = new ReadSessions();
  let absent: readonly AbsentMessages[] = [];
  let done = 0;
  try {
    await cli.withConnection('ingest', options, async (connection) => {
      const known = await sessionsFor(connection, written, options.domain);
      const { files, renamed } = await followConversations(connection, written, known);
      for (const { path, messages, leftOut: entries } of await separateSessions(connection, files, known)) {
        const counts: Partial<Record<Count, number>> = {};
        const warnings = new Set(
          remarksOn(
            entries,
            renamed.filter((one) => one.path === path),
          ),
        );
        for (const call of callsOf(messages)) {
          const result = (await connection.call('ingest_messages', call)) as Ingested;
          sessions.add(call.messages, result);
          for (const count of COUNTS) {
            const more = result[count];
            if (more !== undefined) counts[count] = (counts[count] ?? 0) + more;
          }
          for (const warning of result.warnings) warnings.add(warning);
          done += call.messages.length;
          progress.update(done, total, path);
        }
        const of = new Set(messages.map(({ session_id }) => session_id)).size;
        ingested.push({ path, messages: messages.length, sessions: of, ...counts, warnings: [...warnings] });
      }
      absent = await absentMessages(connection, sessions.all(), sessions.chunks());
    });
  } catch (error) {
    progress.stop();
    if (done > 0) process.stderr.write(`At least ${done} of ${total} messages are in; ${AGAIN}\n`);
    throw error;
  } finally {
    progress.stop();
  }
  const left_out = [...leftOut.values()];
  const answer = {
    files: ingested,
    ...(left_out.length === 0 ? {} : { left_out }),
    ...(absent.length === 0 ? {} : { absent }),
  };
  cli.print(answer, options, (shown) =>
    [...shown.files.map(described), ...leftOutLines(left_out), ...absentLines(absent)].join('\n'),
  );
}

/** Returns the sessions of the domain; none where no file holds what might be in one of them under another name. */
async function sessionsFor(
  connection: Connection,
  files: readonly Conversations[],
  domain = 'default',
): Promise<Document[]> {
  const mayBeKnown = ({ of, isOfFile }: Conversations): boolean =>
    of.some((one, i) => one !== undefined || isOfFile[i]);
  if (!files.some(mayBeKnown)) return [];
  try {
    return await sessionsIn(connection, domain);
  } catch (error) {
    // The first messages make the domain.
    if (error instanceof SvcError && error.code === 'domain_not_found') return [];
    throw error;
  }
}

/** Divides messages into calls: each is of one domain, and takes about a second, so that progress is seen. */
function* callsOf(messages: readonly Message[]): Generator<{ messages: readonly Message[]; domain?: unknown }> {
  let call: Message[] = [];
  let characters = 0;
  for (const message of messages) {
    const length = String(message.text).length;
    const other = call.length > 0 && call[0]!.domain !== message.domain;
    if (other || call.length === MESSAGES || (call.length > 0 && characters + length > CHARACTERS)) {
      yield ofDomain(call);
      call = [];
      characters = 0;
    }
    call.push(message);
    characters += length;
  }
  if (call.length > 0) yield ofDomain(call);
}

function ofDomain(messages: readonly Message[]): { messages: readonly Message[]; domain?: unknown } {
  const { domain } = messages[0]!;
  return { messages, ...(domain === undefined ? {} : { domain }) };
}

function described({ path, messages, sessions, warnings, ...counts }: IngestedMessages): string {
  const of = `${counted(messages, 'message')} of ${counted(sessions, 'session')}`;
  const became = COUNTS.flatMap((count) => ((counts[count] ?? 0) === 0 ? [] : [`${counts[count]} ${count}`]));
  const how = became.length === 0 ? '' : `: ${became.join(', ')}`;
  return [`ingested  ${path}  ${of}${how}`, ...warnings.map(noteLine)].join('\n');
}
