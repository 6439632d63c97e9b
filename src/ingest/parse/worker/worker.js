// Entry of a parser worker: plain JavaScript, so that it loads the same from the sources and from the build.
//
// A job is one message; its parts leave in batches, each requested with a message, so that the receiver never reads
// much at a time.
import { parentPort } from 'node:worker_threads';
import { batches } from './batches.js';
import { bufferGuard } from './buffer-guard.js';

const guard = bufferGuard();

/** @type {Iterator<object> | undefined} */
let open;

parentPort?.on('message', async ({ job }) => {
  try {
    if (job !== undefined) {
      guard.reset();
      const { title, parts } = await parse(job);
      open = batches(title, parts);
    }
    const { value, done } = open.next();
    guard.check();
    parentPort?.postMessage(done ? { done: true } : value);
  } catch (error) {
    open = undefined;
    const exceeded = guard.exceeded ?? error;
    const { name = 'Error', message = String(error), limit } = exceeded ?? {};
    parentPort?.postMessage({ failed: { name, message, limit } });
  }
});

/** @param {import('./pool.js').ParseJob} job */
async function parse(job) {
  if (job.type === 'pdf') return (await import('../pdf.js')).pdfParts(job.bytes, guard);
  if (job.type === 'docx') return (await import('../docx.js')).docxParts(job.bytes);
  return (await import('../textual.js')).parseTextual(job);
}
