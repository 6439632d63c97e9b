import { randomUUID } from 'node:crypto';
import { keepRemoved } from '../../backends/store/removed-messages.js';
import { holdTurns, type SessionMessage, takeTurn } from '../../backends/store/session-messages.js';
import { lockForWriting } from '../../backends/store/unfinished/pending-loads.js';
import { sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { hidingEdits } from '../../ledger/edits/edit-log.js';
import { type LoadOptions, type LoadPorts, type LoadResult, load } from '../write/load.js';
import type { TurnWrite } from '../write/ports.js';
import {
  type MessageInput,
  messageIdentity,
  messageManifest,
  messageSource,
  type ReadMessage,
  readMessage,
} from './message.js';
import { changesOf, Hidden, type MessageChange, type PlacedMessage, TurnLost, turnWrite } from './turn-write.js';

/** A message that was read, and what distinguishes it in its session. */
export interface NamedMessage {
  readonly read: ReadMessage;
  readonly identity: string;
}

/** Reads a message; throws as `readMessage` does. One without identity is new each time; its turn is its own all the same. */
export async function namedMessage(input: MessageInput): Promise<NamedMessage> {
  return { read: await readMessage(input), identity: messageIdentity(input) ?? `call:${randomUUID()}` };
}

/** What became of one message. */
export interface LoadedMessage {
  readonly result: LoadResult;
  readonly change: MessageChange | 'hidden';
  readonly pieces: number;
}

/**
 * Writes one message to its session. The turn is reserved first: after a crash in between the same message gets the
 * same turn. The write verifies the reservation, since the session may have been forgotten meanwhile.
 */
export async function loadMessage(
  ports: LoadPorts,
  { read, identity }: NamedMessage,
  options: LoadOptions,
): Promise<LoadedMessage> {
  const { domain } = read.input;
  const message = { source_id: sourceId(messageSource(read.input)), identity };
  for (;;) {
    const turn = await ports.store.write((scope) => takeTurn(scope.db, message));
    const manifest = messageManifest(read, turn);
    const pieces = manifest.passages.length;
    const messages: readonly PlacedMessage[] = [{ read, identity, turn }];
    const { verify, stale } = turnWrite(ports, { domain, source_id: message.source_id, messages });
    let change: MessageChange = 'unchanged';
    const write: TurnWrite = {
      verify: async (scope) => {
        await verify(scope);
        change = (await changesOf(ports.graph, messages, scope))[0]!;
      },
      stale,
    };
    try {
      return { result: await load(ports, manifest, { ...options, turn: write }), change, pieces };
    } catch (error) {
      if (error instanceof Hidden) {
        const result = await keepHidden(ports, { manifest, turn, message });
        if (result !== null) return { result, change: 'hidden', pieces };
      } else if (!(error instanceof TurnLost)) throw error;
    }
  }
}

/** Keeps a message that an edit hides, so that undoing the edit shows its newest text. Null where no edit does any more. */
async function keepHidden(
  { store }: LoadPorts,
  given: { readonly manifest: Manifest; readonly turn: number; readonly message: SessionMessage },
): Promise<LoadResult | null> {
  const { message, turn } = given;
  const { domain, source, passages } = given.manifest;
  return store.write(async ({ db }) => {
    await lockForWriting(db, domain, [message.source_id]);
    const edits = await hidingEdits(db, domain, message);
    // Its turn may be another message's by now, where its session was forgotten.
    if (edits.length === 0 || !(await holdTurns(db, message.source_id, [{ ...message, turn }]))) return null;
    await keepRemoved(db, [{ ...message, turn, domain, body: JSON.stringify(passages) }]);
    return {
      domain,
      source: source.label,
      source_id: message.source_id,
      concepts: 0,
      edges: 0,
      rules: 0,
      passages: 0,
      warnings: [hiddenBy(edits)],
    };
  });
}

/** Says why a message that was taken shows no passage, and what shows it. */
function hiddenBy(edits: readonly string[]): string {
  const [which, them] = edits.length === 1 ? ['edit', 'the edit'] : ['edits', 'these edits'];
  const hidden = `The message is kept but hidden by ${which} ${edits.join(' and ')}`;
  return `${hidden}, which removed it or its session; undo ${them} to show it.`;
}
