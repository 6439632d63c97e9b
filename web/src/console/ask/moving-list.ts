import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Lets the entries of a list glide from where they were to where they are, unless the person asked for less motion. What had
 * the focus in an entry that moved keeps it.
 */
export function useMovingList(list: RefObject<HTMLElement | null>, change: unknown): void {
  const places = useRef(new Map<string, number>());
  const focused = useRef<HTMLElement | undefined>(undefined);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      focused.current = target instanceof HTMLElement && list.current?.contains(target) === true ? target : undefined;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is what moves the entries
  useLayoutEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const now = new Map<string, number>();
    for (const entry of list.current?.children ?? []) {
      const id = (entry as HTMLElement).dataset.id ?? '';
      const top = (entry as HTMLElement).offsetTop;
      const before = places.current.get(id);
      now.set(id, top);
      if (still || before === undefined || before === top) continue;
      entry.animate([{ transform: `translateY(${before - top}px)` }, { transform: 'none' }], { duration: 400, easing: 'ease' });
    }
    places.current = now;
    if (document.activeElement === document.body && focused.current?.isConnected === true) focused.current.focus({ preventScroll: true });
  }, [change]);
}
