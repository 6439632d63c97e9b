import { extname } from 'node:path';
import { SvcError } from '../../core/errors.js';
import { typeName } from '../../core/wording/document-types.js';
import { charsetOf } from '../read/charset-of-type.js';
import { refuseBinary, utf8Of } from '../read/decode.js';
import { AS_TEXT } from '../read/file-type.js';
import type { RawFile } from '../read/read.js';
import { beginsAsMail, hasParts } from './mail/beginning.js';
import { refuseUnfilled } from './markdown/unfilled.js';
import type { Part } from './parts.js';
import { typeByContent } from './spreadsheet/type-by-content.js';
import { nameOfFile } from './titles/below-file.js';
import { belowTitle, isPlaceholder } from './titles/below-title.js';
import { BELOW_NAME, FILLED_LATER, TITLED, WRITTEN } from './titles/named-by.js';
import { batches } from './worker/batches.js';
import { ofMisnamed, refuseUnread } from './worker/misnamed.js';
import { type ParseJob, ParserFailed } from './worker/parser-process.js';
import { runParser } from './worker/pool.js';

type FileContent = Pick<RawFile, 'bytes' | 'name' | 'type' | 'table'>;

/** What a document holds: a file of a known type, or a text of a request. */
export type Content = FileContent | { readonly type: 'text' | 'markdown'; readonly text: string };

/** A document's parts, in order, and the names it gives itself outside of its text. */
export interface ParsedDocument {
  readonly title?: string;
  /** Other names by which it is to be found. */
  readonly aliases?: readonly string[];
  /** What a reader should know of how it was read. */
  readonly notice?: string;
  readonly parts: readonly Part[];
}

/** Texts up to this length, in characters, and files of text up to as many bytes are parsed at once; longer ones and other formats in a process of its own. */
const SHORT = 4096;

/**
 * Parses a document by its type, within `LIMITS`. Throws `invalid_input` for broken or textless input, `unsupported_media`
 * where the bytes are no file of that type, `too_large` that names the limit.
 */
export async function parse(content: Content, signal?: AbortSignal): Promise<ParsedDocument> {
  try {
    return await parseAsNamed(content, signal);
  } catch (error) {
    throw 'text' in content ? error : ofMisnamed(error, content);
  }
}

async function parseAsNamed(content: Content, signal?: AbortSignal): Promise<ParsedDocument> {
  const job = 'text' in content ? content : await jobOf(content);
  const short = shortText(job);
  const parsed = short === undefined ? await inWorker(job, content, signal) : await parseShort(short, content);
  if (!parsed.parts.some((part) => hasText(part, job.type))) throw textless(content, parsed.notice);
  if (job.type === 'markdown' && 'bytes' in content) refuseUnfilled(content, parsed.parts);
  if (BELOW_NAME.has(job.type) && 'name' in content) return belowName(content.name, parsed);
  if (isPlainMail(job, content)) return { ...parsed, notice: NO_MAIL };
  if (!TITLED.has(job.type) || parsed.title === undefined) return parsed;
  if (job.type === 'html' && isPlaceholder(parsed.title)) return withoutTitle(parsed);
  return { ...parsed, parts: [...belowTitle(parsed.title, parsed.parts)] };
}

/** Returns a document as one that gives itself no title: its file names it. */
function withoutTitle({ title: _, ...others }: ParsedDocument): ParsedDocument {
  return others;
}

/**
 * Returns the rows of a table, or what stands on a canvas, below the name that it has or that of its file, which says what they are: "stock > Copper kettle". A first sheet that is
 * called so says no more.
 */
function belowName(file: string, { parts, ...names }: ParsedDocument): ParsedDocument {
  const text = names.title ?? nameOfFile(file);
  const [first] = parts;
  const isSame = first?.kind === 'heading' && first.text.toLowerCase() === text.toLowerCase();
  return { ...names, parts: [{ kind: 'heading', level: 1, text }, ...(isSame ? parts.slice(1) : parts)] };
}

/** Lets everything but white space count as text of a text file, and only letters and digits of other formats. */
function hasText(part: Part, type: ParseJob['type']): boolean {
  return (type === 'text' || type === 'rst' || type === 'markdown' ? /\S/u : /[\p{L}\p{N}]/u).test(part.text);
}

/** Extensions of a mail, and of a box of mails. */
const MAILS = new Set(['.eml', '.mbox']);
const NO_MAIL =
  'It does not begin as a mail does, with lines such as "From: …" and "Subject: …", and was read as plain text; save the mail anew to have who wrote it, to whom and when.';

/** Returns whether a file that is called a mail is none. */
function isPlainMail({ type }: ParseJob, content: Content): boolean {
  return type === 'text' && 'name' in content && MAILS.has(extname(content.name).toLowerCase());
}

