import { join } from 'node:path';
import { mapInSlices } from '../../../core/async/slices.js';
import { modelsDirectory, sharedWordPiece } from '../model-files.js';
import type { EmbeddingModel, SpannedEmbedding, SpannedText } from '../port.js';
import { type Tokens, tokenRange } from '../wordpiece/tokens.js';
import { CLASSIFY, SEPARATE } from '../wordpiece/wordpiece.js';
import { type RankingCheck, rankedOtherwise, readRankingCheck } from './minilm-check.js';
import { type EncodeOptions, MinilmPool, type PoolText } from './minilm-pool.js';

const DIMENSION = 384;
/** The model's 512 positions without its two special tokens; what lies beyond does not count. */
const MOST_TOKENS = 510;
/** A call of `embed` up to this size is taken for a question and overtakes bulk work. */
const URGENT_TEXTS = 64;
const NO_RANGES = new Int32Array(0);

export interface MinilmOptions {
  /** Receives one sentence when this machine's vectors rank passages otherwise than where the model was measured. */
  readonly log?: (message: string) => void;
  readonly threads?: number;
}

/**
 * Opens all-MiniLM-L6-v2 in int8, 384 dimensions, on worker threads. Nothing is loaded before the first text or
 * `health()`. A sentence's vector is the mean of its tokens' last hidden states within its text; sentences beyond the
 * 512th token are encoded on their own. Throws `unavailable` when onnxruntime-node is absent or cannot be loaded.
 */
export function openMinilm(options: MinilmOptions = {}): EmbeddingModel {
  const pool = new MinilmPool({
    modelFile: join(modelsDirectory(), 'minilm', 'model_int8.onnx'),
    dimension: DIMENSION,
    ...(options.threads === undefined ? {} : { threads: options.threads }),
  });
  let checked: Promise<void> | undefined;

  const tokenise = (text: string, limit: number) => sharedWordPiece().encode(text, limit);
  const whole = (text: string): PoolText => ({ ids: withSpecials(tokenise(text, MOST_TOKENS).ids), ranges: NO_RANGES });
  const encodeAll = async (
    texts: readonly string[],
    options: Omit<EncodeOptions, 'urgent'> = {},
  ): Promise<Float32Array[]> => {
    const jobs = await mapInSlices(texts, whole);
    return pool.encode(jobs, { ...options, urgent: texts.length <= URGENT_TEXTS });
  };
  const check = async (recorded: RankingCheck): Promise<void> => {
    const other = await rankedOtherwise(recorded, (texts) => encodeAll(texts, { grows: false }));
    if (other.length === 0) return;
    options.log?.(
      `MiniLM's vectors on this processor rank passages otherwise for ${other.length} of ` +
        `${recorded.questions.length} check questions; answers may be less exact.`,
    );
  };
  const loaded = async (): Promise<void> => {
    await pool.start();
    checked ??= check(readRankingCheck());
    await checked.catch((error: unknown) => {
      checked = undefined;
      throw error;
    });
  };

  return {
    name: 'minilm',
    dimension: DIMENSION,
    async embed(texts, signal) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      await loaded();
      return encodeAll(texts, { signal });
    },
    async embedSpanned(texts, signal) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      await loaded();
      const split = await mapInSlices(texts, (text) => splitAtLimit(text, tokenise(text.text, MOST_TOKENS + 1)));
      const jobs = split.map((one) => one.job);
      const beyond = split.flatMap((one, i) => one.beyond.map((span) => whole(texts[i]!.text.slice(...span))));
      const vectors = await pool.encode([...jobs, ...beyond], { urgent: false, signal });
      let next = jobs.length;
      return split.map((one, i) => assemble(one, vectors[i]!, () => vectors[next++]!));
    },
    idle: () => pool.idle(),
    health: loaded,
    close: () => pool.close(),
  };
}

interface Split {
  readonly job: PoolText;
  /** For each span: true where it is averaged within the text. */
  readonly pooled: readonly boolean[];
  /** Spans to be encoded on their own. */
  readonly beyond: ReadonlyArray<readonly [number, number]>;
}

/** Splits the spans into those within the tokens that the model sees, and the others (also those without any token). */
function splitAtLimit({ spans }: SpannedText, tokens: Tokens): Split {
  const end = tokens.ids.length > MOST_TOKENS ? tokens.starts[MOST_TOKENS]! : Number.POSITIVE_INFINITY;
  const ranges: number[] = [];
  const beyond: Array<readonly [number, number]> = [];
  const pooled = spans.map((span) => {
    const [from, to] = tokenRange(tokens, span);
    const inside = from < to && span[1] <= end;
    if (inside) ranges.push(from + 1, to + 1);
    else beyond.push(span);
    return inside;
  });
  const ids = withSpecials(tokens.ids.subarray(0, MOST_TOKENS));
  return { job: { ids, ranges: Int32Array.from(ranges) }, pooled, beyond };
}

function assemble(split: Split, vectors: Float32Array, nextBeyond: () => Float32Array): SpannedEmbedding {
  let at = DIMENSION;
  const spans = split.pooled.map((inside) => {
    if (!inside) return nextBeyond();
    at += DIMENSION;
    return vectors.slice(at - DIMENSION, at);
  });
  return { vector: vectors.slice(0, DIMENSION), spans };
}

function withSpecials(ids: Int32Array): Int32Array {
  const all = new Int32Array(ids.length + 2);
  all[0] = CLASSIFY;
  all.set(ids, 1);
  all[ids.length + 1] = SEPARATE;
  return all;
}
