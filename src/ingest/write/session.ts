import { randomUUID } from 'node:crypto';
import type { WriteScope } from '../../backends/store/scope.js';
import { holdTurn, takeTurn } from '../../backends/store/session-messages.js';
import { sourceId } from '../../core/ids.js';
import { type MessageInput, messageIdentity, messageManifest, messageSource, pieceId } from '../message.js';
import { type LoadOptions, type LoadPorts, type LoadResult, load } from './load.js';

/** Is thrown where another message took the turn between reservation and write. */
class TurnLost extends Error {}

/**
 * Writes one message to its session. The turn is reserved first: after a crash in between the same message gets the
 * same turn. The write verifies the reservation, since the session may have been forgotten meanwhile.
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
        turn: {
          verify: async ({ db }) => {
            if (!(await holdTurn(db, message, turn))) throw new TurnLost();
          },
          stale: (scope) => piecesFrom(ports, { input, turn, from: manifest.passages.length, scope }),
        },
      });
      return { result, pieces: manifest.passages.length };
    } catch (error) {
      if (!(error instanceof TurnLost)) throw error;
    }
  }
}

/** Returns the stored pieces of a message, `from` on: they are numbered without a gap. */
async function piecesFrom(
  { graph }: LoadPorts,
  given: {
    readonly input: MessageInput;
    readonly turn: number;
    readonly from: number;
    readonly scope: WriteScope | undefined;
  },
): Promise<string[]> {
  const pieces: string[] = [];
  // Mostly there is none, so the first look is at one.
  for (let width = 1; ; width *= 4) {
    const first = given.from + pieces.length;
    const candidates = Array.from({ length: width }, (_, i) => pieceId(given.input, given.turn, first + i));
    const found = await graph.getNodes(candidates, given.scope);
    pieces.push(...found.map((node) => node.id));
    if (found.length < width) return pieces;
  }
}
