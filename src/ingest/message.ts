import { SvcError } from '../core/errors.js';
import { contentHash, passageId } from '../core/ids.js';
import type { Manifest, MessageFields, Passage } from '../core/model.js';
import { splitSentences } from '../core/text/sentences.js';
import { chunkSection } from './extract/chunk-section.js';
import { type Block, inPieces } from './parse/parts.js';
import { textParts } from './parse/plain-text.js';
import { cleanText } from './read/clean.js';
import { sessionSource } from './sources.js';
import { isLonger } from './structured-checks.js';

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

/**
 * Returns what one message adds to its session: a passage (several for a long message) whose text is the message without
 * speaker and date; these are fields beside it. `turn` is its 0-based place, given by `takeTurn`. Throws `invalid_input`
 * for an empty text or a timestamp that is no date.
 */
export function messageManifest(input: MessageInput, turn: number): Manifest {
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
  const source = messageSource(input);
  return {
    domain: input.domain,
    source,
    content_hash: contentHash(JSON.stringify([turn, messageIdentity(input) ?? '', input.role, text])),
    concepts: [],
    edges: [],
    rules: [],
    passages: messageTexts(text).map(
      (piece, i): Passage => ({
        id: pieceId(input, turn, i),
        title: '',
        text: piece,
        sentences: splitSentences(piece),
        about: [],
        order: turn * PIECES_PER_TURN + i,
        message: fieldsOf(input, turn),
      }),
    ),
    warnings: [],
    append: true,
  };
}

/** Returns the id of the piece `i` (0-based) of the message at a turn. */
export function pieceId(input: Pick<MessageInput, 'domain' | 'session_id'>, turn: number, i: number): string {
  return passageId(messageSource(input), `turn ${turn}`, i);
}

function fieldsOf(input: MessageInput, turn: number): MessageFields {
  return {
    session_id: input.session_id,
    ...(input.message_id === undefined ? {} : { message_id: input.message_id }),
    role: input.role,
    ...(input.speaker === undefined ? {} : { speaker: input.speaker }),
    ...(input.timestamp === undefined ? {} : { timestamp: input.timestamp }),
    turn,
  };
}

/** Divides a message into texts of passages. A message has no headings: a part that looks like one is text. */
function messageTexts(text: string): string[] {
  const blocks: Block[] = [];
  for (const part of inPieces(textParts(text))) {
    blocks.push(part.kind === 'heading' ? { kind: 'prose', text: part.text } : part);
  }
  return chunkSection({ blocks });
}
