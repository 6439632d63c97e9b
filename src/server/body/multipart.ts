import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { SvcError } from '../../core/errors.js';
import type { Input } from '../route.js';
import type { RawBody } from './receive.js';

/** A file part: where its content lies (inside the request's temporary folder) and the name it was sent with. */
export interface UploadedFile {
  readonly path: string;
  readonly name: string;
}

const FIELD_BYTES = 1024 * 1024;
const FIELDS = 100;

/** The fields of a spooled multipart body as strings, and its one file part under `file`. */
export async function parseMultipart(raw: Extract<RawBody, { kind: 'file' }>, contentType: string): Promise<Input> {
  const fields: Input = {};
  const failures: SvcError[] = [];
  const fail = (sentence: string) => failures.push(new SvcError('invalid_input', sentence));
  let writing: Promise<void> | undefined;

  const parser = opened(contentType);
  parser.on('field', (name: string, value: string, _nameTruncated: boolean, truncated: boolean) => {
    if (truncated) fail(`${name} is longer than ${FIELD_BYTES} bytes; send it as a file.`);
    if (name === 'file') fail('file must be a file part with a file name.');
    else if (name !== '__proto__') fields[name] = value;
  });
  parser.on('file', (name: string, stream: Readable, fileName: string) => {
    if (name !== 'file' || writing !== undefined) {
      fail(
        name === 'file' ? 'file must be sent once.' : `${name} is not expected to be a file; the file part is file.`,
      );
      stream.resume();
      return;
    }
    const path = join(raw.folder, 'file');
    fields.file = { path, name: fileName } satisfies UploadedFile;
    writing = pipeline(stream, createWriteStream(path, { mode: 0o600 }));
    // A torn part fails here and in the parser; the parser's error is the one reported.
    writing.catch(() => undefined);
  });
  parser.on('fieldsLimit', () => fail(`The form has more than ${FIELDS} fields.`));

  try {
    await pipeline(createReadStream(raw.path), parser);
    await writing;
  } catch (cause) {
    throw new SvcError('invalid_input', 'The multipart body is malformed or ends too early.', undefined, { cause });
  }
  if (failures[0] !== undefined) throw failures[0];
  return fields;
}

function opened(contentType: string) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: FIELD_BYTES, fields: FIELDS, files: 8, headerPairs: 50 },
    });
  } catch (cause) {
    throw new SvcError('invalid_input', 'Content-Type must name the boundary of the multipart body.', undefined, {
      cause,
    });
  }
}

/** `accept` of a row that takes a file: the operation gets the temporary path and the name, nothing the sender chose. */
export function acceptUpload(input: Input): Input {
  const { file, temporary_path: _path, file_name: _name, ...fields } = input;
  if (!isUploadedFile(file))
    throw new SvcError('invalid_input', 'file is missing; send it as a file part of the form.', { member: 'file' });
  if (file.name === '')
    throw new SvcError('invalid_input', 'file has no name; its type is read from it.', { member: 'file' });
  return { ...fields, temporary_path: file.path, file_name: file.name };
}

function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && 'path' in value && 'name' in value;
}
