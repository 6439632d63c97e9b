// Entry of the worker thread: plain JavaScript, so that it loads the same from the sources and from the build.
import { parentPort, workerData } from 'node:worker_threads';

/** @type {{ type: 'pdf' | 'docx' | 'html', bytes?: Uint8Array, text?: string }} */
const job = workerData;

async function parse() {
  if (job.type === 'pdf') return (await import('./pdf.js')).pdfParts(job.bytes);
  if (job.type === 'docx') return (await import('./docx.js')).docxParts(job.bytes);
  return (await import('./html.js')).htmlParts(job.text);
}

try {
  parentPort?.postMessage({ parsed: await parse() });
} catch (error) {
  parentPort?.postMessage({ failed: { name: error?.name ?? 'Error', message: String(error?.message ?? error) } });
}
