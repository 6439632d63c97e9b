/** Milliseconds that loops compute between two turns of the event loop. What one step of them takes, and a collection, come on top. */
export const SLICE_MS = 6;
/** When a loop last resumed after the event loop ran, ms; one for the process, as there is one event loop. */
let resumedAt = 0;
/** Loops that gave way, in order. One resumes at each tick, so a tick never takes the budgets of several. */
const queue: Array<() => void> = [];

/**
 * Gives way to the event loop once it was blocked for `budget` ms; call it inside long loops. Loops that run one after
 * another share the budget; loops that run side by side alternate.
 */
export function slicer(budget = SLICE_MS): () => Promise<void> | undefined {
  return () => (performance.now() - resumedAt < budget ? undefined : nextTurn());
}

/** Waits for the next tick in which no other loop resumes. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (queue.push(resolve) === 1) setImmediate(resumeNext);
  });
}

function resumeNext(): void {
  resumedAt = performance.now();
  queue.shift()?.();
  if (queue.length > 0) setImmediate(resumeNext);
}

/** Returns what each item is converted to, and gives way to the event loop meanwhile. */
export async function mapInSlices<T, R>(items: Iterable<T>, convert: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  await forEachInSlices(items, (item) => results.push(convert(item)));
  return results;
}

/** Visits every item, and gives way to the event loop meanwhile. */
export async function forEachInSlices<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  const pause = slicer();
  for (const item of items) {
    visit(item);
    await pause();
  }
}
