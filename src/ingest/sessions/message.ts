import { slicer } from '../../core/async/slices.js';
import { SvcError } from '../../core/errors.js';
import { contentHash, passageId } from '../../core/ids.js';
import type { Manifest, MessageFields, Passage } from '../../core/model.js';
import { cleanText } from '../../core/text/clean.js';
import { splitSentences } from '../../core/text/sentences.js';
import { chunkSection } from '../extract/chunk-section.js';
import { type Part, sections } from '../parse/parts.js';
import { textParts } from '../parse/plain-text.js';
import { sessionSource } from '../sources.js';
import { isLonger } from '../structured-checks.js';

export interface MessageInput {
  readonly domain: string;
  readonly text: string;
  readonly session_id: string;
  readonly role: string;
  readonly speaker?: string | undefined;
  /** ISO 8601. */
  readonly timestamp?: string | undefined;
  readonly message_id?: string | undefined;
}

/** Longest message, in characters. */
const LONGEST = 1_000_000;
/** Distance of the orders of two turns: a long message has at most this many pieces. */
const PIECES_PER_TURN = 1000;

/**
 * Returns the identity of a message in its session: its id; else its speaker, time and text where it has a time; else
 * `undefined`, and each call appends.
 */
export function messageIdentity(input: MessageInput): string | undefined {
  if (input.message_id !== undefined) return `id:${input.message_id}`;
  if (input.timestamp === undefined) return undefined;
  return `at:${contentHash(JSON.stringify([input.speaker ?? '', input.timestamp, input.text]))}`;
}

/** Returns the source that a message belongs to. */
export const messageSource = (input: Pick<MessageInput, 'domain' | 'session_id'>) =>
  sessionSource(input.domain, input.session_id);

/** A message whose text is divided into the pieces that become passages. */
export interface ReadMessage {
  readonly input: MessageInput;
  /** The cleaned text. */
  readonly text: string;
  readonly pieces: ReadonlyArray<Pick<Passage, 'text' | 'sentences'>>;
}

/**
 * Checks a message and divides its text; gives way to the event loop. Throws `invalid_input` for an empty or very long
 * text, or a timestamp that is no date.
 */
export async function readMessage(input: MessageInput): Promise<ReadMessage> {
  if (isLonger(input.text, LONGEST)) {
    throw new SvcError(
      'invalid_input',
      `text has ${input.text.length} characters; a message has at most ${LONGEST}. Ingest it as a text instead.`,
      { member: 'text' },
    );
  }
  const text = cleanText(input.text);
  if (!/\S/u.test(text)) {
    throw new SvcError('invalid_input', 'text is empty; give the words of the message.', { member: 'text' });
  }
  if (input.timestamp !== undefined && Number.isNaN(Date.parse(input.timestamp))) {
    throw new SvcError('invalid_input', 'timestamp is no date; give it as in 2026-03-01T12:30:00Z.', {
      member: 'timestamp',
    });
  }
  return { input, text, pieces: await piecesOf(text) };
}

/**
 * Returns what one message adds to its session: a passage (several for a long message) whose text is the message without
 * speaker and date; these are fields beside it. `turn` is its 0-based place, given by `takeTurns`.
 */
export function messageManifest(read: ReadMessage, turn: number): Manifest {
  return messagesManifest([{ read, turn }]);
}

/** Returns what different messages of one session add to it. */
export function messagesManifest(
  messages: ReadonlyArray<{ readonly read: ReadMessage; readonly turn: number }>,
): Manifest {
  const { input } = messages[0]!.read;
  const hashes = messages.map(({ read, turn }) =>
    contentHash(JSON.stringify([turn, messageIdentity(read.input) ?? '', read.input.role, read.text])),
  );
  return {
    domain: input.domain,
    source: messageSource(input),
    content_hash: hashes.length === 1 ? hashes[0]! : contentHash(hashes.join('\n')),
    concepts: [],
    edges: [],
    rules: [],
    passages: messages.flatMap(({ read, turn }) => passagesOf(read, turn)),
    warnings: [],
    append: true,
  };
}

function passagesOf({ input, pieces }: ReadMessage, turn: number): Passage[] {
  return pieces.map((piece, i) => ({
    id: pieceId(input, turn, i),
    title: '',
    ...piece,
    about: [],
    order: turn * PIECES_PER_TURN + i,
    message: fieldsOf(input, turn),
  }));
}

/** Returns the id of the piece `i` (0-based) of the message at a turn. */
export function pieceId(input: Pick<MessageInput, 'domain' | 'session_id'>, turn: number, i: number): string {
  return passageId(messageSource(input), `turn ${turn}`, i);
}

/** Returns what a passage knows of the message that it is of. */
export function fieldsOf(input: MessageInput, turn: number): MessageFields {
  return {
    session_id: input.session_id,
    ...(input.message_id === undefined ? {} : { message_id: input.message_id }),
    role: input.role,
    ...(input.speaker === undefined ? {} : { speaker: input.speaker }),
    ...(input.timestamp === undefined ? {} : { timestamp: input.timestamp }),
    turn,
  };
}

/** Divides a message into the texts of passages. */
async function piecesOf(text: string): Promise<ReadMessage['pieces']> {
  const pause = slicer();
  const pieces: Array<Pick<Passage, 'text' | 'sentences'>> = [];
  for await (const section of sections(asProse(textParts(text, { isOneText: true })))) {
    for (const piece of chunkSection(section)) {
      pieces.push({ text: piece, sentences: splitSentences(piece) });
      await pause();
    }
  }
  return pieces;
}

/** Yields the parts; a message has no headings: what looks like one is text. */
function* asProse(parts: Iterable<Part>): Generator<Part> {
  for (const part of parts) yield part.kind === 'heading' ? { kind: 'prose', text: part.text } : part;
}
