import { isDeepStrictEqual } from 'node:util';
import type { WriteScope } from '../../backends/store/scope.js';
import { holdTurns } from '../../backends/store/session-messages.js';
import { hidesOne } from '../../ledger/edits/edit-log.js';
import type { LoadPorts, TurnWrite } from '../write/ports.js';
import { fieldsOf, pieceId, type ReadMessage } from './message.js';

/** Is thrown where another message took a turn between reservation and write. */
export class TurnLost extends Error {}

/** Is thrown where an edit hides a message. */
export class Hidden extends Error {}

/** A message with the place that was taken for it. */
export interface PlacedMessage {
  readonly read: ReadMessage;
  readonly identity: string;
  readonly turn: number;
}

/**
 * Returns what a write of messages of one session does beside it: the turns are verified, since the session may have been
 * forgotten since they were reserved, and what an earlier, longer text of a message left goes.
 */
export function turnWrite(
  { graph }: Pick<LoadPorts, 'graph'>,
  {
    domain,
    source_id,
    messages,
  }: {
    readonly domain: string;
    readonly source_id: string;
    readonly messages: readonly PlacedMessage[];
  },
): TurnWrite {
  return {
    verify: async ({ db }) => {
      if (!(await holdTurns(db, source_id, messages))) throw new TurnLost();
      const identities = messages.map(({ identity }) => identity);
      if (await hidesOne(db, domain, { source_id, identities })) throw new Hidden();
    },
    stale: (scope) => piecesAfter(graph, messages, scope),
  };
}

/** What a write makes of a message: unchanged is what is there with the same pieces and fields, and no piece more. */
export type MessageChange = 'added' | 'replaced' | 'unchanged';

/** Returns what a write of these messages will make of each. */
export async function changesOf(
  graph: LoadPorts['graph'],
  messages: readonly PlacedMessage[],
  scope: WriteScope,
): Promise<MessageChange[]> {
  const ids = messages.map(({ read: { input, pieces }, turn }) =>
    Array.from({ length: pieces.length + 1 }, (_, i) => pieceId(input, turn, i)),
  );
  const there = new Map((await graph.getNodes(ids.flat(), scope)).map((node) => [node.id, node]));
  return messages.map(({ read: { input, pieces }, turn }, i) => {
    const fields = fieldsOf(input, turn);
    const found = ids[i]!.map((id) => there.get(id));
    if (found[0] === undefined) return 'added';
    const isSame =
      found[pieces.length] === undefined &&
      pieces.every(
        ({ text }, piece) =>
          found[piece]?.description === text && isDeepStrictEqual(found[piece].passage?.message, fields),
      );
    return isSame ? 'unchanged' : 'replaced';
  });
}

/** Returns the stored pieces that these messages have beyond what they say now; each is numbered without a gap. */
async function piecesAfter(
  graph: LoadPorts['graph'],
  messages: readonly PlacedMessage[],
  scope: WriteScope | undefined,
): Promise<string[]> {
  const stale: string[] = [];
  let open = messages.map(({ read, turn }) => ({ input: read.input, turn, next: read.pieces.length }));
  // Mostly there is none, so the first look is at one of each.
  for (let width = 1; open.length > 0; width *= 4) {
    const looked = open.map((one) =>
      Array.from({ length: width }, (_, i) => pieceId(one.input, one.turn, one.next + i)),
    );
    const found = new Set((await graph.getNodes(looked.flat(), scope)).map(({ id }) => id));
    stale.push(...found);
    open = open.flatMap((one, i) =>
      looked[i]!.every((id) => found.has(id)) ? [{ ...one, next: one.next + width }] : [],
    );
  }
  return stale;
}
