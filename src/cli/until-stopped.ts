/** A wait for SIGINT or SIGTERM that can be given up. */
export interface StopSignal {
  readonly stopped: Promise<void>;
  /** Ends the wait: from then on signals act as usual. */
  release(): void;
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return stopSignal().stopped;
}

/** Returns a wait for the first SIGINT or SIGTERM; a second one ends the process at once. */
export function stopSignal(): StopSignal {
  let release = () => {};
  const stopped = new Promise<void>((resolve) => {
    let stopping = false;
    const stop = () => {
      if (stopping) process.exit(1);
      stopping = true;
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    release = () => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    };
  });
  return { stopped, release };
}
