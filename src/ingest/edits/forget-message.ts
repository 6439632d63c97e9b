import type { GraphBackend } from '../../backends/graph/port.js';
import { dropRemoved, identitiesOf, removedOf } from '../../backends/store/removed-messages.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { forgetTurns } from '../../backends/store/session-messages.js';
import type { EditInput } from '../../core/edits/edit-input.js';
import type { MessageRemoval } from '../../ledger/edits/edit-types.js';
import { pieceId } from '../sessions/message.js';
import type { LoadPorts } from '../write/ports.js';
import { hideMessages, NO_EFFECTS, noMessage, resolveRemoval } from './hidden-messages.js';
import { writeEffects } from './write-effects.js';

const PAGE = 100;

/** Which message of a session is meant: by the id that it was sent with, or by one of its passages. */
export type MessageName = Pick<EditInput, 'domain' | 'session_id' | 'message_id' | 'node_id'>;

/**
 * Forgets a message for good, one that an edit hides too: unlike an edit this leaves nothing to be shown again. A session that
 * has no other message is gone. Returns how many of its passages no longer exist.
 */
export async function forgetMessage(ports: LoadPorts, message: MessageName): Promise<number> {
  const { domain } = message;
  const removal = await resolveRemoval(ports.graph, { ...message, type: 'remove_message' });
  const { source_id, session_id, identity } = removal;
  const { value } = await writeEffects(ports, { domain, sources: [source_id] }, async (scope) => {
    const wasHidden = (await dropRemoved(scope.db, source_id, [identity])) > 0;
    const others = await hasOthers(ports, { domain, removal }, scope);
    const what = others ? removal : ({ type: 'remove_session', session_id, source_id } as const);
    const effects = wasHidden
      ? ((others ? null : await ports.graph.forgetSource(source_id, { scope })) ?? NO_EFFECTS)
      : await hideMessages(ports.graph, { domain, removal: what }, scope);
    await dropRemoved(scope.db, source_id, [identity]);
    await forgetTurns(scope.db, source_id, others ? identity : undefined);
    return { value: effects.removed.length, effects, passages: [] };
  });
  return value;
}

/** Throws what `forgetMessage` would throw; changes nothing. */
export async function requireMessage({ graph, store }: LoadPorts, message: MessageName): Promise<void> {
  const { source_id, session_id, identity } = await resolveRemoval(graph, { ...message, type: 'remove_message' });
  const turns = [...(await identitiesOf(store.db, source_id))].filter(([, other]) => other === identity);
  if (await anyShown(graph, { ...message, session_id, turns: turns.map(([turn]) => turn) })) return;
  if ((await removedOf(store.db, source_id)).some((hidden) => hidden.identity === identity)) return;
  throw noMessage('message_id', message);
}

/** Returns whether a session has another message, shown or hidden. A turn whose message was never written is none. */
async function hasOthers(
  { graph }: LoadPorts,
  { domain, removal }: { readonly domain: string; readonly removal: MessageRemoval },
  scope: WriteScope,
): Promise<boolean> {
  const { source_id, session_id, identity } = removal;
  const others = [...(await identitiesOf(scope.db, source_id))].filter(([, other]) => other !== identity);
  if (await anyShown(graph, { domain, session_id, turns: others.map(([turn]) => turn) }, scope)) return true;
  return (await removedOf(scope.db, source_id)).some((other) => other.identity !== identity);
}

/** Returns whether any of these turns of a session has a message that is shown. */
async function anyShown(
  graph: GraphBackend,
  { turns, ...session }: { readonly domain: string; readonly session_id: string; readonly turns: readonly number[] },
  scope?: WriteScope,
): Promise<boolean> {
  for (let from = 0; from < turns.length; from += PAGE) {
    const ids = turns.slice(from, from + PAGE).map((turn) => pieceId(session, turn, 0));
    if ((await graph.getNodes(ids, scope)).length > 0) return true;
  }
  return false;
}
