import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SvcError } from './errors.js';

/** Returns the folder that holds package.json, config/, models/ and schemas/: the same from the sources and the build. */
export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'config', 'default.yaml'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new SvcError('internal', 'config/default.yaml is missing from the installation.');
    directory = parent;
  }
  return directory;
}
