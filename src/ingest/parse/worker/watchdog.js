// Thread of a parser process that ends it: where it computes or holds too much for one document, and where the service is
// gone. The parser itself cannot look at a clock while it computes.
import { writeSync } from 'node:fs';
import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { LIMITS } from '../limits.js';

const CHECK_MS = 50;
const { state, parent } = workerData;

let job = 0;
let had = 0;

/** Returns the processor time of the process, seconds. */
function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** @param {string} limit The name goes to the standard error, where the service reads it. */
function end(limit) {
  writeSync(2, `\nlimit:${limit}\n`);
  process.kill(process.pid, 'SIGKILL');
}

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  const now = Atomics.load(state, 0);
  if (now !== job) {
    job = now;
    had = processorSeconds();
  }
  if (job === 0) return;
  if (processorSeconds() - had > LIMITS.processorSeconds) end('processorSeconds');
  else if (process.memoryUsage.rss() > LIMITS.residentMib * 2 ** 20) end('residentMib');
}, CHECK_MS);
