import { takeTurns } from '../../backends/store/session-messages.js';
import { inParallel } from '../../core/async/in-parallel.js';
import { SvcError } from '../../core/errors.js';
import { groupBy } from '../../core/group-by.js';
import { sourceId } from '../../core/ids.js';
import { loadSmall } from '../write/load.js';
import type { LoadOptions, LoadPorts, TurnWrite } from '../write/ports.js';
import { type LoadedMessage, loadMessage, type NamedMessage, namedMessage } from './load-message.js';
import { type MessageInput, messageSource, messagesManifest } from './message.js';
import { changesOf, Hidden, type PlacedMessage, TurnLost, turnWrite } from './turn-write.js';

/** What became of several messages. */
export interface LoadedMessages {
  readonly messages: number;
  readonly added: number;
  /** Those that were there otherwise. */
  readonly replaced: number;
  /** Those that were there already, word for word. */
  readonly unchanged: number;
  /** Those that edits hide: they are kept, and seen once the edit is undone. */
  readonly hidden: number;
  /** Passages that all of them are, or would be. */
  readonly chunks: number;
  readonly sessions: Array<{ session_id: string; source: string; source_id: string }>;
  readonly warnings: string[];
}

/** What became of a part of them, one for each message. */
interface LoadedPart {
  readonly changes: ReadonlyArray<LoadedMessage['change']>;
  readonly warnings: readonly string[];
}

/** Passages of one write at most. */
const PASSAGES = 100;
/** Sessions that are written at once: they share transactions. */
const SESSIONS = 16;

/**
 * Writes messages to their sessions, each session in the given order, many in one transaction. All are checked before the
 * first is written; an error names the member below `messages`. A call that fails in between has written some of them: sent
 * again, it adds the rest, and messages that have neither an id nor a time once more.
 */
export async function loadMessages(
  ports: LoadPorts,
  inputs: readonly MessageInput[],
  options: LoadOptions,
): Promise<LoadedMessages> {
  const named: NamedMessage[] = [];
  for (const [i, input] of inputs.entries()) named.push(await readNth(input, i));
  const sessions = [...groupBy(named, ({ read }) => sourceId(messageSource(read.input)))];
  let done = 0;
  const loaded = await inParallel(sessions, SESSIONS, async ([, messages]) => {
    const parts: LoadedPart[] = [];
    for (const part of partsOf(messages)) {
      options.signal?.throwIfAborted();
      parts.push(await loadPart(ports, part, options));
      done += part.length;
      options.progress?.(done, inputs.length, `${done} of ${inputs.length} messages written`);
    }
    return parts;
  });
  const all = loaded.flat();
  const changes = all.flatMap((part) => part.changes);
  const count = (change: LoadedMessage['change']) => changes.filter((one) => one === change).length;
  return {
    messages: inputs.length,
    added: count('added'),
    replaced: count('replaced'),
    unchanged: count('unchanged'),
    hidden: count('hidden'),
    chunks: named.reduce((sum, { read }) => sum + read.pieces.length, 0),
    sessions: sessions.map(([source_id, [first]]) => {
      const { input } = first!.read;
      return { session_id: input.session_id, source: messageSource(input).label, source_id };
    }),
    warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
  };
}

async function readNth(input: MessageInput, i: number): Promise<NamedMessage> {
  try {
    return await namedMessage(input);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw new SvcError(error.code, `messages.${i}.${error.message}`, {
      member: `messages.${i}.${error.details?.member}`,
    });
  }
}

/** Divides messages of a session so that each part is written quickly and names no message twice. */
function* partsOf(messages: readonly NamedMessage[]): Generator<readonly NamedMessage[]> {
  let part: NamedMessage[] = [];
  let passages = 0;
  const seen = new Set<string>();
  for (const one of messages) {
    if (part.length > 0 && (seen.has(one.identity) || passages + one.read.pieces.length > PASSAGES)) {
      yield part;
      part = [];
      passages = 0;
      seen.clear();
    }
    part.push(one);
    seen.add(one.identity);
    passages += one.read.pieces.length;
  }
  if (part.length > 0) yield part;
}

/** Writes different messages of one session together; one by one where a turn was lost or an edit hides one of them. */
async function loadPart(ports: LoadPorts, part: readonly NamedMessage[], options: LoadOptions): Promise<LoadedPart> {
  const { input } = part[0]!.read;
  const source_id = sourceId(messageSource(input));
  const identities = part.map(({ identity }) => identity);
  const turns = await ports.store.write(({ db }) => takeTurns(db, source_id, identities));
  const messages: PlacedMessage[] = part.map((one, i) => ({ ...one, turn: turns[i]! }));
  try {
    const { verify, stale } = turnWrite(ports, { domain: input.domain, source_id, messages });
    let changes: LoadedPart['changes'] = [];
    const turn: TurnWrite = {
      verify: async (scope) => {
        await verify(scope);
        changes = await changesOf(ports.graph, messages, scope);
      },
      stale,
    };
    const { warnings } = await loadSmall(ports, messagesManifest(messages), { signal: options.signal, turn });
    return { changes, warnings };
  } catch (error) {
    if (!(error instanceof TurnLost || error instanceof Hidden)) throw error;
    return oneByOne(ports, part, options);
  }
}

async function oneByOne(ports: LoadPorts, part: readonly NamedMessage[], { signal }: LoadOptions): Promise<LoadedPart> {
  const loaded: LoadedMessage[] = [];
  for (const one of part) loaded.push(await loadMessage(ports, one, { signal }));
  return {
    changes: loaded.map(({ change }) => change),
    warnings: loaded.flatMap(({ result }) => result.warnings),
  };
}
