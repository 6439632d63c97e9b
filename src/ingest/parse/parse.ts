import { Worker } from 'node:worker_threads';
import { SvcError } from '../../core/errors.js';
import { cleanLongText, cleanText } from '../read/clean-text.js';
import { decodeText } from '../read/decode.js';
import type { DocumentType } from '../read/file-type.js';
import type { RawFile } from '../read/read.js';
import { frontMatter, markdownParts } from './markdown.js';
import type { Part } from './parts.js';
import { textParts } from './plain-text.js';

/** What a document holds, as a file of a known type or as a text of a request. */
export type Content =
  | Pick<RawFile, 'bytes' | 'name' | 'type'>
  | { readonly type: 'text' | 'markdown'; readonly text: string };

/** A document's parts, in order, and the title it gives itself outside of its text. */
export interface ParsedDocument {
  readonly title?: string;
  readonly parts: Iterable<Part>;
}

const TIMEOUT_MS = 180_000;
const MEMORY_MB = 1024;

/**
 * Parses a document by its type. PDF, DOCX and HTML are parsed in a worker thread, so that the event loop stays free.
 * Throws `invalid_input` for broken or textless input, `unsupported_media` where the bytes are no file of that type.
 */
export async function parse(content: Content, signal?: AbortSignal): Promise<ParsedDocument> {
  if ('text' in content) return parseText(content.text, content.type);
  if (content.type === 'text' || content.type === 'markdown') return parseTextFile(content, content.type);
  return parseFile(content, signal);
}

async function parseText(text: string, type: 'text' | 'markdown', missing = emptyText): Promise<ParsedDocument> {
  const clean = await cleanLongText(text);
  if (!/\S/u.test(clean)) throw missing();
  if (type === 'text') return { parts: { [Symbol.iterator]: () => textParts(clean) } };
  const { title } = frontMatter(clean);
  return {
    ...(title === undefined ? {} : { title }),
    parts: { [Symbol.iterator]: () => markdownParts(clean) },
  };
}

async function parseTextFile(
  file: Pick<RawFile, 'bytes' | 'name'>,
  type: 'text' | 'markdown',
): Promise<ParsedDocument> {
  return parseText(await decodeText(file.bytes), type, () =>
    broken(file, 'holds nothing but white space; there is nothing to ingest'),
  );
}

async function parseFile(file: RawFileContent, signal?: AbortSignal): Promise<ParsedDocument> {
  const parsed = await inWorker(await jobOf(file), file, signal);
  const parts = [...parsed.parts].map(cleanPart).filter((part) => part.text.trim() !== '');
  if (!parts.some((part) => /[\p{L}\p{N}]/u.test(part.text))) throw textless(file);
  return { ...parsed, parts };
}

type RawFileContent = Pick<RawFile, 'bytes' | 'name' | 'type'>;

async function jobOf({ bytes, name, type }: RawFileContent): Promise<Job> {
  if (type === 'html') return { type, text: await decodeText(bytes, declaredCharset(bytes)) };
  const magic = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (type === 'pdf' ? magic.includes('%PDF-') : magic.startsWith('PK')) return { type: type as 'pdf' | 'docx', bytes };
  throw new SvcError(
    'unsupported_media',
    `${name} is no ${type.toUpperCase()} file; say source_type if it is another.`,
    {
      member: 'source_path',
    },
  );
}

function emptyText(): SvcError {
  return new SvcError('invalid_input', 'text is empty; give the text to ingest.', { member: 'text' });
}

/** The charset that a page declares in its first kilobyte. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{2,40})/iu.exec(head)?.[1];
}

type Job = { type: Exclude<DocumentType, 'text' | 'markdown'>; bytes?: Uint8Array; text?: string };
type Answer = { parsed: { title?: string; parts: Part[] } } | { failed: { name: string; message: string } };

function inWorker(job: Job, file: Pick<RawFile, 'name' | 'type'>, signal?: AbortSignal): Promise<ParsedDocument> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  return new Promise<ParsedDocument>((resolve, reject) => {
    const timer = setTimeout(() => reject(broken(file, 'takes too long to read')), TIMEOUT_MS);
    const abort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    worker.once('message', (answer: Answer) => {
      if ('parsed' in answer) resolve(answer.parsed);
      else reject(failure(file, answer.failed));
    });
    worker.once('error', (error) => reject(broken(file, 'is damaged or too complex to read', error)));
    worker.once('exit', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      reject(broken(file, 'could not be read'));
    });
  }).finally(() => worker.terminate());
}

function failure(file: Pick<RawFile, 'name' | 'type'>, failed: { name: string; message: string }): SvcError {
  if (failed.name === 'PasswordException') return broken(file, 'is protected by a password; remove it');
  return broken(file, `is not a readable ${file.type.toUpperCase()} file`, failed);
}

function broken(file: Pick<RawFile, 'name'>, what: string, cause?: unknown): SvcError {
  return new SvcError('invalid_input', `${file.name} ${what}.`, { member: 'source_path' }, { cause });
}

function textless(file: Pick<RawFile, 'name' | 'type'>): SvcError {
  const hint =
    file.type === 'pdf' ? ' (scanned pages?); run text recognition on it first' : '; there is nothing to ingest';
  return new SvcError('invalid_input', `${file.name} holds no text${hint}.`, { member: 'source_path' });
}

function cleanPart(part: Part): Part {
  return { ...part, text: cleanText(part.text) };
}
