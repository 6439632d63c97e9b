import { withoutHalf } from '../../core/wording/whole-characters.js';
import type { JsonText } from './json-text.js';

/** A message of an exported conversation, with the members of `ingest_message`. */
export interface ChatMessage {
  readonly session_id: string;
  readonly message_id?: string;
  /** `user` where it is left out. */
  readonly role?: 'assistant';
  readonly speaker?: string;
  readonly text: string;
  /** ISO 8601. */
  readonly timestamp?: string;
  /** Of one with an assistant: what tells it from others of its title and minute, and finds it under a former title. Nothing that is sent. */
  readonly conversation?: Conversation;
}

/** A conversation with an assistant, as its export identifies it. */
export interface Conversation {
  /** Its own id, or that of its first message. */
  readonly id: string;
  /** Ids of its messages, also of those of other branches. */
  readonly messageIds: ReadonlySet<string>;
}

export interface ChatFile {
  readonly text: JsonText;
  /** Its name without extension. */
  readonly name: string;
  /** Name of the directory that it lies in. */
  readonly directory: string;
  /** Names of the people of a Slack export by their ids, as its `users.json` lists them; nothing where there is none. */
  readonly users: ReadonlyMap<string, string> | undefined;
}

/** Characters of a message, as `ingest_message` takes it. */
export const LONGEST_TEXT = 1_000_000;
/** Characters of a speaker's name, as `ingest_message` takes it. */
const LONGEST_NAME = 256;
/** Characters of a title in the id of a session. */
const LONGEST_TITLE = 200;

/** Returns the first of these names that says something. */
export function speakerOf(...names: readonly unknown[]): string {
  const name = names.map((one) => (typeof one === 'string' ? one.trim() : '')).find((one) => one !== '') ?? 'unknown';
  return withoutHalf(name.slice(0, LONGEST_NAME));
}

/** Returns the id of a session by the title of its conversation, and by its day or the minute when it began. */
export function sessionOf(title: string, when: string | undefined): string {
  const named = withoutHalf(title.trim().replace(/\s+/gu, ' ').slice(0, LONGEST_TITLE));
  return when === undefined ? named : `${named} ${when}`;
}

/** Numbers below are seconds: as milliseconds they would lie before 1973, when nobody wrote to a program that exports JSON. */
const FIRST_MILLISECONDS = 1e11;
/** The end of the year 9999: a later one is no time of ISO 8601 as `ingest_message` takes it. */
const LAST_INSTANT = Date.UTC(10_000, 0);

/** Returns the ISO time of seconds or milliseconds since 1970, or of a text that is a time; undefined for another value. */
export function timeOf(value: unknown): string | undefined {
  const number = typeof value === 'number' && value < FIRST_MILLISECONDS ? value * 1000 : value;
  const instant = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/u.test(value) ? Date.parse(value) : number;
  if (typeof instant !== 'number' || !(instant > 0 && instant < LAST_INSTANT)) return undefined;
  return new Date(instant).toISOString();
}
