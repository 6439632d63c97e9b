import { randomUUID } from 'node:crypto';
import { keepRemoved } from '../../backends/store/removed-messages.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { holdTurn, type SessionMessage, takeTurn } from '../../backends/store/session-messages.js';
import { lockForWriting } from '../../backends/store/unfinished/pending-loads.js';
import { sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { hidingEdits } from '../../ledger/edits/edit-log.js';
import { type LoadOptions, type LoadPorts, type LoadResult, load } from '../write/load.js';
import { type MessageInput, messageIdentity, messageManifest, messageSource, pieceId, readMessage } from './message.js';

/** Is thrown where another message took the turn between reservation and write. */
class TurnLost extends Error {}

/** Is thrown where an edit hides the message. */
class Hidden extends Error {}

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
  const read = await readMessage(input);
  // A message without identity is new each time; its turn is its own all the same.
  const identity = messageIdentity(input) ?? `call:${randomUUID()}`;
  const message = { source_id: sourceId(messageSource(input)), identity };
  for (;;) {
    const turn = await ports.store.write((scope) => takeTurn(scope.db, message));
    const manifest = messageManifest(read, turn);
    try {
      const result = await load(ports, manifest, {
        ...options,
        turn: {
          verify: async ({ db }) => {
            if (!(await holdTurn(db, message, turn))) throw new TurnLost();
            if ((await hidingEdits(db, input.domain, message)).length > 0) throw new Hidden();
          },
          stale: (scope) => piecesFrom(ports, { input, turn, from: manifest.passages.length, scope }),
        },
      });
      return { result, pieces: manifest.passages.length };
    } catch (error) {
      if (error instanceof Hidden) {
        const result = await keepHidden(ports, { manifest, turn, message });
        if (result !== null) return { result, pieces: manifest.passages.length };
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
    if (edits.length === 0 || !(await holdTurn(db, message, turn))) return null;
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
