import { slackMessages } from './slack.js';
import { whatsappMessages } from './whatsapp.js';

/** A message of an exported conversation, with the members of `ingest_message`. */
export interface ChatMessage {
  readonly session_id: string;
  readonly message_id?: string;
  readonly speaker: string;
  readonly text: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

export interface ChatFile {
  readonly text: string;
  /** Its name without extension. */
  readonly name: string;
  /** Name of the directory that it lies in. */
  readonly directory: string;
  /** What the list of people of a Slack export holds, `users.json`; nothing where there is none. */
  readonly users: () => string | undefined;
}

/**
 * Returns the messages of a conversation as WhatsApp or Slack exports it, a session for each day; undefined for another text. Notes of the
 * program itself and left-out pictures are no messages. Times without a zone, as WhatsApp writes them, are taken for UTC, so that days stay as
 * people saw them. Pure but for `users`.
 */
export function chatExport(file: ChatFile): ChatMessage[] | undefined {
  return slackMessages(file) ?? whatsappMessages(file);
}
