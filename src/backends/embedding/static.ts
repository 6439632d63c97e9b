import { SvcError } from '../../core/errors.js';
import { slicer } from '../../core/slices.js';
import { readModelFile, readVocabulary } from './model-files.js';
import type { EmbeddingModel, SpannedEmbedding, SpannedText } from './port.js';
import { type Tokens, tokenRange } from './tokens.js';
import { UNKNOWN, WordPiece } from './wordpiece.js';

const DIMENSION = 256;
/** About 12,000 words: what of a text counts. Keeps one text under 20 ms of the event loop. */
const MOST_TOKENS = 16_384;

/**
 * The token table distilled from MiniLM, 256 dimensions: a text is the unit-length sum of its tokens' rows
 * (`models/README.md`). A text without tokens is the unknown token. Throws `unavailable` when its files are missing.
 */
export function openStatic(): EmbeddingModel {
  const wordpiece = new WordPiece(readVocabulary());
  const table = readTable();

  const unknown = unit(sumRows(table, Int32Array.of(UNKNOWN)))!;
  const vectorOf = (total: Float64Array): Float32Array => unit(total) ?? unknown.slice();
  const sum = (tokens: Tokens, from: number, to: number): Float64Array => sumRows(table, tokens.ids.subarray(from, to));

  return {
    name: 'static',
    cheap: true,
    dimension: DIMENSION,
    async embed(texts, signal) {
      const pause = slicer();
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        const tokens = wordpiece.encode(text, MOST_TOKENS);
        vectors.push(vectorOf(sum(tokens, 0, tokens.ids.length)));
        await pause();
        signal?.throwIfAborted();
      }
      return vectors;
    },
    async embedSpanned(texts: readonly SpannedText[], signal) {
      const pause = slicer();
      const embeddings: SpannedEmbedding[] = [];
      for (const { text, spans } of texts) {
        const tokens = wordpiece.encode(text, MOST_TOKENS);
        // Every token counts in the whole and in its span: what spans in order have summed is not summed again.
        const whole = new Float64Array(DIMENSION);
        let done = 0;
        const parts = spans.map((span) => {
          const [from, to] = tokenRange(tokens, span);
          const part = sum(tokens, from, to);
          if (from < done) return part;
          if (from > done) addTo(whole, sum(tokens, done, from));
          addTo(whole, part);
          done = Math.max(done, to);
          return part;
        });
        if (done < tokens.ids.length) addTo(whole, sum(tokens, done, tokens.ids.length));
        embeddings.push({ vector: vectorOf(whole), spans: parts.map(vectorOf) });
        await pause();
        signal?.throwIfAborted();
      }
      return embeddings;
    },
    health: async () => {},
    close: async () => {},
  };
}

interface Table {
  /** Row-major int8, one row a vocabulary id. */
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

function readTable(): Table {
  const rows = readModelFile('static/table.i8.bin');
  const scales = readModelFile('static/scales.f32.bin');
  if (rows.length !== (scales.length / 4) * DIMENSION) {
    throw new SvcError('unavailable', 'The files in models/static do not fit each other; restore them.');
  }
  return {
    rows: new Int8Array(rows.buffer, rows.byteOffset, rows.length),
    scales: Float32Array.from({ length: scales.length / 4 }, (_, i) => scales.readFloatLE(4 * i)),
  };
}

/** Σ scale[id] · rows[id]. Eight dimensions at a time stay in registers while the ids pass by. */
function sumRows({ rows, scales }: Table, ids: Int32Array): Float64Array {
  const total = new Float64Array(DIMENSION);
  for (let d = 0; d < DIMENSION; d += 8) {
    let a = 0;
    let b = 0;
    let c = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    let i = 0;
    for (let t = 0; t < ids.length; t += 1) {
      const id = ids[t]!;
      const scale = scales[id]!;
      const at = id * DIMENSION + d;
      a += scale * rows[at]!;
      b += scale * rows[at + 1]!;
      c += scale * rows[at + 2]!;
      e += scale * rows[at + 3]!;
      f += scale * rows[at + 4]!;
      g += scale * rows[at + 5]!;
      h += scale * rows[at + 6]!;
      i += scale * rows[at + 7]!;
    }
    total[d] = a;
    total[d + 1] = b;
    total[d + 2] = c;
    total[d + 3] = e;
    total[d + 4] = f;
    total[d + 5] = g;
    total[d + 6] = h;
    total[d + 7] = i;
  }
  return total;
}

function addTo(total: Float64Array, part: Float64Array): void {
  for (let d = 0; d < total.length; d += 1) total[d] = total[d]! + part[d]!;
}

/** The vector at unit length; undefined when it has no direction. */
function unit(vector: Float64Array): Float32Array | undefined {
  let squares = 0;
  for (let i = 0; i < vector.length; i += 1) squares += vector[i]! * vector[i]!;
  if (squares === 0) return undefined;
  const factor = 1 / Math.sqrt(squares);
  const result = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i += 1) result[i] = vector[i]! * factor;
  return result;
}
