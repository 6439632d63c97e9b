import { KERNELS } from './kernels-binary.js';

const PAGE = 65_536;
/** As in `kernels.wat`. */
const MAXIMUM_PAGES = 65_536;
/** Pages by which memory grows: 16 MB. */
const STEP = 256;

/** Floats of the result area; the query area is twice as large. */
const SCRATCH = 4096;

export interface MemoryBlock {
  /** Address in bytes. */
  readonly pointer: number;
  readonly data: Float32Array;
}

/** The parts of WebAssembly that are used here (its types come with the browser's, which this project leaves out). */
interface WasmMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}
type Kernel = (query: number, rows: number, count: number, bytes: number, out: number) => void;
interface Wasm {
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

/**
 * One memory for the vectors of all indexes, and the kernels over it. Blocks are given back to lists of their size, the
 * memory itself only grows. It is shared memory because that leaves views valid when it grows.
 */
export class Simd {
  private static instance: Simd | null | undefined;

  /** Where a query is put for the kernels, and where they put up to `SCRATCH` results: to be used at once, before any await. */
  readonly query: MemoryBlock;
  readonly results: MemoryBlock;
  private end = 0;
  private readonly free = new Map<number, number[]>();

  private constructor(
    private readonly memory: WasmMemory,
    readonly dots: Kernel,
    readonly squares: Kernel,
    readonly coarseDots: Kernel,
  ) {
    this.query = this.allocate(SCRATCH * 2)!;
    this.results = this.allocate(SCRATCH)!;
  }

  /**
   * Returns the instance of this process; undefined where the engine lacks vector instructions or the address space.
   */
  static shared(): Simd | undefined {
    Simd.instance ??= Simd.load() ?? null;
    return Simd.instance ?? undefined;
  }

  private static load(): Simd | undefined {
    try {
      const wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
      const memory = new wasm.Memory({ initial: 1, maximum: MAXIMUM_PAGES, shared: true });
      const { exports } = new wasm.Instance(new wasm.Module(KERNELS), { host: { memory } });
      const { dots, squares, coarseDots } = exports as Record<'dots' | 'squares' | 'coarseDots', Kernel>;
      return new Simd(memory, dots, squares, coarseDots);
    } catch {
      return undefined;
    }
  }

  /** Returns a zeroed block of floats at an address that is a multiple of 64; undefined when 4 GB are used up. */
  allocate(floats: number): MemoryBlock | undefined {
    const bytes = Math.ceil((floats * 4) / 64) * 64;
    const reused = this.free.get(bytes)?.pop();
    const pointer = reused ?? this.extend(bytes);
    if (pointer === undefined) return undefined;
    const data = new Float32Array(this.memory.buffer, pointer, floats);
    if (reused !== undefined) data.fill(0);
    return { pointer, data };
  }

  release(pointer: number, floats: number): void {
    const bytes = Math.ceil((floats * 4) / 64) * 64;
    const list = this.free.get(bytes);
    if (list === undefined) this.free.set(bytes, [pointer]);
    else list.push(pointer);
  }

  private extend(bytes: number): number | undefined {
    const pointer = this.end;
    const missing = Math.ceil((pointer + bytes - this.memory.buffer.byteLength) / PAGE);
    if (missing > 0) {
      try {
        this.memory.grow(Math.max(missing, Math.min(STEP, MAXIMUM_PAGES - this.memory.buffer.byteLength / PAGE)));
      } catch {
        return undefined;
      }
    }
    this.end = pointer + bytes;
    return pointer;
  }
}
