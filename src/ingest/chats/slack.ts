import { type ChatFile, type ChatMessage, speakerOf } from './chat-message.js';
import type { JsonText } from './json-text.js';

interface SlackUser {
  readonly id?: string;
  readonly name?: string;
  readonly real_name?: string;
  readonly profile?: SlackProfile;
}

interface SlackProfile {
  readonly real_name?: string;
  readonly display_name?: string;
}

interface SlackMessage {
  readonly type: 'message';
  readonly subtype?: string;
  readonly user?: string;
  readonly username?: string;
  readonly user_profile?: SlackProfile;
  readonly bot_profile?: { readonly name?: string };
  readonly text?: string;
  /** Seconds since 1970, and a number that no other message of the channel has. */
  readonly ts: string;
}

/** Kinds of messages in which somebody says something; the others tell who joined, what was pinned and the like. */
const SAID = new Set([undefined, 'thread_broadcast', 'me_message', 'bot_message', 'file_share', 'file_comment']);
const TS = /^\d{9,11}\.\d+$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Tells whether a file of this name, without its extension, holds a day of a channel. */
export function isDay(name: string): boolean {
  return DAY.test(name);
}

/** Returns the messages of a file of a Slack export, a list of JSON; undefined for another text. A day beside a list of people may have none. */
export function slackMessages({ text, name, directory, users }: ChatFile): ChatMessage[] | undefined {
  const list = listOf(text);
  if (list === undefined) return undefined;
  // A log of events may hold what looks like a message, and a day may have none.
  const found = list.filter(isMessage).length;
  if (users === undefined ? found <= list.length / 2 : found === 0 && !isDay(name)) return undefined;
  // A day's file lies in the directory of its channel.
  const channel = isDay(name) ? directory : name;
  const said = list.filter((one): one is SlackMessage => isMessage(one) && SAID.has(one.subtype));
  const own = new Map<string, string>();
  for (const { user, user_profile } of said) {
    const name = nameIn(user_profile);
    if (user !== undefined && name !== undefined && !own.has(user)) own.set(user, name);
  }
  const nameOf = (user: string): string | undefined => users?.get(user) ?? own.get(user);
  return said
    .sort((a, b) => Number(a.ts) - Number(b.ts))
    .flatMap((one): ChatMessage[] => {
      const text = plain(one.text ?? '', nameOf).trim();
      const timestamp = new Date(Number(one.ts) * 1000).toISOString();
      const speaker = speakerOf(nameOf(one.user ?? ''), one.username, one.bot_profile?.name, one.user);
      const session_id = `${channel} ${timestamp.slice(0, 10)}`;
      return text === '' ? [] : [{ session_id, message_id: one.ts, speaker, text, timestamp }];
    });
}

function listOf(text: JsonText): unknown[] | undefined {
  const value = text.valueAfter(/^\s*\[/u);
  return Array.isArray(value) ? value : undefined;
}

function isMessage(value: unknown): value is SlackMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { type, ts, text, user } = value as Record<string, unknown>;
  const isText = text === undefined || typeof text === 'string';
  return (
    type === 'message' &&
    typeof ts === 'string' &&
    TS.test(ts) &&
    isText &&
    ['string', 'undefined'].includes(typeof user)
  );
}

/** Returns the names of people by their ids, as the text of `users.json` lists them; empty for another text. */
export function peopleIn(users: JsonText): Map<string, string> {
  const list = (listOf(users) ?? []) as readonly (SlackUser | null)[];
  return new Map(
    list.flatMap((user): Array<[string, string]> => {
      const name = nameIn(user?.profile) ?? user?.real_name ?? user?.name;
      return typeof user?.id === 'string' && typeof name === 'string' ? [[user.id, name]] : [];
    }),
  );
}

function nameIn(profile: SlackProfile | undefined): string | undefined {
  return [profile?.real_name, profile?.display_name].find((name) => typeof name === 'string' && name.trim() !== '');
}

/** Returns a text as Slack shows it: people and channels by name, links with their address. */
function plain(text: string, nameOf: (user: string) => string | undefined): string {
  return text
    .replace(
      /<([@#!]?)([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/gu,
      (_all, sign: string, target: string, label?: string) => {
        if (sign === '@') return `@${nameOf(target) ?? label ?? target}`;
        if (sign === '#') return `#${label ?? target}`;
        if (sign === '!') return label ?? `@${target}`;
        if (label === undefined || label === '' || target === `mailto:${label}`) return label || target;
        return `${label} (${target})`;
      },
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
