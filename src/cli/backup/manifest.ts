import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SvcError } from '../../core/errors.js';

export const MANIFEST = 'manifest.json';
/** Folder of the archive that holds the parts. */
export const PARTS = 'data';

/** A file of a backup; its path is relative to the data directory, with `/`. */
export interface Part {
  readonly path: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export interface Manifest {
  readonly format: 'svc-backup';
  readonly version: 1;
  /** ISO 8601. */
  readonly created_at: string;
  /** Of the program that made it. */
  readonly service_version: string;
  readonly parts: readonly Part[];
}

/** Returns every file below a folder as a part of a backup. */
export async function partsOf(folder: string): Promise<Part[]> {
  const parts: Part[] = [];
  for (const path of filesBelow(folder)) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const name = relative(folder, path).split(sep).join('/');
    parts.push({ path: name, bytes: lstatSync(path).size, sha256: hash.digest('hex') });
  }
  return parts;
}

/** Throws `invalid_input` where the files below a folder are not exactly those of the manifest. */
export async function requireParts(folder: string, { parts }: Manifest): Promise<void> {
  const found = new Map((await partsOf(folder)).map((part) => [part.path, part]));
  for (const { path, sha256 } of parts) {
    const part = found.get(path);
    if (part === undefined) throw damaged(`${path} is missing`);
    if (part.sha256 !== sha256) throw damaged(`${path} has another checksum`);
    found.delete(path);
  }
  const [other] = found.keys();
  if (other !== undefined) throw damaged(`${other} is not in its manifest`);
}

/** Reads a manifest. Throws `invalid_input` for what is none. */
export function parseManifest(text: string): Manifest {
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(text) as Partial<Manifest>;
  } catch (cause) {
    throw damaged('its manifest is not JSON', cause);
  }
  if (manifest.format !== 'svc-backup' || !Array.isArray(manifest.parts))
    throw damaged('it is no backup of this service');
  if (manifest.version !== 1) {
    throw new SvcError('unsupported', 'The backup has a newer format; restore it with the version that made it.');
  }
  return manifest as Manifest;
}

export function damaged(what: string, cause?: unknown): SvcError {
  const sentence = `The backup cannot be restored: ${what}. Use another one; nothing was changed.`;
  return new SvcError('invalid_input', sentence, undefined, { cause });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    if (!entry.isFile()) throw damaged(`${entry.name} is not a file`);
    return [path];
  });
}
