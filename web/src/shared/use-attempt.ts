import { useState } from 'preact/hooks';

export interface Attempt {
  readonly busy: boolean;
  /** Why the last attempt failed; undefined while one runs and after one that succeeded. */
  readonly error: string | undefined;
  /** Does work that a person asked for, and keeps the sentence of its error. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
}

/** Keeps the state of work that a person starts: whether it runs, and why it failed. */
export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (problem) {
      setError((problem as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, attempt };
}
