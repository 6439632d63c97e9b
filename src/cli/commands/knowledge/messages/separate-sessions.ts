import { resolve, sep } from 'node:path';
import { groupBy } from '../../../../core/group-by.js';
import { withoutHalf } from '../../../../core/wording/whole-characters.js';
import type { Connection } from '../../../connection.js';
import type { Document } from '../named-documents.js';
import { holdsAny } from './absent-messages.js';
import type { Conversations } from './conversations.js';
import { nameOf } from './file-messages.js';

/** Directories above a file by which its session may be called, and characters of them. */
const DEEPEST = 8;
const LONGEST = 200;

/**
 * Gives files of one name in several directories a session each, called by where they lie: `a/chat` and `b/chat`. One that was read into the session of its name before
 * stays there, and one that has a session of its place keeps that from wherever it is read. `sessions`: those that may hold its messages.
 */
export async function separateSessions(
  connection: Connection,
  files: readonly Conversations[],
  sessions: readonly Document[],
): Promise<Conversations[]> {
  const known = groupBy(sessions, ({ label }) => label);
  const separate: Conversations[] = [];
  for (const file of files) {
    const place = await placeOf(connection, file, known);
    separate.push(place === undefined ? file : renamed(file, place));
  }
  return separate;
}

type Known = ReadonlyMap<string, readonly Document[]>;

/** Returns what the session of a file is called by where it lies; undefined where it has the name of the file. */
async function placeOf(connection: Connection, file: Conversations, known: Known): Promise<string | undefined> {
  for (const place of placesOf(file.path)) if (await isHeld(connection, file, { place, known })) return place;
  if (file.place === undefined || (await isHeld(connection, file, { place: nameOf(file.path), known })))
    return undefined;
  return withoutHalf(file.place.slice(-LONGEST));
}

/** Returns what the session of a file may be called by where it lies, the shortest first. */
function placesOf(path: string): string[] {
  const directories = resolve(path).split(sep).slice(0, -1);
  return Array.from({ length: Math.min(DEEPEST, directories.length) }, (_, i) =>
    withoutHalf([...directories.slice(-i - 1), nameOf(path)].join('/').slice(-LONGEST)),
  );
}

function renamed(file: Conversations, place: string): Conversations {
  const { length } = nameOf(file.path);
  const messages = file.messages.map((message, i) =>
    file.isOfFile[i] === true ? { ...message, session_id: place + message.session_id.slice(length) } : message,
  );
  return { ...file, messages };
}

/** Returns whether a session of a file, as it is called by a place or its name, holds messages of the file. */
async function isHeld(
  connection: Connection,
  { path, messages, isOfFile }: Conversations,
  { place, known }: { readonly place: string; readonly known: Known },
): Promise<boolean> {
  const { length } = nameOf(path);
  // Two files of one name may hold the same words; a session of a place is of the file that lies there.
  const byText = place !== nameOf(path);
  const own = groupBy(
    messages.filter((_, i) => isOfFile[i]),
    ({ session_id }) => place + session_id.slice(length),
  );
  for (const [session_id, said] of own)
    for (const { domain } of known.get(session_id) ?? [])
      if (await holdsAny(connection, { session_id, domain, messages: said }, { byText })) return true;
  return false;
}
