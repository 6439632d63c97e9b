import { seededRandom } from '../../src/core/random.js';
import type { Kind, Traffic } from './traffic.js';

export interface Sent {
  readonly kind: Kind;
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** From the time that the request was due until its answer was there, ms. */
  readonly ms: number;
  readonly retryAfter: boolean;
  /** Start of an answer that is neither a success nor a refusal. */
  readonly error: string | undefined;
}

export interface LoopResult {
  readonly rate: number;
  readonly seconds: number;
  readonly sent: readonly Sent[];
}

const PAUSE_MS = 2;

/**
 * Sends requests at a mean rate a second, at random times (a Poisson process), whether or not former ones were answered.
 * Resolves when all are answered.
 */
export async function openLoop(traffic: Traffic, rate: number, seconds: number): Promise<LoopResult> {
  const random = seededRandom(`loop ${rate}`);
  const sent: Sent[] = [];
  const open = new Set<Promise<void>>();
  const began = performance.now();
  const end = began + seconds * 1000;
  let due = began;
  for (;;) {
    due += (-Math.log(1 - random()) * 1000) / rate;
    if (due >= end) break;
    while (performance.now() < due)
      await new Promise((resolve) => setTimeout(resolve, Math.min(PAUSE_MS, due - performance.now())));
    const one = send(traffic, due, sent).finally(() => open.delete(one));
    open.add(one);
  }
  await Promise.all(open);
  return { rate, seconds: (performance.now() - began) / 1000, sent };
}

async function send(traffic: Traffic, due: number, sent: Sent[]): Promise<void> {
  const kind = traffic.next();
  const ended = (status: number, retryAfter: boolean, error?: string) =>
    sent.push({ kind, status, retryAfter, error, ms: performance.now() - due });
  try {
    const { status, retryAfter, text } = await traffic.send(kind);
    ended(
      status,
      retryAfter !== undefined,
      status < 300 || status === 503 ? undefined : `${status} ${text.slice(0, 200)}`,
    );
  } catch (error) {
    ended(0, false, (error as Error).message);
  }
}

/** Returns the latency below which a share of the requests was, ms. */
export function percentile(sent: readonly Pick<Sent, 'ms'>[], share: number): number {
  const times = sent.map(({ ms }) => ms).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
}

export function failures(sent: readonly Sent[]): Sent[] {
  return sent.filter(({ status }) => status < 200 || status >= 300);
}
