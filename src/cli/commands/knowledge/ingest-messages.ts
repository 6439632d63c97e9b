import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import { Progress } from '../../output/progress.js';
import type { Ingested } from './ingest-job.js';

interface MessagesOptions extends CommonOptions {
  readonly domain?: string;
}

/** What became of the messages of a file. */
interface IngestedMessages {
  readonly path: string;
  readonly messages: number;
  readonly sessions: number;
  readonly unchanged: number;
}

/**
 * Ingests exported conversations: JSON Lines, a message each, with the members of `ingest_message`. A message without
 * `session_id` belongs to the session that is named like its file. Checks every line before it ingests the first.
 */
export async function ingestMessages(cli: Cli, paths: readonly string[], options: MessagesOptions): Promise<void> {
  const files = paths.map((path) => ({ path, messages: messagesOf(path, options.domain) }));
  const total = files.reduce((sum, { messages }) => sum + messages.length, 0);
  const progress = new Progress(options.json === true);
  const ingested: IngestedMessages[] = [];
  try {
    await cli.withConnection('ingest', options, async (connection) => {
      for (const { path, messages } of files) {
        let unchanged = 0;
        for (const [i, message] of messages.entries()) {
          const result = (await connection.call('ingest_message', message)) as Ingested;
          if (result.unchanged === true) unchanged += 1;
          progress.update(
            ingested.reduce((sum, file) => sum + file.messages, i + 1),
            total,
            path,
          );
        }
        const sessions = new Set(messages.map(({ session_id }) => session_id)).size;
        ingested.push({ path, messages: messages.length, sessions, unchanged });
      }
    });
  } finally {
    progress.stop();
  }
  cli.print({ files: ingested }, options, () => ingested.map(described).join('\n'));
}

function described({ path, messages, sessions, unchanged }: IngestedMessages): string {
  const of = `${messages} message${messages === 1 ? '' : 's'} of ${sessions} session${sessions === 1 ? '' : 's'}`;
  return `ingested  ${path}  ${of}${unchanged === 0 ? '' : `, ${unchanged} unchanged`}`;
}

/** Returns the messages of a file; throws a usage error with the line of one that is none. */
function messagesOf(path: string, domain: string | undefined): Array<Record<string, unknown>> {
  const session_id = basename(path, extname(path));
  return linesOf(path).map(({ line, number }) => {
    try {
      const message = { session_id, ...(JSON.parse(line) as object), ...(domain === undefined ? {} : { domain }) };
      checkedInput('ingest_message', message);
      return message;
    } catch (error) {
      const reason = error instanceof UsageError ? error.message : 'it is not a JSON object.';
      throw new UsageError(`Line ${number} of ${path} is no message: ${reason}`);
    }
  });
}

function linesOf(path: string): Array<{ line: string; number: number }> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`${path} cannot be read; name a file with a JSON message a line.`);
  }
  const lines = text.split('\n').map((line, i) => ({ line: line.trim(), number: i + 1 }));
  return lines.filter(({ line }) => line !== '');
}
