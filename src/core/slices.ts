/** Gives way to the event loop once `budget` ms have passed since the last time; call it inside long loops. */
export function slicer(budget = 10): () => Promise<void> | undefined {
  let started = performance.now();
  return () => {
    if (performance.now() - started < budget) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        started = performance.now();
        resolve();
      });
    });
  };
}
