import { startWorld } from '../../test/mcp/world.js';
import { faultOf } from './judge.js';
import { sessions } from './sessions.js';
import { type Target, targetsOf } from './targets.js';

export interface FuzzOptions {
  /** Requests over all targets together, at least one each. */
  readonly count: number;
  readonly seed: number;
  /** Requests under way at once. */
  readonly atOnce: number;
  readonly progress?: (sent: number, faults: readonly string[]) => void;
}

export interface FuzzResult {
  readonly sent: number;
  /** Of them, generated anew; the others repeat one. */
  readonly distinct: number;
  readonly targets: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What went wrong, by target, with its first sentence. */
  readonly faults: readonly string[];
  readonly seconds: number;
}

/** Sends generated requests to every route, page and tool of a service in this process, and judges every answer. */
export async function fuzz({ count, seed, atOnce, progress }: FuzzOptions): Promise<FuzzResult> {
  const began = performance.now();
  const faults: string[] = [];
  const crash = (error: unknown) => faults.push(`crash: ${String(error)}`);
  process.on('uncaughtException', crash).on('unhandledRejection', crash);
  const world = await startWorld({ SVC_JOB_WORKERS: '1' });
  const client = sessions(`${world.a}/mcp`);
  const statuses = new Map<number, number>();
  let sent = 0;
  let distinct = 0;
  try {
    const targets = targetsOf(world, client);
    const each = Math.max(1, Math.ceil(count / targets.length));
    for (const [i, target] of targets.entries()) {
      const drawn = drawnFor(target, each, seed + i);
      distinct += drawn.length;
      const requests = Array.from({ length: each }, (_, k) => drawn[k % drawn.length]!);
      const worker = async () => {
        for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
          const answer = await request();
          sent += 1;
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const fault = faultOf(answer);
          if (fault !== undefined) faults.push(`${answer.target}: ${fault}`);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      const health = await fetch(`${world.a}/v1/health`);
      if (health.status !== 200) faults.push(`${target.name}: health answers ${health.status} afterwards`);
      progress?.(sent, faults);
    }
    return { sent, distinct, targets: targets.length, statuses, faults, seconds: (performance.now() - began) / 1000 };
  } finally {
    process.off('uncaughtException', crash).off('unhandledRejection', crash);
    await client.close();
    await world.close();
  }
}

/** Time to draw the requests of one target, ms: deep inputs take long to generate. */
const DRAWING_MS = 2000;

/** Draws requests, a few at a time, until there are enough or the time is over. */
function drawnFor(target: Target, count: number, seed: number): ReturnType<Target['requests']> {
  const began = performance.now();
  const drawn: ReturnType<Target['requests']> = [];
  for (let part = 0; drawn.length < count && performance.now() - began < DRAWING_MS; part += 1) {
    drawn.push(...target.requests(Math.min(part === 0 ? 5 : 20, count - drawn.length), seed + part * 100_003));
  }
  return drawn;
}
