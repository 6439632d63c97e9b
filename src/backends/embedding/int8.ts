const SCALE_BYTES = 4;
const QUERY_SCALE = 2 ** 15;

/**
 * Returns unit vectors of one length as a blob: for each a little-endian float32 scale and its int8 components. The
 * scale makes scale · components a unit vector again, so cosines suffer only from the change of direction (under 0.01).
 */
export function packSentences(vectors: readonly Float32Array[]): Uint8Array {
  const dimension = vectors[0]?.length ?? 0;
  const stride = dimension + SCALE_BYTES;
  const blob = new Uint8Array(vectors.length * stride);
  const view = new DataView(blob.buffer);
  vectors.forEach((vector, v) => {
    let largest = 0;
    for (let d = 0; d < dimension; d += 1) largest = Math.max(largest, Math.abs(vector[d]!));
    const factor = largest === 0 ? 0 : 127 / largest;
    let squares = 0;
    for (let d = 0; d < dimension; d += 1) {
      const component = Math.round(vector[d]! * factor);
      squares += component * component;
      view.setInt8(v * stride + SCALE_BYTES + d, component);
    }
    view.setFloat32(v * stride, squares === 0 ? 0 : 1 / Math.sqrt(squares), true);
  });
  return blob;
}

/** Returns the packed vectors, at unit length. */
export function unpackSentences(blob: Uint8Array, dimension: number): Float32Array[] {
  const rows = rowsOf(blob, dimension);
  return Array.from({ length: rows.count }, (_, v) => unpacked(rows, v, dimension));
}

/** Returns the packed vector at a place, at unit length. */
export function unpackSentence(blob: Uint8Array, place: number, dimension: number): Float32Array {
  return unpacked(rowsOf(blob, dimension), place, dimension);
}

function unpacked(rows: ReturnType<typeof rowsOf>, v: number, dimension: number): Float32Array {
  const scale = rows.scale(v);
  const vector = new Float32Array(dimension);
  const at = rows.start(v);
  for (let d = 0; d < dimension; d += 1) vector[d] = scale * rows.components[at + d]!;
  return vector;
}

/**
 * A unit-length question that is compared with many blobs of packed vectors. Integers all the way: twice as fast as
 * converting each component to a float. The products of unit vectors at these scales stay under 127 · √dimension · 2^15,
 * far from 2^31; the question's rounding costs under 0.0001.
 */
export class SentenceQuery {
  private readonly whole: Int32Array;

  constructor(vector: Float32Array) {
    this.whole = new Int32Array(vector.length);
    for (let d = 0; d < vector.length; d += 1) this.whole[d] = Math.round(vector[d]! * QUERY_SCALE);
  }

  /** Returns the cosine with each packed vector, in order. A blob of another dimension gives none. */
  scores(blob: Uint8Array): Float32Array {
    const rows = rowsOf(blob, this.whole.length);
    const scores = new Float32Array(rows.count);
    for (let v = 0; v < rows.count; v += 1) scores[v] = this.cosine(rows, v);
    return scores;
  }

  /** Returns the best of `scores`; undefined where there are none. */
  best(blob: Uint8Array): number | undefined {
    const rows = rowsOf(blob, this.whole.length);
    let best: number | undefined;
    for (let v = 0; v < rows.count; v += 1) {
      const score = Math.fround(this.cosine(rows, v));
      if (best === undefined || score > best) best = score;
    }
    return best;
  }

  private cosine(rows: ReturnType<typeof rowsOf>, v: number): number {
    return (rows.scale(v) * dot(rows.components, rows.start(v), this.whole)) / QUERY_SCALE;
  }
}

function dot(components: Int8Array, at: number, query: Int32Array): number {
  const even = query.length - (query.length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let e = 0;
  let d = 0;
  for (; d < even; d += 4) {
    a = (a + Math.imul(components[at + d]!, query[d]!)) | 0;
    b = (b + Math.imul(components[at + d + 1]!, query[d + 1]!)) | 0;
    c = (c + Math.imul(components[at + d + 2]!, query[d + 2]!)) | 0;
    e = (e + Math.imul(components[at + d + 3]!, query[d + 3]!)) | 0;
  }
  for (; d < query.length; d += 1) a = (a + Math.imul(components[at + d]!, query[d]!)) | 0;
  return a + b + c + e;
}

function rowsOf(blob: Uint8Array, dimension: number) {
  const stride = dimension + SCALE_BYTES;
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  return {
    count: blob.length % stride === 0 ? blob.length / stride : 0,
    components: new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength),
    start: (v: number) => v * stride + SCALE_BYTES,
    scale: (v: number) => view.getFloat32(v * stride, true),
  };
}
