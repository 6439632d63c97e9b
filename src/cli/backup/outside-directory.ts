import { isAbsolute, relative, sep } from 'node:path';
import { SvcError } from '../../core/errors.js';
import { realPath } from '../../core/files/real-path.js';

/** Throws `invalid_input` where the real path of a file, which need not exist, lies inside a directory; `fix` says what to do. */
export function requireOutside(directory: string, file: string, fix: string): void {
  const path = relative(realPath(directory), realPath(file));
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  if (!isOutside) throw new SvcError('invalid_input', `${file} lies inside the data directory ${directory}; ${fix}.`);
}
