import { withoutHalf } from '../../core/wording/whole-characters.js';
import type { JsonText } from './json-text.js';

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
  readonly text: JsonText;
  /** Its name without extension. */
  readonly name: string;
  /** Name of the directory that it lies in. */
  readonly directory: string;
  /** Names of the people of a Slack export by their ids, as its `users.json` lists them; nothing where there is none. */
  readonly users: ReadonlyMap<string, string> | undefined;
}

/** Characters of a speaker's name, as `ingest_message` takes it. */
const LONGEST_NAME = 256;

/** Returns the first of these names that says something. */
export function speakerOf(...names: readonly unknown[]): string {
  const name = names.map((one) => (typeof one === 'string' ? one.trim() : '')).find((one) => one !== '') ?? 'unknown';
  return withoutHalf(name.slice(0, LONGEST_NAME));
}
