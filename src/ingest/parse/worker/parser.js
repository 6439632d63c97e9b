// Entry of a parser process: plain JavaScript, so that it loads the same from the sources and from the build.
//
// A job comes as its type, its bytes in pieces and an end; its parts leave in batches, each requested with a message, so
// that the receiver never reads much at a time.
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { batches } from './batches.js';
import { bufferGuard } from './buffer-guard.js';

/** Number of the job that runs; 0 for none. The watchdog reads it. */
const state = new Int32Array(new SharedArrayBuffer(4));
new Worker(new URL('./watchdog.js', import.meta.url), { workerData: { state, parent: process.ppid } }).unref();
const guard = bufferGuard();

let jobs = 0;
/** @type {import('./parser-process.js').ParseJob['type']} */
let type = 'text';
/** Name of the file, where its ending says how it is read. */
let name = '';
/** @type {Uint8Array[]} */
let pieces = [];
/** @type {Iterator<object> | undefined} */
let open;

process.on('message', async (message) => {
  try {
    if (message.type !== undefined) {
      type = message.type;
      name = message.name ?? '';
      pieces = [];
    } else if (message.piece !== undefined) pieces.push(message.piece);
    else await answer(message.end === true);
  } catch (error) {
    ended();
    const exceeded = guard.exceeded ?? error;
    const { name = 'Error', message: said = String(error), limit } = exceeded ?? {};
    process.send?.({ failed: { name, message: said, limit } });
  }
});
process.once('disconnect', () => process.exit(0));
// A supervisor may signal the service with all its children: the document under way is the service's to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

/** @param {boolean} isNew Whether a job has come whole, of which this is the first batch. */
async function answer(isNew) {
  if (isNew) {
    jobs += 1;
    Atomics.store(state, 0, jobs);
    guard.reset();
    const { title, parts, ...about } = await parsed(Buffer.concat(pieces));
    pieces = [];
    open = batches(title, parts, about);
  }
  const { value, done } = open.next();
  guard.check();
  if (done) ended();
  process.send?.(done ? { done: true } : value);
}

function ended() {
  Atomics.store(state, 0, 0);
  open = undefined;
  pieces = [];
}

/** @param {Buffer} bytes */
async function parsed(bytes) {
  // PDF.js takes no Buffer.
  if (type === 'pdf') return (await import('../pdf.js')).pdfParts(new Uint8Array(bytes), guard);
  if (type === 'eml') return (await import('../mail/mail.js')).mailParts(bytes);
  if (type === 'mbox') return (await import('../mail/mbox.js')).mboxParts(bytes);
  if (type === 'calendar') return (await import('../icalendar/calendar.js')).calendarParts(bytes.toString());
  if (type === 'contacts') return (await import('../icalendar/contacts.js')).contactParts(bytes.toString());
  if (type === 'asciidoc') return (await import('../asciidoc/asciidoc.js')).asciidocParts(bytes.toString());
  if (type === 'code') return (await import('../code/code.js')).codeParts(bytes.toString(), name);
  if (type === 'docx') return (await import('../docx.js')).docxParts(bytes);
  if (type === 'spreadsheet') return (await import('../spreadsheet/spreadsheet.js')).spreadsheetParts(bytes);
  if (type === 'presentation') return (await import('../slides/presentation.js')).presentationParts(bytes);
  if (type === 'odt') return (await import('../odf/odt.js')).odtParts(bytes);
  if (type === 'epub') return (await import('../epub/epub.js')).epubParts(bytes);
  return (await import('../textual.js')).parseTextual({ type, text: bytes.toString() });
}
