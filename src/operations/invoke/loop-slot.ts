let last: Promise<void> = Promise.resolve();

/**
 * Waits for a slot of its own in the event loop: calls that arrive together start one in each round of the loop, so that
 * what else waits there (a health check, a socket) is served between them.
 */
export function loopSlot(): Promise<void> {
  const slot = last.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  last = slot;
  return slot;
}
