import type { GraphBackend, GraphDelta } from '../../backends/graph/port.js';
import {
  dropRemoved,
  hasRemoved,
  identitiesOf,
  keepRemoved,
  type RemovedMessage,
  removedOf,
} from '../../backends/store/removed-messages.js';
import type { WriteScope } from '../../backends/store/scope.js';
import type { EditInput } from '../../core/edits/edit-input.js';
import { SvcError } from '../../core/errors.js';
import { contentHash, sourceId } from '../../core/ids.js';
import type { Manifest, Passage } from '../../core/model.js';
import { hidingEdits } from '../../ledger/edits/edit-log.js';
import type { MessageRemoval, SessionRemoval } from '../../ledger/edits/edit-types.js';
import { sessionSource } from '../sources.js';

type Removal = MessageRemoval | SessionRemoval;
/** What a removal, or its undoing, did to the graph. */
export type MessageEffects = Pick<GraphDelta, 'changed' | 'removed' | 'keys'>;

export const NO_EFFECTS: MessageEffects = { changed: [], removed: [], keys: [] };

/**
 * Returns which messages an input removes; one of a session that is hidden as a whole is named too. `session_not_found`,
 * or `node_not_found` for a message that is not there.
 */
export async function resolveRemoval(
  graph: GraphBackend,
  input: EditInput & { readonly type: 'remove_message' },
): Promise<MessageRemoval>;
export async function resolveRemoval(graph: GraphBackend, input: EditInput): Promise<Removal>;
export async function resolveRemoval(graph: GraphBackend, input: EditInput): Promise<Removal> {
  const { domain } = input;
  const session_id = input.session_id!;
  const source_id = sourceId(sessionSource(domain, session_id));
  const isThere = (await graph.listSources({ source_id })).length > 0;
  const hides = input.type === 'remove_message' && graph.store !== undefined;
  if (!isThere && !(hides && (await hasRemoved(graph.store.db, source_id)))) {
    throw new SvcError('session_not_found', `session_id ${session_id} is no session of domain ${domain}.`, {
      member: 'session_id',
    });
  }
  if (input.type === 'remove_session') return { type: 'remove_session', session_id, source_id };
  if (input.message_id !== undefined) {
    return { type: 'remove_message', session_id, source_id, identity: `id:${input.message_id}` };
  }
  const node = await graph.getNode(input.node_id!);
  const turn = node?.passage?.source_id === source_id ? node.passage.message?.turn : undefined;
  if (turn === undefined) throw noMessage('node_id', input);
  const identity = graph.store === undefined ? undefined : (await identitiesOf(graph.store.db, source_id)).get(turn);
  if (identity === undefined) throw noMessage('node_id', input);
  return { type: 'remove_message', session_id, source_id, identity };
}

/** Takes the messages of a removal out of the graph and keeps them apart. Part of the caller's write. */
export async function hideMessages(
  graph: GraphBackend,
  { domain, removal }: { readonly domain: string; readonly removal: Removal },
  scope: WriteScope,
): Promise<MessageEffects> {
  const { source_id } = removal;
  const identities = await identitiesOf(scope.db, source_id);
  const turns = new Map<number, Passage[]>();
  for (const passage of await passagesOf(graph, source_id)) {
    const turn = passage.message?.turn ?? 0;
    turns.set(turn, [...(turns.get(turn) ?? []), passage]);
  }
  const all = [...turns].map(([turn, passages]): RemovedMessage & { readonly passages: readonly Passage[] } => {
    return {
      source_id,
      identity: identities.get(turn) ?? `turn:${turn}`,
      turn,
      domain,
      body: JSON.stringify(passages),
      passages,
    };
  });
  const hidden = removal.type === 'remove_session' ? all : all.filter(({ identity }) => identity === removal.identity);
  if (hidden.length === 0) throw noMessage('message_id', { domain, session_id: removal.session_id });
  await keepRemoved(
    scope.db,
    hidden.map(({ passages: _, ...message }) => message),
  );
  if (removal.type === 'remove_session') return (await graph.forgetSource(source_id, { scope }))!;
  const without = hidden.flatMap(({ passages }) => passages.map((passage) => passage.id));
  return graph.ingestManifest(sessionManifest(domain, removal, { passages: [], without }), scope);
}

/** Returns the passages of a source in order, without their mentions. */
async function passagesOf(graph: GraphBackend, sourceId: string): Promise<Passage[]> {
  const ids = (await graph.sourcePassages(sourceId)).map(({ id }) => id);
  return (await graph.getNodes(ids)).map(({ id, name, description, passage }) => {
    const { source_id: _, order, sentences, about, ...message } = passage!;
    return { id, title: name, text: description, sentences, about, order, ...message };
  });
}

/**
 * Puts the messages that a removal hid back into the graph, but for those that another edit hides too. Returns what that
 * did, and the passages that are there again.
 */
export async function showMessages(
  graph: GraphBackend,
  { domain, removal }: { readonly domain: string; readonly removal: Removal },
  scope: WriteScope,
): Promise<{ readonly effects: MessageEffects; readonly passages: readonly string[] }> {
  const { source_id } = removal;
  const shown: RemovedMessage[] = [];
  for (const message of await removedOf(scope.db, source_id)) {
    if (removal.type === 'remove_message' && message.identity !== removal.identity) continue;
    if ((await hidingEdits(scope.db, domain, message)).length === 0) shown.push(message);
  }
  if (shown.length === 0) return { effects: NO_EFFECTS, passages: [] };
  await dropRemoved(
    scope.db,
    source_id,
    shown.map(({ identity }) => identity),
  );
  const passages = shown.flatMap(({ body }) => JSON.parse(body) as Passage[]);
  const effects = await graph.ingestManifest(sessionManifest(domain, removal, { passages, without: [] }), scope);
  return { effects, passages: passages.map(({ id }) => id) };
}

function sessionManifest(
  domain: string,
  { session_id }: Removal,
  { passages, without }: { readonly passages: readonly Passage[]; readonly without: readonly string[] },
): Manifest {
  return {
    domain,
    source: sessionSource(domain, session_id),
    content_hash: contentHash(JSON.stringify([passages, without])),
    concepts: [],
    edges: [],
    rules: [],
    passages,
    warnings: [],
    append: true,
    without,
  };
}

/** Returns the error for a message that is not there; `member` named it. */
export function noMessage(member: string, { domain, session_id }: Pick<EditInput, 'domain' | 'session_id'>): SvcError {
  return new SvcError('node_not_found', `${member} is no message of session ${session_id} of domain ${domain}.`, {
    member,
  });
}
