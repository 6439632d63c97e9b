/**
 * The inner loops of the exact scan as a WebAssembly module of three functions, assembled here byte by byte: JavaScript
 * has no vector instructions, and four multiplications at a time over 32-bit floats scan several times faster.
 *
 *   dots(query, rows, count, bytes, out)      out[i] = the dot product of the query and row i
 *   squares(query, rows, count, bytes, out)   out[i] = minus their squared distance
 *
 *   coarseDots(query, rows, count, bytes, out)  the same as `dots` for a query of 16-bit and rows of 8-bit integers
 *
 * All addresses are bytes in the imported memory; `bytes` is the length of a row, a multiple of 64 (of 32 for the last).
 */
export function simdModule(maximumPages: number): Uint8Array<ArrayBuffer> {
  const i32 = 0x7f;
  const signature = [0x60, ...vector([[i32], [i32], [i32], [i32], [i32]]), 0x00];
  const sharedMemory = [0x02, 0x03, ...unsigned(1), ...unsigned(maximumPages)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector([signature])),
    ...section(2, vector([[...name('host'), ...name('memory'), ...sharedMemory]])),
    ...section(3, vector([[0x00], [0x00], [0x00]])),
    ...section(
      7,
      vector([
        [...name('dots'), 0x00, 0x00],
        [...name('squares'), 0x00, 0x01],
        [...name('coarseDots'), 0x00, 0x02],
      ]),
    ),
    ...section(10, vector([floatLoop(dotStep, []), floatLoop(squareStep, [0x8c]), coarseLoop()])),
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
/** A difference, or the bytes of a row. */
const VECTOR = 11;

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const constant = (value: number): number[] => [0x41, ...signed(value)];
const load = (offset: number): number[] => [0xfd, 0x00, 0x04, ...unsigned(offset)];
const lane = (number: number): number[] => [0xfd, 0x1f, number];
const integerLane = (number: number): number[] => [0xfd, 0x1b, number];
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
const SHIFT_LEFT = [0x74];
const FLOAT_ADD = [0x92];
const FLOAT_OF_INTEGER = [0xb2];
const FLOAT_STORE = [0x38, 0x02, 0x00];
const INTEGERS_ADD = [0xfd, 0xae, 0x01];
const PAIRS_DOT = [0xfd, 0xba, 0x01];
const EXTEND_LOW = [0xfd, 0x87, 0x01];
const EXTEND_HIGH = [0xfd, 0x88, 0x01];
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
  const square = [...difference, ...tee(VECTOR), ...get(VECTOR), ...LANES_MULTIPLY];
  return [...get(sum), ...square, ...LANES_ADD, ...set(sum)];
}

/** sums[0] += query[8 × 16 bits] · row[8 bytes], sums[1] += the same of the next 8 */
function coarseStep(sums: readonly [number, number], offset: number): number[] {
  const [low, high] = sums;
  const row = [...get(ROWS), ...load(offset), ...tee(VECTOR)];
  const first = [...row, ...EXTEND_LOW, ...get(AT), ...load(2 * offset), ...PAIRS_DOT];
  const second = [...get(VECTOR), ...EXTEND_HIGH, ...get(AT), ...load(2 * offset + 16), ...PAIRS_DOT];
  return [
    ...[...get(low), ...first, ...INTEGERS_ADD, ...set(low)],
    ...[...get(high), ...second, ...INTEGERS_ADD, ...set(high)],
  ];
}

function floatLoop(step: (sum: number, offset: number) => number[], last: readonly number[]): number[] {
  return functionBody({
    steps: SUMS.flatMap((sum, i) => step(sum, 16 * i)),
    advance: [64, 64],
    queryLength: get(BYTES),
    add: LANES_ADD,
    lanes: [0, 1, 2, 3].flatMap((number) => [...get(SUMS[0]), ...lane(number), ...(number === 0 ? [] : FLOAT_ADD)]),
    last,
  });
}

function coarseLoop(): number[] {
  const [a, b, c, d] = SUMS;
  return functionBody({
    steps: [...coarseStep([a, b], 0), ...coarseStep([c, d], 16)],
    advance: [64, 32],
    queryLength: [...get(BYTES), ...constant(1), ...SHIFT_LEFT],
    add: INTEGERS_ADD,
    lanes: [0, 1, 2, 3].flatMap((number) => [...get(a), ...integerLane(number), ...(number === 0 ? [] : ADD)]),
    last: FLOAT_OF_INTEGER,
  });
}

/** For each row: the steps along query and row, then the sum of all lanes of the four sums, stored as a float. */
function functionBody(parts: {
  readonly steps: readonly number[];
  /** Bytes that one round of steps goes on in the query and in the row. */
  readonly advance: readonly [query: number, row: number];
  /** Code for the length of the query in bytes. */
  readonly queryLength: readonly number[];
  /** Adds two vectors of lanes. */
  readonly add: readonly number[];
  /** Code that adds the lanes of the first sum. */
  readonly lanes: readonly number[];
  readonly last: readonly number[];
}): number[] {
  const { steps, advance, queryLength, add, lanes, last } = parts;
  const [a, b, c, d] = SUMS;
  const total = [...get(a), ...get(b), ...add, ...get(c), ...get(d), ...add, ...add, ...set(a)];
  const code = [
    ...BLOCK,
    ...LOOP,
    ...[...get(COUNT), ...IS_ZERO, BRANCH_IF, 1],
    ...[...get(QUERY), ...set(AT), ...get(QUERY), ...queryLength, ...ADD, ...set(END)],
    ...SUMS.flatMap((sum) => [...LANES_ZERO, ...set(sum)]),
    ...LOOP,
    ...steps,
    ...[...increase(AT, advance[0]), ...increase(ROWS, advance[1])],
    ...[...get(AT), ...get(END), ...LESS, BRANCH_IF, 0],
    ...END_OF,
    ...[...total, ...get(OUT), ...lanes, ...last, ...FLOAT_STORE],
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
