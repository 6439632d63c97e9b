import { statSync } from 'node:fs';

/** Returns what tells a directory from one that takes its place, as where a volume is mounted; undefined where none is. */
export function directoryIdentity(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true });
    return found.isDirectory() ? `${found.dev}:${found.ino}:${found.birthtimeNs}` : undefined;
  } catch {
    return undefined;
  }
}
