// Sums batches of the static model in a thread of its own, so that bulk ingest leaves the event loop to requests. Plain
// JavaScript for the same reason as `static-sums.js`. Protocol: `static-thread.ts`.
import { parentPort, workerData } from 'node:worker_threads';
import { vectorsOf } from './static-sums.js';

parentPort.on('message', ({ id, batch }) => {
  const vectors = vectorsOf(workerData.table, batch);
  parentPort.postMessage({ id, vectors }, [vectors.buffer]);
});
