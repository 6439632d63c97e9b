import { SvcError } from '../../core/errors.js';
import type { Input } from '../routes/row.js';

/** A file part, as formidable describes it: where its content lies, and the name it was sent with. */
export interface UploadedFile {
  readonly filepath: string;
  readonly originalFilename: string | null;
}

/** The files of a form, as this process spooled them: JSON that a caller sends is never one. */
class SpooledFiles {
  constructor(readonly parts: readonly UploadedFile[]) {}
}

type Files = Readonly<Record<string, UploadedFile | UploadedFile[]>>;

/** Returns the fields of a form and its file parts, all named `files`, as one member; any other file is `invalid_input`. */
export function filesInput(fields: Input, { files, ...others }: Files): Input {
  const [other] = Object.keys(others);
  if (other !== undefined) throw refused(other, 'is not expected to be a file; the file parts are files');
  for (const name of ['files', 'paths', 'uploads']) {
    if (Object.hasOwn(fields, name)) throw refused(name, 'must not be a field of a form; send file parts named files');
  }
  return { ...filledIn(fields), files: new SpooledFiles(files === undefined ? [] : [files].flat()) };
}

/** Returns the fields that were filled in: browsers send the others empty. */
function filledIn(fields: Input): Input {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** Accepts paths, or the files of a form as uploads: the operation gets nothing else that the sender chose. */
export function acceptFiles({ uploads: _, files, ...input }: Input): Input {
  if (!(files instanceof SpooledFiles)) return input;
  const { parts } = files;
  const { paths: _paths, ...fields } = input;
  if (parts.length === 0) throw refused('files', 'is missing; send at least one file part of that name');
  const names = new Set(parts.map(nameOf));
  if (names.has('')) throw refused('files', 'has a part without a name; its type is read from it');
  if (names.size < parts.length)
    throw refused('files', 'has two parts of one name, of which one would replace the other');
  return { ...fields, uploads: parts.map((file) => ({ temporary_path: file.filepath, file_name: nameOf(file) })) };
}

/** Returns the fields of a form and its one file part under `file`; any other file is `invalid_input`. */
export function uploadInput(fields: Input, files: Files): Input {
  const { file, ...others } = files;
  const [other] = Object.keys(others);
  if (other !== undefined) throw refused(other, 'is not expected to be a file; the file part is file');
  if (Object.hasOwn(fields, 'file')) throw refused('file', 'must be a file part with a file name');
  if (Array.isArray(file)) throw refused('file', 'must be sent once');
  return { ...filledIn(fields), ...(file === undefined ? {} : { file }) };
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

function nameOf(file: UploadedFile): string {
  return lastPart(file.originalFilename ?? '');
}

/** Line breaks as a form writes them in a name (HTML, multipart/form-data encoding), controls, and marks that turn the direction of text. */
const NOT_SHOWN = /(?:%0[AD]|[\p{Cc}\u202a-\u202e\u2066-\u2069])+/gu;

/** Returns a file name without the folders before it, on one line. */
function lastPart(name: string): string {
  return (name.split(/[/\\]/).at(-1) ?? '').replace(NOT_SHOWN, ' ').trim();
}

function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && 'filepath' in value && 'originalFilename' in value;
}
