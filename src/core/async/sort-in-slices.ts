import { slicer } from './slices.js';

/** Items that the runtime sorts in one go. */
const RUN = 1000;

/** Returns the items in order, as `Array.sort` with the same comparison does (equal ones keep theirs), and gives way meanwhile. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const pause = slicer();
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += RUN) {
    runs.push(items.slice(start, start + RUN).sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) longer.push(await merged(runs[i]!, runs[i + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merged<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const pause = slicer();
  const all: T[] = [];
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const takesLeft = j === right.length || (i < left.length && compare(left[i]!, right[j]!) <= 0);
    all.push(takesLeft ? left[i++]! : right[j++]!);
    if (all.length % RUN === 0) await pause();
  }
  return all;
}
