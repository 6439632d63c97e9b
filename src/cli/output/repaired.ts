import { counted } from '../../core/wording/counted.js';

/** What a repair did. */
export interface Repaired {
  /** Domains whose counts were mended. */
  readonly counts: readonly string[];
  readonly indexed: number;
  readonly engines: ReadonlyArray<{
    readonly engine: string;
    readonly written: number;
    /** Absent where the service is of a release before. */
    readonly rewritten?: number;
    readonly removed: number;
  }>;
}

/** Returns what a repair did, a line each; what it wrote again to be sure is told apart from what differed. */
export function repairedLines({ counts, indexed, engines }: Repaired): string[] {
  const mended = [
    ...(counts.length > 0 ? [`Counted the rows of ${counts.join(', ')} anew.`] : []),
    ...(indexed > 0 ? [`Brought text index and vectors in line for ${counted(indexed, 'node')}.`] : []),
    ...engines
      .filter(({ written, removed }) => written + removed > 0)
      .map(
        ({ engine, written, removed }) => `Wrote ${counted(written, 'record')} to ${engine} and removed ${removed}.`,
      ),
  ];
  const again = engines.flatMap(({ engine, rewritten = 0 }) =>
    rewritten === 0
      ? []
      : [
          `Wrote ${counted(rewritten, 'record')} of ${engine} again to be sure: nothing told whether ${rewritten === 1 ? 'it' : 'they'} differed.`,
        ],
  );
  if (mended.length > 0) return [...mended, ...again];
  return again.length > 0 ? [...again, 'Nothing else had to be mended.'] : ['Nothing had to be mended.'];
}
