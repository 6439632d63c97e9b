import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { SvcError } from '../core/errors.js';
import { packageRoot } from '../core/package-root.js';

/** What files of `config/` hold, by name: services that one process opens after another read them once. */
const read = new Map<string, unknown>();

/** Reads a YAML file of `config/`; the members of the file at the path `over` win over it. The value is the caller's own. */
export function configFile(name: string, over: string | null = null): unknown {
  if (!read.has(name)) read.set(name, yaml(join(packageRoot(), 'config', name)));
  const base = structuredClone(read.get(name));
  return over === null ? base : { ...(base as object), ...(yaml(resolve(over)) as object) };
}

function yaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8')) as unknown;
  } catch (cause) {
    throw new SvcError('invalid_input', `${path} is not a readable YAML file.`, undefined, { cause });
  }
}
