import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the start of an upload folder's name: it holds the process, so that a later start knows whether it is still
 * in use.
 */
export function uploadPrefix(): string {
  return `svc-upload-${process.pid}-`;
}

/** Removes the folders of uploads that a killed process left in the temporary folder. Call it before serving. */
export async function removeStaleUploads(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = Number(/^svc-upload-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    // A folder of our own number is of a process before us, as in a container that was started anew.
    if (Number.isNaN(pid) || (pid !== process.pid && isAlive(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
