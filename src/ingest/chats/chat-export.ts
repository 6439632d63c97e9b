import type { ChatFile, ChatMessage } from './chat-message.js';
import { slackMessages } from './slack.js';
import { telegramMessages } from './telegram.js';
import { whatsappMessages } from './whatsapp.js';

/**
 * Returns the messages of a conversation as WhatsApp, Slack or Telegram exports it, a session for each day; undefined for another text. Notes of the
 * program itself and left-out pictures are no messages. Times without a zone, as WhatsApp and Telegram write them, are taken for UTC, so that days stay as
 * people saw them. Pure.
 */
export function chatExport(file: ChatFile): ChatMessage[] | undefined {
  return slackMessages(file) ?? telegramMessages(file) ?? whatsappMessages(file);
}
