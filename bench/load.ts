/**
 * Load on one service, open loop: 70 % query, 20 % feedback and observe, 10 % ingest. Finds the highest rate that is
 * sustained, keeps half of it up, then sends twice of it: `npm run bench:load -- [--seconds 600] [--concepts 10000]
 * [--embedding static] [--step 8] [--maximum N] [--write]`. `--maximum` skips the search. Writes docs/benchmarks/load.md with `--write`.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { slopeOf } from './load/memory.js';
import { failures, type LoopResult, openLoop, percentile } from './load/open-loop.js';
import { page } from './load/page.js';
import { Traffic } from './load/traffic.js';
import { startWorld, type World } from './load/world.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    concepts: { type: 'string', default: '10000' },
    embedding: { type: 'string', default: 'static' },
    step: { type: 'string', default: '8' },
    maximum: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const step = Number(values.step);
/** Requests a second that are tried, each half as much again as the one before. */
const RATES = [20, 30, 45, 70, 100, 150, 225, 340, 500, 750];
/** A rate is sustained while 99 of 100 requests are answered within this, ms, and none fails: no backlog grows. */
const SUSTAINED_MS = 1000;
const WARM_UP_SECONDS = Math.min(60, Math.max(10, seconds / 10));
const say = (line: string) => process.stdout.write(`${line}\n`);

const world = await startWorld(values.embedding);
const traffic = new Traffic(world.url, Number(values.concepts));
try {
  await traffic.fill();
  const tried = values.maximum === undefined ? await highestRate() : [];
  const sustained = tried.filter(isSustained);
  const maximum = Number(values.maximum ?? Math.max(...sustained.map(({ rate }) => rate), 10));
  say(`maximum ${maximum}/s`);
  const steady = await keptUp(world, maximum / 2);
  const overload = await overloaded(maximum * 2);
  const text = page({ ...values, concepts: Number(values.concepts), tried, maximum, steady, overload });
  say(text);
  if (values.write) writeFileSync('docs/benchmarks/load.md', text);
} finally {
  traffic.close();
  await world.close();
}

function isSustained({ sent }: LoopResult): boolean {
  return failures(sent).length === 0 && percentile(sent, 0.99) < SUSTAINED_MS;
}

/** Raises the rate until it is not sustained, then tries once between the last two. */
async function highestRate(): Promise<LoopResult[]> {
  const tried: LoopResult[] = [];
  await openLoop(traffic, RATES[0]!, step);
  const attempt = async (rate: number) => {
    const result = await openLoop(traffic, rate, step);
    tried.push(result);
    say(`${rate}/s: p99 ${percentile(result.sent, 0.99).toFixed(0)} ms, ${failures(result.sent).length} failures`);
    return isSustained(result);
  };
  let last = 0;
  for (const rate of RATES) {
    if (await attempt(rate)) last = rate;
    else {
      if (last > 0) await attempt(Math.round((last + rate) / 2));
      break;
    }
  }
  return tried;
}

async function keptUp({ memory, health }: World, rate: number) {
  await traffic.askAll();
  await openLoop(traffic, rate, WARM_UP_SECONDS);
  // The first sample is the heap after a collection.
  const [before] = (await memory()).slice(-1);
  // Who was asked for health while that collection ran is answered after it.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await health();
  const result = await openLoop(traffic, rate, seconds);
  const times = await health();
  const samples = [before!, ...(await memory())];
  return { ...result, times, heap: slopeOf(samples, 'heap'), resident: slopeOf(samples, 'resident') };
}

/** Sends twice the maximum until requests are refused, 90 s at most, then half of it again. */
async function overloaded(rate: number) {
  const result = await openLoop(traffic, rate, Math.min(90, Math.max(20, seconds / 5)));
  const after = await openLoop(traffic, rate / 4, 10);
  return { ...result, after, health: await world.health() };
}
