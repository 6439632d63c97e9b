import { mkdirSync, watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { announcedSeeds, type Consumed, type ConsumeOptions, consumePending, type RefusedEvent } from './consume.js';

export interface WatchOptions extends ConsumeOptions {
  readonly signal: AbortSignal;
  /** Milliseconds between two looks where no notice of a change comes; default 2,000. */
  readonly interval?: number;
  readonly onConsumed: (consumed: Consumed) => void;
  readonly onRefused?: (event: RefusedEvent) => void;
}

/** Takes in rule sets as they arrive, until the signal; then finishes the current one. */
export async function watchPending(options: WatchOptions): Promise<void> {
  const { pending } = options.config.seeds;
  mkdirSync(pending, { recursive: true });
  let changed = true;
  let wake = new AbortController();
  const watcher = watch(pending, () => {
    changed = true;
    wake.abort();
  });
  const stop = () => wake.abort();
  options.signal.addEventListener('abort', stop);
  let since: string | undefined;
  try {
    while (!options.signal.aborted) {
      changed = false;
      const looked = new Date(options.clock()).toISOString();
      const { refused } = await announcedSeeds(options.config, since);
      for (const event of refused) options.onRefused?.(event);
      since = looked;
      for (const consumed of await consumePending(options)) options.onConsumed(consumed);
      if (changed || options.signal.aborted) continue;
      wake = new AbortController();
      await sleep(options.interval ?? 2000, undefined, { signal: wake.signal }).catch(() => undefined);
    }
  } finally {
    watcher.close();
    options.signal.removeEventListener('abort', stop);
  }
}
