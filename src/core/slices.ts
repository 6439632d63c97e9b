/** When the event loop was last left to others, ms; one for all loops of the process, since there is one event loop. */
let turned = 0;

/**
 * Gives way to the event loop once it was held for `budget` ms; call it inside long loops. Several loops one after the
 * other share the budget.
 */
export function slicer(budget = 10): () => Promise<void> | undefined {
  return () => {
    if (performance.now() - turned < budget) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        turned = performance.now();
        resolve();
      });
    });
  };
}
