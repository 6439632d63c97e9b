import { cleanText } from '../../../../core/text/clean.js';
import { counted } from '../../../../core/wording/counted.js';
import type { Connection } from '../../../connection.js';
import { shortened, yellow } from '../../../output/output.js';
import { visible } from '../../../output/visible.js';

/** A message as it is sent to the service. */
export type Message = Record<string, unknown> & { readonly session_id: string };

/** What a session holds that the files that were read do not: messages are added to a session, none is taken away. */
export interface AbsentMessages {
  readonly session_id: string;
  readonly domain: string;
  readonly source_id: string;
  readonly messages: number;
  /** The first of them. */
  readonly first: ReadonlyArray<{ readonly node_id: string; readonly text: string }>;
}

/** A session of which files were read. */
export interface ReadSession {
  readonly domain: string;
  readonly session_id: string;
  readonly source_id: string;
  readonly messages: readonly Message[];
}

interface Piece {
  readonly node_id: string;
  readonly text: string;
  readonly turn: number;
  readonly speaker?: string | null;
  readonly timestamp?: string | null;
  readonly message_id?: string | null;
}

const PAGE = 1000;
/** Messages that are named. */
const NAMED = 3;
const LONGEST = 80;
/** Sessions that are named. */
const SESSIONS = 5;

/**
 * Returns the messages of these sessions that the files do not hold: edited or deleted since they were read before, read from another file, or
 * sent otherwise. `chunks`: the pieces that the messages of the files are; undefined where it is not known. A session that holds
 * no more is not read: an export that has grown stays cheap.
 */
export async function absentMessages(
  connection: Connection,
  sessions: readonly ReadSession[],
  chunks: number | undefined,
): Promise<AbsentMessages[]> {
  const totals: number[] = [];
  for (const session of sessions) totals.push((await piecesOf(connection, session, { limit: 1, offset: 0 })).total);
  if (chunks !== undefined && totals.reduce((sum, total) => sum + total, 0) === chunks) return [];
  const absent: AbsentMessages[] = [];
  for (const [i, session] of sessions.entries()) {
    const { domain, session_id, source_id } = session;
    const left = await absentOf(connection, session, totals[i]!);
    const first = left.slice(0, NAMED).map(({ node_id, text }) => ({ node_id, text }));
    if (left.length > 0) absent.push({ session_id, domain, source_id, messages: left.length, first });
  }
  return absent;
}

/** Returns the first pieces of the messages of a session that the files do not hold. */
async function absentOf(connection: Connection, session: ReadSession, total: number): Promise<Piece[]> {
  const { ids, starts } = written(session.messages);
  const left: Piece[] = [];
  let turn = -1;
  for (let offset = 0; offset < total; offset += PAGE) {
    for (const piece of (await piecesOf(connection, session, { limit: PAGE, offset })).messages) {
      if (piece.turn === turn) continue;
      turn = piece.turn;
      if (!holds({ ids, starts }, piece)) left.push(piece);
    }
  }
  return left;
}

/** Returns whether a session holds one of these messages; `byText`: also with another id, which depends on the domain that was named. */
export async function holdsAny(
  connection: Connection,
  session: Pick<ReadSession, 'session_id' | 'domain' | 'messages'>,
  { byText }: { readonly byText: boolean },
): Promise<boolean> {
  const known = written(session.messages);
  const texts = byText ? written(session.messages.map((one) => ({ ...one, message_id: null }))) : known;
  for (let [offset, total] = [0, 1]; offset < total; offset += PAGE) {
    const page = await piecesOf(connection, session, { limit: PAGE, offset });
    total = page.total;
    const isHeld = (piece: Piece): boolean =>
      holds(known, piece) || (byText && holds(texts, { ...piece, message_id: null }));
    if (page.messages.some(isHeld)) return true;
  }
  return false;
}

function holds({ ids, starts }: ReturnType<typeof written>, piece: Piece): boolean {
  if (piece.message_id != null) return ids.has(piece.message_id);
  return starts.get(whenAndWho(piece))?.some((text) => text.startsWith(bare(piece.text))) === true;
}

function piecesOf(
  connection: Connection,
  { session_id, domain }: Pick<ReadSession, 'session_id' | 'domain'>,
  page: { limit: number; offset: number },
) {
  const answer = connection.call('session_messages', { session_id, domain, ...page });
  return answer as Promise<{ readonly messages: readonly Piece[]; readonly total: number }>;
}

/** Returns what distinguishes the messages of files: their ids, else their texts by when and by whom they were said. */
function written(messages: readonly Message[]) {
  const ids = new Set<unknown>();
  const starts = new Map<string, string[]>();
  for (const message of messages) {
    if (message.message_id != null) {
      ids.add(message.message_id);
      continue;
    }
    const key = whenAndWho(message);
    const texts = starts.get(key) ?? [];
    texts.push(bare(cleanText(String(message.text))));
    starts.set(key, texts);
  }
  return { ids, starts };
}

function whenAndWho({ timestamp, speaker }: Pick<Piece, 'timestamp' | 'speaker'> | Message): string {
  return JSON.stringify([timestamp ?? null, speaker ?? null]);
}

/** A long message is stored in pieces, whose white space may differ. */
function bare(text: string): string {
  return text.replace(/\s+/gu, '');
}

/** Says which messages stay known that the files do not hold, and how to forget them; of many sessions the first. */
export function absentLines(absent: readonly AbsentMessages[]): string[] {
  const more = absent.length - SESSIONS;
  const rest = more > 0 ? [`     ${counted(more, 'more session')} with such messages; --json lists them.`] : [];
  return [...absent.slice(0, SESSIONS).map(sessionLines), ...rest];
}

function sessionLines({ session_id, domain, source_id, messages, first }: AbsentMessages): string {
  const [are, them] = messages === 1 ? ['is', 'it'] : ['are', 'them'];
  const more = messages > first.length ? ` and ${messages - first.length} more` : '';
  const texts = first.map(({ text }) => JSON.stringify(shortened(text, LONGEST))).join(', ');
  const input = JSON.stringify({ session_id, domain, node_id: first[0]!.node_id }).replaceAll("'", '\\u0027');
  const one = `svc call forget_message --input '${visible(input)}'`;
  const each = messages === 1 ? one : `${one}, and so each by its node_id, which svc call session_messages tells`;
  // Nothing tells which file a message came from.
  const all = `svc forget --source ${source_id}, then the same command again`;
  return [
    `${yellow('note')} ${counted(messages, 'message')} of session ${visible(session_id)} ${are} not in what was read now and ${are} still known: messages are added, none is replaced or removed.`,
    `     ${texts}${more}`,
    `     Keep ${them} where another file brought ${them}. To forget ${them}: ${each}.`,
    `     Only if nothing else was ever read into this session, all of it: ${all}. Messages of other files would be lost with it.`,
  ].join('\n');
}
