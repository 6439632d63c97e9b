// The arithmetic of the static model. Plain JavaScript, so that the worker thread runs the same file from the source tree
// and from the build.

export const DIMENSION = 256;

/**
 * The token table.
 * @typedef {object} Table
 * @property {Int8Array} rows Row-major, one row of 256 values per vocabulary id.
 * @property {Float32Array} scales One per row.
 * @property {Float32Array} unknown Unit vector of a text without any token.
 */

/**
 * Tokenised texts, one after the other.
 * @typedef {object} TokenBatch
 * @property {Int32Array} ids Tokens of all texts.
 * @property {Int32Array} ends Per text: where its tokens end in `ids`.
 * @property {Int32Array} counts Per text: how many ranges it has.
 * @property {Int32Array} ranges [from, to) of every range, counted from the first token of its text.
 */

/**
 * Unit vectors, one after the other: of each text, then of its ranges.
 * @param {Table} table
 * @param {TokenBatch} batch
 * @returns {Float32Array}
 */
export function vectorsOf(table, { ids, ends, counts, ranges }) {
  const vectors = new Float32Array((ends.length + ranges.length / 2) * DIMENSION);
  const whole = new Float64Array(DIMENSION);
  const part = new Float64Array(DIMENSION);
  let out = 0;
  let start = 0;
  let range = 0;
  for (let text = 0; text < ends.length; text += 1) {
    const length = ends[text] - start;
    const at = out;
    out += DIMENSION;
    whole.fill(0);
    // Every token counts in the whole and in its range: what ranges in order have summed is not summed again.
    let done = 0;
    for (const last = range + 2 * counts[text]; range < last; range += 2) {
      const from = ranges[range];
      const to = ranges[range + 1];
      if (from > done) addRows(table, ids, { from: start + done, to: start + from, total: part, whole });
      addRows(table, ids, { from: start + from, to: start + to, total: part, whole: from < done ? null : whole });
      if (from >= done) done = Math.max(done, to);
      writeUnit(table, part, { vectors, at: out });
      out += DIMENSION;
    }
    if (done < length) addRows(table, ids, { from: start + done, to: start + length, total: part, whole });
    writeUnit(table, whole, { vectors, at });
    start = ends[text];
  }
  return vectors;
}

/**
 * Sums scaled rows, total = Σ scale[id] · rows[id], and adds the total to `whole` where there is one. Eight dimensions
 * at a time stay in registers.
 */
function addRows({ rows, scales }, ids, { from, to, total, whole }) {
  for (let d = 0; d < DIMENSION; d += 8) {
    let a = 0;
    let b = 0;
    let c = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    let i = 0;
    for (let t = from; t < to; t += 1) {
      const id = ids[t];
      const scale = scales[id];
      const at = id * DIMENSION + d;
      a += scale * rows[at];
      b += scale * rows[at + 1];
      c += scale * rows[at + 2];
      e += scale * rows[at + 3];
      f += scale * rows[at + 4];
      g += scale * rows[at + 5];
      h += scale * rows[at + 6];
      i += scale * rows[at + 7];
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
  if (whole === null) return;
  for (let d = 0; d < DIMENSION; d += 1) whole[d] += total[d];
}

/** Writes the sum at unit length; the unknown token's vector where it has no direction. */
function writeUnit({ unknown }, sum, { vectors, at }) {
  let squares = 0;
  for (let d = 0; d < DIMENSION; d += 1) squares += sum[d] * sum[d];
  if (squares === 0) {
    vectors.set(unknown, at);
    return;
  }
  const factor = 1 / Math.sqrt(squares);
  for (let d = 0; d < DIMENSION; d += 1) vectors[at + d] = sum[d] * factor;
}
