import { acceptable } from './acceptable.js';
import type { ChatFile, ChatMessage } from './chat-message.js';
import { chatgptMessages } from './chatgpt.js';
import { claudeMessages } from './claude.js';
import { discordMessages } from './discord.js';
import { modelMessages } from './model-chat.js';
import { slackMessages } from './slack.js';
import { telegramMessages } from './telegram.js';
import { whatsappMessages } from './whatsapp.js';

const READERS = [
  slackMessages,
  telegramMessages,
  discordMessages,
  chatgptMessages,
  claudeMessages,
  modelMessages,
  whatsappMessages,
];

/**
 * Returns the messages of conversations as WhatsApp, Slack, Telegram, Discord, ChatGPT or Claude exports them, or as programs send them to language models; undefined
 * for another text. Those of people are a session for each day, those with an assistant one for each conversation. Notes of the program itself and left-out pictures
 * are no messages. Times without a zone, as WhatsApp and Telegram write them, are taken for UTC, so that days stay as people saw them. Pure.
 */
export function chatExport(file: ChatFile): ChatMessage[] | undefined {
  for (const read of READERS) {
    const messages = read(file);
    if (messages !== undefined) return acceptable(messages, file.name);
  }
  return undefined;
}
