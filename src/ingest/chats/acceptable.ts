import { hash20 } from '../../core/ids.js';
import { readableText, storableText } from '../../core/text/clean.js';
import { isLowSurrogate } from '../../core/wording/whole-characters.js';
import { type ChatMessage, LONGEST_TEXT } from './chat-message.js';

/** Characters of an id, as `ingest_message` takes it. */
const LONGEST_ID = 512;
/** A text without any of these shows nothing. */
const SHOWN = /[^\s\p{C}]/u;

/**
 * Returns the messages of an export as `ingest_message` takes them, so that one of them does not refuse all: those that show nothing are left out, a text of more than a million
 * characters goes on in a next message, and what cannot be stored (NUL, half a character) goes. `name`: the session of those whose own shows nothing. Pure.
 */
export function acceptable(messages: readonly ChatMessage[], name: string): ChatMessage[] {
  return messages.flatMap((message): ChatMessage[] => {
    const texts = dividedText(readableText(message.text).trim()).filter((text) => SHOWN.test(text));
    const { message_id, speaker } = message;
    const session_id = idOf(message.session_id) ?? name;
    return texts.map((text, i) => {
      const id = idOf(i === 0 || message_id === undefined ? message_id : `${message_id}:${i + 1}`);
      const { message_id: _written, ...rest } = message;
      return {
        ...rest,
        session_id,
        ...(id === undefined ? {} : { message_id: id }),
        ...(speaker === undefined ? {} : { speaker: storableText(speaker) || 'unknown' }),
        text,
      };
    });
  });
}

/** Returns a text in parts that are not too long, none of which ends within a character. */
function dividedText(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const to = at + LONGEST_TEXT;
    const end = to < text.length && isLowSurrogate(text, to) ? to - 1 : to;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

/** Returns an id that can be stored, a hash of one that is too long; undefined for one that shows nothing. */
function idOf(written: string | undefined): string | undefined {
  const id = storableText(written ?? '');
  if (!SHOWN.test(id)) return undefined;
  return id.length > LONGEST_ID ? hash20(id) : id;
}