/** How files of Office begin that are encrypted, or older than DOCX. */
const COMPOUND = '\xd0\xcf\x11\xe0';
const ZIP = 'PK';
/** How files begin that are no text. */
const BEGINNINGS: Partial<Record<ParseJob['type'], readonly string[]>> = {
  pdf: ['%PDF-'],
  docx: [ZIP],
  spreadsheet: [ZIP, COMPOUND, '\t\0', '\t\x02', '\t\x04', '\t\b'],
  presentation: [ZIP],
  odt: [ZIP],
  epub: [ZIP],
};

/** Programs whose older files begin as encrypted ones do, and what helps with both. */
const OLDER: Partial<Record<ParseJob['type'], string>> = {
  docx: 'Word; remove the password or save it as DOCX',
  presentation: 'PowerPoint; remove the password or save it as PPTX',
};

async function jobOf({ bytes, name, type }: FileContent): Promise<ParseJob> {
  refuseUnread({ bytes, name, type });
  const charset = charsetOf(type);
  if (type === 'code') return { type, bytes: await utf8Of(bytes, charset?.detect).catch(leaveOut), name };
  if (charset !== undefined) return { type, bytes: await utf8Of(bytes, charset.detect, charset.advice) };
  const extension = extname(name).toLowerCase();
  // A mail says itself how its bytes are to be read; what is none is a plain text.
  if (type === 'text' && MAILS.has(extension) && beginsAsMail(bytes)) {
    const isBox = extension === '.mbox';
    // What is attached may stand there as the bytes that it is.
    if (!hasParts(bytes, isBox)) refuseBinary(bytes);
    return { type: isBox ? 'mbox' : 'eml', bytes };
  }
  // A plain text whose marks have a meaning.
  if (type === 'text' && extension === '.rst') return { type: 'rst', bytes: await utf8Of(bytes) };
  const content = type === 'spreadsheet' ? typeByContent(bytes) : undefined;
  if (content === 'xml') return { type, bytes: await utf8Of(bytes) };
  if (content !== undefined) return jobOf({ bytes, name, type: content });
  const beginnings = BEGINNINGS[type];
  if (beginnings === undefined) return { type, bytes: await utf8Of(bytes) };
  const magic = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (type === 'pdf' ? magic.includes('%PDF-') : beginnings.some((one) => magic.startsWith(one)))
    return { type, bytes };
  const older = magic.startsWith(COMPOUND) ? OLDER[type] : undefined;
  const sentence =
    older === undefined
      ? `${name} is no ${typeName(type)} file; say source_type if it is another.`
      : `${name} is protected by a password, or of an older ${older}.`;
  throw new SvcError('unsupported_media', sentence, { member: 'source_path' });
}

/** Throws the refusal of a file as one that is left out below a directory: a film may be called as code is (`.ts`). */
function leaveOut(error: unknown): never {
  if (!(error instanceof SvcError)) throw error;
  throw new SvcError(error.code, error.message, { ...error.details, skipped: true }, { cause: error });
}

/** Types that take a process of their own at any length: what reads them may take long for a few lines. */
const OUTSIDE = [
  'asciidoc',
  'code',
  'pdf',
  'docx',
  'eml',
  'mbox',
  'yaml',
  'spreadsheet',
  'presentation',
  'odt',
  'epub',
  'calendar',
  'contacts',
] as const;
type TextualType = Exclude<ParseJob['type'], (typeof OUTSIDE)[number]>;

interface Textual {
  readonly type: TextualType;
  readonly text: string;
}

/** Returns a job whose text is short; undefined for another. */
function shortText(job: ParseJob): Textual | undefined {
  if ('text' in job) return job.text.length <= SHORT ? job : undefined;
  const { type, bytes } = job;
  if (!isTextual(type) || bytes.length > SHORT) return undefined;
  return { type, text: Buffer.from(bytes).toString() };
}

function isTextual(type: ParseJob['type']): type is TextualType {
  return !OUTSIDE.some((one) => one === type);
}

async function parseShort(textual: Textual, content: Content): Promise<ParsedDocument> {
  const { parseTextual } = await import('./textual.js');
  try {
    const { parts, aliases, ...names } = parseTextual(textual);
    const read = [...batches(undefined, parts, { aliases })];
    return { ...read[0], ...names, parts: read.flatMap((batch) => batch.parts) };
  } catch (error) {
    throw refusal(new ParserFailed(error as Error & { limit?: string }), content);
  }
}

async function inWorker(job: ParseJob, content: Content, signal?: AbortSignal): Promise<ParsedDocument> {
  try {
    return await runParser(job, signal);
  } catch (error) {
    throw error instanceof ParserFailed ? refusal(error, content) : error;
  }
}

