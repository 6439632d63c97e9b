import { hash20 } from '../../../../core/ids.js';
import type { Conversation } from '../../../../ingest/chats/chat-message.js';
import type { Connection } from '../../../connection.js';
import type { Document } from '../named-documents.js';
import type { Message } from './absent-messages.js';
import type { Conversations } from './conversations.js';

/** Files of which every message has the session that it goes into. */
export interface Followed {
  readonly files: readonly Conversations[];
  /** Conversations with a new title, and the sessions that they stay in. */
  readonly renamed: ReadonlyArray<{ readonly path: string; readonly title: string; readonly session_id: string }>;
}

/** First pieces of a session that tell which conversation it holds. */
const PIECES = 20;
/** How the session of a conversation ends: with the minute when it began, and with a mark where another one has that name. */
const MINUTE = / (\d{4}-\d\d-\d\d \d\d:\d\d)$/u;
const MARK = / [0-9a-f]{8}$/u;

/**
 * Gives each conversation with an assistant the session that holds its messages already, also where its title is another one by now: its title names the session of a
 * new one alone. A new one whose name another conversation has gets a mark from its own id behind it. `sessions`: those that may hold conversations.
 */
export async function followConversations(
  connection: Connection,
  files: readonly Conversations[],
  sessions: readonly Document[],
): Promise<Followed> {
  const holders = new Holders(connection, sessions);
  const taken = new Map(sessions.map(({ label }) => [label, '']));
  const sessionOf = new Map<string, string>();
  const renamed: Array<Followed['renamed'][number]> = [];
  const followed: Conversations[] = [];
  for (const file of files) {
    const messages: Message[] = [];
    for (const [i, message] of file.messages.entries()) {
      const conversation = file.of[i];
      if (conversation === undefined) {
        messages.push(message);
        continue;
      }
      const { id } = conversation;
      if (!sessionOf.has(id)) {
        const named = message.session_id;
        const held = await holders.of(conversation, named);
        const isFree = (taken.get(named) ?? id) === id;
        const session_id = held ?? (isFree ? named : `${named} ${hash20(id).slice(0, 8)}`);
        if (held !== undefined && !held.startsWith(named)) renamed.push({ path: file.path, title: named, session_id });
        taken.set(session_id, id);
        sessionOf.set(id, session_id);
      }
      messages.push({ ...message, session_id: sessionOf.get(id)! });
    }
    followed.push({ ...file, messages });
  }
  return { files: followed, renamed };
}

/** Finds the sessions that hold a conversation, among those that began in the same minute: a conversation keeps its beginning whatever it is called. */
class Holders {
  private readonly byMinute = new Map<string, Document[]>();
  private readonly read = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

  constructor(
    private readonly connection: Connection,
    sessions: readonly Document[],
  ) {
    for (const session of sessions) {
      const minute = minuteOf(session.label);
      const known = this.byMinute.get(minute);
      if (known === undefined) this.byMinute.set(minute, [session]);
      else known.push(session);
    }
  }

  /** Returns the session that holds messages of a conversation, the one of its name where several do. */
  async of({ messageIds }: Conversation, named: string): Promise<string | undefined> {
    const minute = minuteOf(named);
    const sessions = this.byMinute.get(minute);
    if (sessions === undefined) return undefined;
    const byMessage = this.read.get(minute) ?? (await this.idsIn(sessions));
    this.read.set(minute, byMessage);
    const found = [...messageIds].flatMap((id) => [...(byMessage.get(id) ?? [])]);
    return found.includes(named) ? named : found[0];
  }

  /** Returns sessions by the ids of their first messages. */
  private async idsIn(sessions: readonly Document[]): Promise<Map<string, Set<string>>> {
    const byMessage = new Map<string, Set<string>>();
    for (const { label: session_id, domain } of sessions) {
      const { messages } = (await this.connection.call('session_messages', {
        session_id,
        domain,
        limit: PIECES,
      })) as { readonly messages: ReadonlyArray<{ readonly message_id?: string | null }> };
      for (const { message_id } of messages) {
        if (message_id == null) continue;
        byMessage.set(message_id, (byMessage.get(message_id) ?? new Set<string>()).add(session_id));
      }
    }
    return byMessage;
  }
}

/** Returns the minute in the name of a session; the name itself where it has none. */
function minuteOf(session_id: string): string {
  const named = session_id.replace(MARK, '');
  return MINUTE.exec(named)?.[1] ?? named;
}
