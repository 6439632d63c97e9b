import { slicer } from '../../../core/async/slices.js';
import { SvcError } from '../../../core/errors.js';
import { readModelFile, sharedWordPiece } from '../model-files.js';
import type { EmbeddingModel, SpannedEmbedding, SpannedText, TokenTable } from '../port.js';
import { type Tokens, tokenRange } from '../wordpiece/tokens.js';
import { UNKNOWN } from '../wordpiece/wordpiece.js';
import { DIMENSION, type Table, type TokenBatch, vectorsOf } from './static-sums.js';
import { StaticThread } from './static-thread.js';
import { WordVectors } from './word-vectors.js';

/** About 12,000 words: what of a text counts. */
const MOST_TOKENS = 16_384;
/** Tokens of a batch; about 10 ms of a thread. */
const BATCH = 16_384;
/** Fewer are summed faster here than handed to the thread and back. */
const WORTH_A_THREAD = 2048;

/**
 * Opens the token table distilled from MiniLM, 256 dimensions: a text is the unit-length sum of its tokens' rows
 * (`models/README.md`). A text without tokens is the unknown token. Much text is summed in a worker thread. Throws
 * `unavailable` when its files are missing.
 */
export function openStatic(): EmbeddingModel & TokenTable {
  const wordpiece = sharedWordPiece();
  const table = sharedTable();
  const thread = new StaticThread(table);
  let vectors: WordVectors | undefined;

  const sum = (texts: readonly TokenisedText[], tokens: number): Promise<Float32Array> | Float32Array => {
    const batch = batchOf(texts, tokens);
    return tokens < WORTH_A_THREAD ? vectorsOf(table, batch) : thread.sum(batch);
  };
  const embedSpanned = async (texts: readonly SpannedText[], signal?: AbortSignal): Promise<SpannedEmbedding[]> => {
    const pause = slicer();
    const sums: Array<Promise<Float32Array> | Float32Array> = [];
    let open: TokenisedText[] = [];
    let tokens = 0;
    const hand = (): void => {
      const made = sum(open, tokens);
      // A failure is thrown below; an abandoned call gets none.
      if (made instanceof Promise) made.catch(() => {});
      sums.push(made);
      open = [];
      tokens = 0;
    };
    for (const text of texts) {
      const read = readText(text, wordpiece.encode(text.text, MOST_TOKENS));
      if (tokens + read.ids.length > BATCH && open.length > 0) hand();
      open.push(read);
      tokens += read.ids.length;
      await pause();
      signal?.throwIfAborted();
    }
    if (open.length > 0) hand();
    const made = vectorsIn(await Promise.all(sums));
    return texts.map(({ spans }) => ({ vector: made.next().value!, spans: spans.map(() => made.next().value!) }));
  };

  return {
    name: 'static',
    runsInProcess: true,
    dimension: DIMENSION,
    async embed(texts, signal) {
      const made = await embedSpanned(
        texts.map((text) => ({ text, spans: [] })),
        signal,
      );
      return made.map(({ vector }) => vector);
    },
    embedSpanned,
    cosines(words, to) {
      vectors ??= new WordVectors(table, wordpiece);
      return vectors.cosines(words, to);
    },
    health: async () => {},
    close: () => thread.close(),
  };
}

/** A text's tokens, and [from, to) of each span among them. */
interface TokenisedText {
  readonly ids: Int32Array;
  readonly ranges: ReadonlyArray<readonly [number, number]>;
}

function readText({ spans }: SpannedText, tokens: Tokens): TokenisedText {
  return { ids: tokens.ids, ranges: spans.map((span) => tokenRange(tokens, span)) };
}

function batchOf(texts: readonly TokenisedText[], tokens: number): TokenBatch {
  const ids = new Int32Array(tokens);
  const ends = new Int32Array(texts.length);
  let end = 0;
  texts.forEach((text, i) => {
    ids.set(text.ids, end);
    end += text.ids.length;
    ends[i] = end;
  });
  return {
    ids,
    ends,
    counts: Int32Array.from(texts, ({ ranges }) => ranges.length),
    ranges: Int32Array.from(texts.flatMap(({ ranges }) => ranges.flat())),
  };
}

function* vectorsIn(sums: readonly Float32Array[]): Generator<Float32Array, undefined> {
  for (const all of sums) {
    for (let at = 0; at < all.length; at += DIMENSION) yield all.subarray(at, at + DIMENSION);
  }
}

let known: Table | undefined;

/** Returns the table that all models of the process share: eight megabytes. */
function sharedTable(): Table {
  known ??= readTable();
  return known;
}

function readTable(): Table {
  const rows = readModelFile('static/table.i8.bin');
  const scales = readModelFile('static/scales.f32.bin');
  if (rows.length !== (scales.length / 4) * DIMENSION) {
    throw new SvcError('unavailable', 'The files in models/static do not fit each other; restore them.');
  }
  const table = {
    rows: new Int8Array(new SharedArrayBuffer(rows.length)),
    scales: new Float32Array(new SharedArrayBuffer(scales.length)),
  };
  table.rows.set(new Int8Array(rows.buffer, rows.byteOffset, rows.length));
  for (let i = 0; i < table.scales.length; i += 1) table.scales[i] = scales.readFloatLE(4 * i);
  const unknown = batchOf([{ ids: Int32Array.of(UNKNOWN), ranges: [] }], 1);
  return { ...table, unknown: vectorsOf({ ...table, unknown: new Float32Array(DIMENSION) }, unknown) };
}
