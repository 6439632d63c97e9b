import { KERNELS } from './kernels-binary.js';

const PAGE = 65_536;
/** Pages by which memory grows: 16 MB. */
const STEP = 256;

/** Floats of the result area; the query area is twice as large. */
const SCRATCH = 4096;

export interface MemoryBlock {
  /** Where it lies; the kernels of that memory reach it. */
  readonly memory: KernelMemory;
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
 * One memory of at most 4 GB, and the kernels over it. Blocks are given back to lists of their size, the memory itself
 * only grows. It is shared memory because that leaves views valid when it grows.
 */
export class KernelMemory {
  /** Where a query is put for the kernels, and where they put up to `SCRATCH` results: to be used at once, before any await. */
  readonly query: MemoryBlock;
  readonly results: MemoryBlock;
  readonly dots: Kernel;
  readonly squares: Kernel;
  readonly coarseDots: Kernel;
  private end = 0;
  private readonly free = new Map<number, number[]>();

  private constructor(
    private readonly memory: WasmMemory,
    private readonly maximum: number,
    kernels: Record<'dots' | 'squares' | 'coarseDots', Kernel>,
  ) {
    ({ dots: this.dots, squares: this.squares, coarseDots: this.coarseDots } = kernels);
    this.query = this.allocate(SCRATCH * 2)!;
    this.results = this.allocate(SCRATCH)!;
  }

  /**
   * Returns a memory of at most so many pages of 64 kB; undefined where the engine lacks vector instructions or the
   * address space.
   */
  static open(pages: number): KernelMemory | undefined {
    try {
      const wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
      const memory = new wasm.Memory({ initial: 1, maximum: pages, shared: true });
      const { exports } = new wasm.Instance(new wasm.Module(KERNELS), { host: { memory } });
      return new KernelMemory(memory, pages, exports as Record<'dots' | 'squares' | 'coarseDots', Kernel>);
    } catch {
      return undefined;
    }
  }

  /** Returns a zeroed block of floats at an address that is a multiple of 64; undefined when the memory is used up. */
  allocate(floats: number): MemoryBlock | undefined {
    const bytes = bytesOf(floats);
    const reused = this.free.get(bytes)?.pop();
    const pointer = reused ?? this.extend(bytes);
    if (pointer === undefined) return undefined;
    const data = new Float32Array(this.memory.buffer, pointer, floats);
    if (reused !== undefined) data.fill(0);
    return { memory: this, pointer, data };
  }

  release({ pointer, data }: MemoryBlock): void {
    const bytes = bytesOf(data.length);
    const list = this.free.get(bytes);
    if (list === undefined) this.free.set(bytes, [pointer]);
    else list.push(pointer);
  }

  private extend(bytes: number): number | undefined {
    const pointer = this.end;
    const missing = Math.ceil((pointer + bytes - this.memory.buffer.byteLength) / PAGE);
    if (missing > 0) {
      try {
        this.memory.grow(Math.max(missing, Math.min(STEP, this.maximum - this.memory.buffer.byteLength / PAGE)));
      } catch {
        return undefined;
      }
    }
    this.end = pointer + bytes;
    return pointer;
  }
}

function bytesOf(floats: number): number {
  return Math.ceil((floats * 4) / 64) * 64;
}
