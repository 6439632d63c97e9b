import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot } from '../core/package-root.js';

export const SEED_SCHEMA = 'seed.v1.schema.json';
export const EVENT_SCHEMA = 'event.v1.schema.json';

/** Returns the text of a schema file of the package. */
export function schemaText(name: string): string {
  return readFileSync(join(packageRoot(), 'schemas', name), 'utf8');
}

/** Writes both schemas into a directory, which is made where it is missing; returns their paths. */
export function exportSchemas(directory: string): string[] {
  mkdirSync(directory, { recursive: true });
  return [SEED_SCHEMA, EVENT_SCHEMA].map((name) => {
    const path = resolve(directory, name);
    writeFileSync(path, schemaText(name));
    return path;
  });
}
