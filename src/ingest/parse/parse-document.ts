import { Worker } from 'node:worker_threads';
import { SvcError } from '../../core/errors.js';
import { cleanLongText, cleanText } from '../read/clean-text.js';
import { decodeText } from '../read/decode.js';
import type { DocumentType } from '../read/file-type.js';
import type { RawDocument } from '../read/read-file.js';
import { frontMatter, markdownParts } from './markdown.js';
import type { Part } from './parts.js';
import { textParts } from './plain-text.js';

/** A document's parts, in order, and the title it gives itself outside of its text. */
export interface ParsedDocument {
  readonly title?: string;
  readonly parts: Iterable<Part>;
}

const TIMEOUT_MS = 180_000;
const MEMORY_MB = 1024;

/**
 * Reads bytes as a document of their type. PDF, DOCX and HTML are parsed in a worker thread, so that the event loop stays
 * free. Throws `invalid_input` for broken or textless files, `unsupported_media` where the bytes are no such file.
 */
export async function parseDocument(
  raw: Pick<RawDocument, 'bytes' | 'name' | 'type'>,
  signal?: AbortSignal,
): Promise<ParsedDocument> {
  const parsed = await parse(raw, signal);
  if (raw.type === 'text' || raw.type === 'markdown') return parsed;
  const parts = [...parsed.parts].map(cleanPart).filter((part) => part.text.trim() !== '');
  if (!parts.some((part) => /[\p{L}\p{N}]/u.test(part.text))) throw textless(raw);
  return { ...parsed, parts };
}

/** The same for a text that is at hand. `invalid_input` where nothing but white space is in it. */
export async function parseText(text: string, format: 'text' | 'markdown'): Promise<ParsedDocument> {
  const clean = await cleanLongText(text);
  if (!/\S/u.test(clean)) {
    throw new SvcError('invalid_input', 'text is empty; give the text to ingest.', { member: 'text' });
  }
  if (format === 'text') return { parts: { [Symbol.iterator]: () => textParts(clean) } };
  const { title } = frontMatter(clean);
  return {
    ...(title === undefined ? {} : { title }),
    parts: { [Symbol.iterator]: () => markdownParts(clean) },
  };
}

async function parse(raw: Pick<RawDocument, 'bytes' | 'name' | 'type'>, signal?: AbortSignal): Promise<ParsedDocument> {
  const { bytes, type } = raw;
  if (type === 'text' || type === 'markdown') return textFile(raw, type);
  if (type === 'html') return inWorker({ type, text: await decodeText(bytes, declaredCharset(bytes)) }, raw, signal);
  const magic = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (type === 'pdf' ? !magic.includes('%PDF-') : !magic.startsWith('PK')) {
    throw new SvcError(
      'unsupported_media',
      `${raw.name} is no ${type.toUpperCase()} file; say source_type if it is another.`,
      {
        member: 'source_path',
      },
    );
  }
  return inWorker({ type, bytes }, raw, signal);
}

async function textFile(raw: Pick<RawDocument, 'bytes' | 'name'>, type: 'text' | 'markdown'): Promise<ParsedDocument> {
  const text = await decodeText(raw.bytes);
  if (!/[^\s\ufeff]/u.test(text)) {
    throw new SvcError('invalid_input', `${raw.name} holds nothing but white space; there is nothing to ingest.`, {
      member: 'source_path',
    });
  }
  return parseText(text, type);
}

/** The charset that a page declares in its first kilobyte. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{2,40})/iu.exec(head)?.[1];
}

type Job = { type: Exclude<DocumentType, 'text' | 'markdown'>; bytes?: Uint8Array; text?: string };
type Answer = { parsed: { title?: string; parts: Part[] } } | { failed: { name: string; message: string } };

function inWorker(job: Job, raw: Pick<RawDocument, 'name' | 'type'>, signal?: AbortSignal): Promise<ParsedDocument> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  return new Promise<ParsedDocument>((resolve, reject) => {
    const timer = setTimeout(() => reject(broken(raw, 'takes too long to read')), TIMEOUT_MS);
    const abort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    worker.once('message', (answer: Answer) => {
      if ('parsed' in answer) resolve(answer.parsed);
      else reject(failure(raw, answer.failed));
    });
    worker.once('error', (error) => reject(broken(raw, 'is damaged or too complex to read', error)));
    worker.once('exit', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      reject(broken(raw, 'could not be read'));
    });
  }).finally(() => worker.terminate());
}

function failure(raw: Pick<RawDocument, 'name' | 'type'>, failed: { name: string; message: string }): SvcError {
  if (failed.name === 'PasswordException') return broken(raw, 'is protected by a password; remove it');
  return broken(raw, `is not a readable ${raw.type.toUpperCase()} file`, failed);
}

function broken(raw: Pick<RawDocument, 'name'>, what: string, cause?: unknown): SvcError {
  return new SvcError('invalid_input', `${raw.name} ${what}.`, { member: 'source_path' }, { cause });
}

function textless(raw: Pick<RawDocument, 'name' | 'type'>): SvcError {
  const hint =
    raw.type === 'pdf' ? ' (scanned pages?); run text recognition on it first' : '; there is nothing to ingest';
  return new SvcError('invalid_input', `${raw.name} holds no text${hint}.`, { member: 'source_path' });
}

function cleanPart(part: Part): Part {
  return { ...part, text: cleanText(part.text) };
}
