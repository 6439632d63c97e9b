/**
 * The inner loops of the exact scan as a WebAssembly module of two functions, assembled here byte by byte: JavaScript
 * has no vector instructions, and four multiplications at a time over 32-bit floats scan several times faster.
 *
 *   dots(query, rows, count, bytes, out)      out[i] = the dot product of the query and row i
 *   squares(query, rows, count, bytes, out)   out[i] = minus their squared distance
 *
 * All addresses are bytes in the imported memory; `bytes` is the length of a row, a multiple of 64.
 */
export function simdModule(maximumPages: number): Uint8Array<ArrayBuffer> {
  const i32 = 0x7f;
  const signature = [0x60, ...vector([[i32], [i32], [i32], [i32], [i32]]), 0x00];
  const sharedMemory = [0x02, 0x03, ...unsigned(1), ...unsigned(maximumPages)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector([signature])),
    ...section(2, vector([[...name('host'), ...name('memory'), ...sharedMemory]])),
    ...section(3, vector([[0x00], [0x00]])),
    ...section(
      7,
      vector([
        [...name('dots'), 0x00, 0x00],
        [...name('squares'), 0x00, 0x01],
      ]),
    ),
    ...section(10, vector([functionBody(dotStep, []), functionBody(squareStep, [0x8c])])),
  ]);
}

// Locals: the five parameters, two more addresses, four sums and one difference.
const QUERY = 0;
const ROWS = 1;
const COUNT = 2;
const BYTES = 3;
const OUT = 4;
const AT = 5;
const END = 6;
const SUMS = [7, 8, 9, 10] as const;
const DIFFERENCE = 11;

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const constant = (value: number): number[] => [0x41, ...signed(value)];
const load = (offset: number): number[] => [0xfd, 0x00, 0x04, ...unsigned(offset)];
const lane = (number: number): number[] => [0xfd, 0x1f, number];
const EMPTY = 0x40;
const BLOCK = [0x02, EMPTY];
const LOOP = [0x03, EMPTY];
const END_OF = [0x0b];
const BRANCH = 0x0c;
const BRANCH_IF = 0x0d;
const IS_ZERO = [0x45];
const LESS = [0x49];
const ADD = [0x6a];
const SUBTRACT = [0x6b];
const FLOAT_ADD = [0x92];
const FLOAT_STORE = [0x38, 0x02, 0x00];
const LANES_ADD = [0xfd, 0xe4, 0x01];
const LANES_SUBTRACT = [0xfd, 0xe5, 0x01];
const LANES_MULTIPLY = [0xfd, 0xe6, 0x01];
const LANES_ZERO = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];

const increase = (local: number, by: number): number[] => [...get(local), ...constant(by), ...ADD, ...set(local)];

/** sum += query[16 bytes] × row[16 bytes] */
function dotStep(sum: number, offset: number): number[] {
  const product = [...get(AT), ...load(offset), ...get(ROWS), ...load(offset), ...LANES_MULTIPLY];
  return [...get(sum), ...product, ...LANES_ADD, ...set(sum)];
}

/** sum += (query[16 bytes] − row[16 bytes])² */
function squareStep(sum: number, offset: number): number[] {
  const difference = [...get(AT), ...load(offset), ...get(ROWS), ...load(offset), ...LANES_SUBTRACT];
  const square = [...difference, ...tee(DIFFERENCE), ...get(DIFFERENCE), ...LANES_MULTIPLY];
  return [...get(sum), ...square, ...LANES_ADD, ...set(sum)];
}

function functionBody(step: (sum: number, offset: number) => number[], last: readonly number[]): number[] {
  const [a, b, c, d] = SUMS;
  const total = [...get(a), ...get(b), ...LANES_ADD, ...get(c), ...get(d), ...LANES_ADD, ...LANES_ADD, ...tee(a)];
  const lanes = [1, 2, 3].flatMap((number) => [...get(a), ...lane(number), ...FLOAT_ADD]);
  const code = [
    ...BLOCK,
    ...LOOP,
    ...[...get(COUNT), ...IS_ZERO, BRANCH_IF, 1],
    ...[...get(QUERY), ...set(AT), ...get(QUERY), ...get(BYTES), ...ADD, ...set(END)],
    ...SUMS.flatMap((sum) => [...LANES_ZERO, ...set(sum)]),
    ...LOOP,
    ...SUMS.flatMap((sum, i) => step(sum, 16 * i)),
    ...[...increase(AT, 64), ...increase(ROWS, 64)],
    ...[...get(AT), ...get(END), ...LESS, BRANCH_IF, 0],
    ...END_OF,
    ...[...get(OUT), ...total, ...lane(0), ...lanes, ...last, ...FLOAT_STORE],
    ...increase(OUT, 4),
    ...[...get(COUNT), ...constant(1), ...SUBTRACT, ...set(COUNT)],
    ...[BRANCH, 0],
    ...END_OF,
    ...END_OF,
    ...END_OF,
  ];
  const locals = vector([
    [0x02, 0x7f],
    [0x05, 0x7b],
  ]);
  return [...unsigned(locals.length + code.length), ...locals, ...code];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: ReadonlyArray<readonly number[]>): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function name(text: string): number[] {
  return [...unsigned(text.length), ...Buffer.from(text)];
}

/** LEB128. */
function unsigned(value: number): number[] {
  const low = value & 0x7f;
  return value < 0x80 ? [low] : [low | 0x80, ...unsigned(value >>> 7)];
}

/** Signed LEB128 of a small number that is not negative. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
