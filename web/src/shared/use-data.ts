import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { KeyNeeded } from './api.js';

const REFRESH_MS = 30_000;

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: string | undefined;
  readonly needsKey: boolean;
  /** When the data came, or undefined. */
  readonly at: Date | undefined;
  readonly reload: () => void;
}

/**
 * Loads now, whenever `deps` change, and every 30 s while the page is seen. What is shown stays until the next answer; an
 * answer that a later one overtook, or to what was asked before `deps` changed, is not shown.
 */
export function useData<T>(load: () => Promise<T>, deps: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ data: undefined, error: undefined, needsKey: false, at: undefined });
  const asked = useRef(0);
  const shown = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what it depends on
  const reload = useCallback(() => {
    asked.current += 1;
    const number = asked.current;
    const show = (next: (before: typeof state) => typeof state): void => {
      if (number < shown.current) return;
      shown.current = number;
      setState(next);
    };
    load().then(
      (data) => show(() => ({ data, error: undefined, needsKey: false, at: new Date() })),
      (error: Error) => show((before) => ({ ...before, error: error.message, needsKey: error instanceof KeyNeeded })),
    );
  }, [...deps]);
  useEffect(() => {
    shown.current = asked.current + 1;
    reload();
    const timer = setInterval(() => document.hidden || reload(), REFRESH_MS);
    const seen = () => document.hidden || reload();
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [reload]);
  return { ...state, reload };
}
