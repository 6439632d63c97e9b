import { KernelMemory, type MemoryBlock } from '../../../../core/kernels/kernel-memory.js';

/** As in `kernels.wat`: 4 GB. */
const MAXIMUM_PAGES = 65_536;

/** Memory for the vectors of all indexes that the kernels reach: as many memories as it takes. */
export class Simd {
  private static instance: Simd | null | undefined;
  private readonly memories: KernelMemory[];

  private constructor(
    first: KernelMemory,
    private readonly pages: number,
    private readonly most: number,
  ) {
    this.memories = [first];
  }

  /**
   * Returns the instance of this process; undefined where the engine lacks vector instructions or the address space.
   */
  static shared(): Simd | undefined {
    Simd.instance ??= Simd.open() ?? null;
    return Simd.instance ?? undefined;
  }

  /** Opens memories of so many pages of 64 kB each (a smaller number, and `most` memories: for tests). */
  static open(pages: number = MAXIMUM_PAGES, most: number = Number.POSITIVE_INFINITY): Simd | undefined {
    const first = KernelMemory.open(pages);
    return first === undefined ? undefined : new Simd(first, pages, most);
  }

  /** Counts the memories that are open. */
  get count(): number {
    return this.memories.length;
  }

  /** Returns a zeroed block of floats; undefined when no memory has room and no further one can be had. */
  allocate(floats: number): MemoryBlock | undefined {
    for (const memory of this.memories) {
      const block = memory.allocate(floats);
      if (block !== undefined) return block;
    }
    const next = this.memories.length < this.most ? KernelMemory.open(this.pages) : undefined;
    const block = next?.allocate(floats);
    if (next !== undefined && block !== undefined) this.memories.push(next);
    return block;
  }

  release(block: MemoryBlock): void {
    block.memory.release(block);
  }
}
