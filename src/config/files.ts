import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { SvcError } from '../core/errors.js';
import { packageRoot } from '../core/package-root.js';

/** Reads a YAML file of `config/`; the members of the file at the path `over` win over it. */
export function configFile(name: string, over: string | null = null): unknown {
  const base = yaml(join(packageRoot(), 'config', name));
  return over === null ? base : { ...(base as object), ...(yaml(resolve(over)) as object) };
}

function yaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8')) as unknown;
  } catch (cause) {
    throw new SvcError('invalid_input', `${path} is not a readable YAML file.`, undefined, { cause });
  }
}
