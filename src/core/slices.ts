/** When a loop last went on after the event loop had its turn, ms; one for the process, as there is one event loop. */
let turned = 0;
/** Loops that gave way, in order. One goes on at each turn, so a turn never takes the budgets of several. */
const waiting: Array<() => void> = [];

/**
 * Gives way to the event loop once it was held for `budget` ms; call it inside long loops. Loops that follow each other
 * share the budget; loops that run side by side take turns.
 */
export function slicer(budget = 10): () => Promise<void> | undefined {
  return () => {
    if (performance.now() - turned < budget) return undefined;
    return new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(turn);
    });
  };
}

function turn(): void {
  turned = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(turn);
}
