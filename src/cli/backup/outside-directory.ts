import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { SvcError } from '../../core/errors.js';

/** Throws `invalid_input` where the real path of a file, which need not exist, lies inside a directory; `fix` says what to do. */
export function requireOutside(directory: string, file: string, fix: string): void {
  const path = relative(realPathOf(directory), realPathOf(file));
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  if (!isOutside) throw new SvcError('invalid_input', `${file} lies inside the data directory ${directory}; ${fix}.`);
}

/** Follows links as far as the path exists. */
function realPathOf(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute) || dirname(absolute) === absolute) return realpathSync(absolute);
  return join(realPathOf(dirname(absolute)), basename(absolute));
}
