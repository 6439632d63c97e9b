import { SvcError } from '../../../core/errors.js';
import { DigestSum } from './digest-sum.js';

export interface ComparedCopy<T> {
  /** Whose items they are, as the beginning of a sentence: `The table edit`. */
  readonly what: string;
  readonly unit: 'rows' | 'vectors';
  readonly source: AsyncIterable<readonly T[]>;
  /** Reads in the target what was written. */
  readonly target: () => AsyncIterable<readonly T[]>;
  readonly write: (page: readonly T[]) => Promise<unknown>;
  readonly digest: (item: T) => Buffer;
  /** Takes the number of items of each page: of all of them twice, when they are copied and when they are compared. */
  readonly onItems: (items: number) => void;
}

/** Copies items page by page and reads them again; returns their number. Throws where they read otherwise. */
export async function copyCompared<T>(copy: ComparedCopy<T>): Promise<number> {
  const { what, unit, source, target, write, digest, onItems } = copy;
  const [copied, found] = [new DigestSum(), new DigestSum()];
  for await (const page of source) {
    for (const item of page) copied.add(digest(item));
    await write(page);
    onItems(page.length);
  }
  for await (const page of target()) {
    for (const item of page) found.add(digest(item));
    onItems(page.length);
  }
  if (found.equals(copied)) return copied.count;
  const sentence = `${what} reads otherwise in the target than in the source (${found.count} ${unit} of ${copied.count}); nothing was moved. Run \`svc doctor\` on the source, and report this.`;
  throw new SvcError('unavailable', sentence);
}
