/** Milliseconds that loops compute between two turns of the event loop. What one step of them takes, and a collection, come on top. */
export const SLICE_MS = 6;
/**
 * Who resumes first: `urgent` is work that somebody waits for, such as a question; `patient` is all else, such as a write
 * of thousands of rows.
 */
export type Lane = 'urgent' | 'patient';
/** Urgent loops that resume one after another while a patient one waits, at most: a write goes on under any number of questions. */
const MOST_BEFORE = 3;

/** When a loop last resumed after the event loop ran, ms; one for the process, as there is one event loop. */
let resumedAt = 0;
/** Loops that gave way, in order. One resumes at each tick, so a tick never takes the budgets of several. */
const queues: Record<Lane, Array<() => void>> = { urgent: [], patient: [] };
let resumedBefore = 0;

/**
 * Gives way to the event loop once it was blocked for `budget` ms; call it inside long loops. Loops that run one after
 * another share the budget; loops of one lane that run side by side alternate.
 */
export function slicer(lane: Lane = 'patient', budget = SLICE_MS): () => Promise<void> | undefined {
  return () => (performance.now() - resumedAt < budget ? undefined : nextTurn(lane));
}

/** Waits for the next tick in which no other loop resumes. */
export function nextTurn(lane: Lane = 'patient'): Promise<void> {
  return new Promise((resolve) => {
    queues[lane].push(resolve);
    if (waiting() === 1) setImmediate(resumeNext);
  });
}

function resumeNext(): void {
  resumedAt = performance.now();
  takeNext()?.();
  if (waiting() > 0) setImmediate(resumeNext);
}

function takeNext(): (() => void) | undefined {
  const { urgent, patient } = queues;
  if (patient.length === 0) resumedBefore = 0;
  else if (urgent.length > 0 && resumedBefore < MOST_BEFORE) resumedBefore += 1;
  else {
    resumedBefore = 0;
    return patient.shift();
  }
  return urgent.shift();
}

function waiting(): number {
  return queues.urgent.length + queues.patient.length;
}

/** Returns what each item is converted to, and gives way to the event loop meanwhile. */
export async function mapInSlices<T, R>(items: Iterable<T>, convert: (item: T) => R, lane?: Lane): Promise<R[]> {
  const results: R[] = [];
  await forEachInSlices(items, (item) => results.push(convert(item)), lane);
  return results;
}

/** Visits every item, and gives way to the event loop meanwhile. */
export async function forEachInSlices<T>(items: Iterable<T>, visit: (item: T) => void, lane?: Lane): Promise<void> {
  const pause = slicer(lane);
  for (const item of items) {
    visit(item);
    const turn = pause();
    // An await of nothing costs more than most visits do.
    if (turn !== undefined) await turn;
  }
}
