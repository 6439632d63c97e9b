import { Readable } from 'node:stream';
import { type ExtendedFormidableOptions, koaBody } from 'koa-body';
import { slicer } from '../../core/async/slices.js';
import { SvcError } from '../../core/errors.js';
import { PIECE } from '../../core/json/json-pieces.js';
import type { Context } from '../route.js';
import type { Input } from '../routes/row.js';
import { parseJsonObject, requireJsonText } from './json.js';
import { gathered } from './receive.js';
import { filesInput, type UploadedFile, uploadInput } from './upload.js';

export const FIELD_BYTES = 1024 * 1024;
export const FIELDS = 100;
/** Files of one form, where it may have many. */
const FILES = 1000;

const readText = koaBody({
  json: false,
  urlencoded: false,
  multipart: false,
  // Read as text: the guard against `__proto__` looks at the text before it looks at the value.
  textTypes: ['json', '+json'],
  // The stream has a limit of its own.
  textLimit: Number.MAX_SAFE_INTEGER,
  patchKoa: true,
});

/**
 * Reads a stream as the JSON object that a request carries: with koa-body what is parsed at once, and what is longer, or
 * of unknown length, from its bytes. Bytes that are not UTF-8 are `invalid_input`.
 */
export async function readJsonBody(ctx: Context, stream: Readable): Promise<Input> {
  const json = requireJsonText(stream);
  const announced = Number(ctx.req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (announced > PIECE) return parseJsonObject(await gathered(json));
  const { body } = await readWith(readText, ctx, Readable.from(json));
  return parseJsonObject(typeof body === 'string' ? body : '');
}

/** Where the files of a form go, and whether it may have many. */
export interface FormOptions {
  readonly folder: string;
  readonly many: boolean;
}

/**
 * Reads a stream with koa-body as a multipart form. Returns fields as strings, the file under `file`, or all under
 * `files` where there may be many.
 */
export async function readForm(ctx: Context, stream: Readable, { folder, many }: FormOptions): Promise<Input> {
  const formidable: ExtendedFormidableOptions = {
    uploadDir: folder,
    maxFields: FIELDS,
    maxFieldsSize: FIELD_BYTES,
    maxFiles: many ? FILES : 8,
    // The stream has a limit of its own.
    maxFileSize: Number.MAX_SAFE_INTEGER,
    allowEmptyFiles: true,
    minFileSize: 0,
    // A part with a file name is a file; its type is optional (RFC 7578, section 4.4), and popular clients send none.
    onPart: (part, handle) => {
      if (part.originalFilename !== null && part.mimetype === null) part.mimetype = 'application/octet-stream';
      handle(part);
    },
  };
  const read = koaBody({ json: false, urlencoded: false, text: false, multipart: true, formidable });
  const { body, files } = await readWith(read, ctx, Readable.from(inPieces(stream))).catch((error: unknown) => {
    throw formError(error, many);
  });
  const inputOf = many ? filesInput : uploadInput;
  return inputOf(body as Input, (files ?? {}) as Record<string, UploadedFile | UploadedFile[]>);
}

/** Bytes of a form that are parsed in one step: the parser reports each line end by itself. */
const FORM_PIECE = 4096;

/** Passes chunks on in small pieces, and gives way to the event loop between them. */
async function* inPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pause = slicer();
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += FORM_PIECE) {
      await pause();
      yield chunk.subarray(start, start + FORM_PIECE);
    }
  }
}

interface ParsedRequest {
  readonly body?: unknown;
  readonly files?: unknown;
}

/** Lets koa-body read from a stream in the place of the request; the request's headers count. */
async function readWith(read: ReturnType<typeof koaBody>, ctx: Context, stream: Readable): Promise<ParsedRequest> {
  const source = Object.assign(stream, { headers: ctx.req.headers });
  await read(Object.create(ctx, { req: { value: source } }) as Parameters<typeof read>[0], () => Promise.resolve());
  return ctx.request as ParsedRequest;
}

/** Codes of formidable's errors that say more than "malformed". */
const FORM_ERRORS: Readonly<Record<number, string>> = {
  1006: `The form's fields together are longer than ${FIELD_BYTES} bytes; send long text as a file.`,
  1007: `The form has more than ${FIELDS} fields.`,
  1013: 'Content-Type must name the boundary of the multipart body.',
  1015: 'file must be sent once.',
};

function formError(error: unknown, many: boolean): SvcError {
  if (error instanceof SvcError) return error;
  const code = (error as { code?: number }).code ?? 0;
  const sentence =
    many && code === 1015 ? `files has more than ${FILES} parts; send them in several jobs.` : FORM_ERRORS[code];
  return new SvcError('invalid_input', sentence ?? 'The multipart body is malformed or ends too early.', undefined, {
    cause: error,
  });
}
