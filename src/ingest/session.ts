import { randomUUID } from 'node:crypto';
import { holdTurn, takeTurn } from '../backends/store/session-messages.js';
import { sourceId } from '../core/ids.js';
import { type LoadOptions, type LoadPorts, type LoadResult, load } from './load.js';
import { type MessageInput, messageIdentity, messageManifest, messageSource } from './message.js';

/** The turn went to another message between taking and writing. */
class TurnLost extends Error {}

/**
 * Writes one message to its session. Its turn is taken before the message is written: after a crash in between the same
 * message gets the same turn. The write makes sure of the turn, since the session may have been forgotten meanwhile.
 */
export async function loadMessage(
  ports: LoadPorts,
  input: MessageInput,
  options: LoadOptions,
): Promise<{ readonly result: LoadResult; readonly pieces: number }> {
  // Bad input takes no turn.
  messageManifest(input, 0);
  // A message without identity is new each time; its turn is its own all the same.
  const identity = messageIdentity(input) ?? `call:${randomUUID()}`;
  const message = { source_id: sourceId(messageSource(input)), identity };
  for (;;) {
    const turn = await ports.store.write((scope) => takeTurn(scope.db, message));
    const manifest = messageManifest(input, turn);
    try {
      const result = await load(ports, manifest, {
        ...options,
        before: async ({ db }) => {
          if (!(await holdTurn(db, message, turn))) throw new TurnLost();
        },
      });
      return { result, pieces: manifest.passages.length };
    } catch (error) {
      if (!(error instanceof TurnLost)) throw error;
    }
  }
}