function refusal(error: ParserFailed, content: Content): SvcError {
  const { name, message, limit } = error.failure;
  if (limit !== undefined) return refused(content, message, { code: 'too_large', limit });
  if (name === 'NoRecords') return noTable(content, message);
  if (name === 'NoFeed') return noFeed(content, message);
  if (name === 'BrokenRecord') return refused(content, message);
  if (name === 'MadeByProgram') return made(content, message);
  if (name === 'PasswordException') return refused(content, 'is protected by a password; save it without the password');
  if (name === 'DigitalRights')
    return refused(
      content,
      'is protected against copying (DRM): only its shop opens it; ingest a copy without protection',
    );
  return refused(
    content,
    `is not a readable ${typeName(content.type)} file: damaged, cut off, or of another type; save it anew`,
    { cause: error },
  );
}

/** Returns the refusal of a file of JSON that is no document: below a directory it is left out. */
function noTable(content: Content, holds: string): SvcError {
  const name = 'name' in content ? content.name : 'text';
  const other = `${name} holds no object and no list of records; ${AS_TEXT}; concepts and edges are taken by structured ingest, a chat export as messages.`;
  const sentences: Readonly<Record<string, string>> = {
    messages: `${name} holds messages; ingest them as messages (svc ingest --type messages), which keeps who said what, or the file by itself with source_type text, as plain text.`,
    trashed: `${name} is a note in the trash; take it out of the trash of Google Keep and export it anew, or ${AS_TEXT}.`,
    empty: `${name} holds nothing; there is nothing to ingest.`,
    broken: `${name} is no JSON: cut off, damaged, or with comments; mend it, or ${AS_TEXT}.`,
    other,
    none: other,
  };
  const details = {
    ...(holds === 'empty' || holds === 'none' ? { empty: true } : {}),
    ...(holds === 'trashed' ? { withdrawn: true } : {}),
  };
  return new SvcError('unsupported_media', sentences[holds]!, { member: 'source_path', skipped: true, ...details });
}

/** What helps with files of XML that are no feeds, by the element that opens them. */
const OF_ROOT: Readonly<Record<string, string>> = {
  urlset: 'is a sitemap, which holds addresses and no text; save the pages that it names and ingest these',
  sitemapindex:
    'is a list of sitemaps, which hold addresses and no text; save the pages that they name and ingest these',
  mediawiki: 'is a dump of MediaWiki; convert its pages to Markdown or HTML and ingest these',
  posts: 'is a dump of Stack Exchange; convert it to CSV or JSON Lines and ingest that',
  'en-export': 'is an export of Evernote; name it so that it ends in .enex, or say source_type evernote',
  opml: 'is OPML; name it so that it ends in .opml, or say source_type opml',
};

/** Returns the refusal of a file of XML that is no feed: below a directory it is left out. */
function noFeed(content: Content, root: string): SvcError {
  const name = 'name' in content ? content.name : 'text';
  const problem = OF_ROOT[root] ?? `holds no feed in RSS or Atom; ${AS_TEXT}`;
  return new SvcError('unsupported_media', `${name} ${problem}.`, { member: 'source_path', skipped: true });
}

/** Returns the refusal of code that nobody wrote: below a directory it is left out. */
function made(content: Content, problem: string): SvcError {
  const name = 'name' in content ? content.name : 'text';
  const sentence = `${name} ${problem}; ${AS_TEXT}.`;
  return new SvcError('unsupported_media', sentence, { member: 'source_path', skipped: true });
}

function textless(content: Content, notice?: string): SvcError {
  if ('text' in content) return refused(content, 'is empty; give the text to ingest');
  if (content.type === 'pdf')
    return refused(content, 'holds no text (scanned pages?); run text recognition on it first');
  if (notice !== undefined) return refused(content, `holds no text. ${notice.replace(/\.$/u, '')}`);
  const isText = WRITTEN.has(content.type);
  const empty = isText || FILLED_LATER.has(content.type);
  return refused(content, `holds ${isText ? 'nothing but white space' : 'no text'}; there is nothing to ingest`, {
    empty,
  });
}

function refused(
  content: Content,
  problem: string,
  {
    code = 'invalid_input',
    limit,
    cause,
    empty = false,
  }: { code?: 'invalid_input' | 'too_large'; limit?: string; cause?: unknown; empty?: boolean } = {},
): SvcError {
  const [subject, member] = 'text' in content ? ['text', 'text'] : [content.name, 'source_path'];
  const details = { member, ...(limit === undefined ? {} : { limit }), ...(empty ? { empty } : {}) };
  return new SvcError(code, `${subject} ${problem}.`, details, { cause });
}
