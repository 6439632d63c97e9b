import { SvcError } from '../../core/errors.js';
import type { Input } from '../route.js';

/** A file part, as formidable describes it: where its content lies, and the name it was sent with. */
export interface UploadedFile {
  readonly filepath: string;
  readonly originalFilename: string | null;
}

/** Returns the fields of a form and its one file part under `file`; any other file is `invalid_input`. */
export function uploadInput(fields: Input, files: Readonly<Record<string, UploadedFile | UploadedFile[]>>): Input {
  const { file, ...others } = files;
  const [other] = Object.keys(others);
  if (other !== undefined) throw refused(other, 'is not expected to be a file; the file part is file');
  if (Object.hasOwn(fields, 'file')) throw refused('file', 'must be a file part with a file name');
  if (Array.isArray(file)) throw refused('file', 'must be sent once');
  return { ...fields, ...(file === undefined ? {} : { file }) };
}

/** Accepts a row's upload: the operation gets the temporary path and the name, nothing that the sender chose. */
export function acceptUpload(input: Input): Input {
  const { file, temporary_path: _path, file_name: _name, ...fields } = input;
  if (!isUploadedFile(file)) throw refused('file', 'is missing; send it as a file part of the form');
  const name = lastPart(file.originalFilename ?? '');
  if (name === '') throw refused('file', 'has no name; its type is read from it');
  return { ...fields, temporary_path: file.filepath, file_name: name };
}

function refused(member: string, complaint: string): SvcError {
  return new SvcError('invalid_input', `${member} ${complaint}.`, { member });
}

/** Returns a file name without the folders before it. */
function lastPart(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? '';
}

function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && 'filepath' in value && 'originalFilename' in value;
}
