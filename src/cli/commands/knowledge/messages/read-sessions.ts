import type { Message, ReadSession } from './absent-messages.js';

/** What a call that ingested messages answers. */
interface Ingested {
  readonly domain: string;
  readonly chunks: number;
  readonly hidden: number;
  readonly sessions: ReadonlyArray<{ readonly session_id: string; readonly source_id: string }>;
}

/** Collects the sessions that files were read into, with their messages. */
export class ReadSessions {
  private readonly bySource = new Map<string, ReadSession & { readonly messages: Message[] }>();
  private readonly seen = new Set<string>();
  private pieces = 0;
  private isCounted = true;

  /** Adds the messages of a call. */
  add(messages: readonly Message[], { domain, chunks, hidden, sessions }: Ingested): void {
    const sources = new Map(sessions.map(({ session_id, source_id }) => [session_id, source_id]));
    for (const message of messages) {
      const { session_id, message_id, timestamp, speaker, text } = message;
      const source_id = sources.get(session_id)!;
      const known = this.bySource.get(source_id) ?? { domain, session_id, source_id, messages: [] };
      known.messages.push(message);
      this.bySource.set(source_id, known);
      const identity = JSON.stringify([source_id, message_id ?? [timestamp, speaker, text]]);
      // Pieces of a message that comes twice are counted twice, though they are there once.
      if (this.seen.has(identity)) this.isCounted = false;
      this.seen.add(identity);
    }
    this.pieces += chunks;
    // What an edit hides is counted and not there.
    if (hidden > 0) this.isCounted = false;
  }

  all(): ReadSession[] {
    return [...this.bySource.values()];
  }

  /** Pieces that the messages are in their sessions; undefined where the calls do not tell. */
  chunks(): number | undefined {
    return this.isCounted ? this.pieces : undefined;
  }
}
