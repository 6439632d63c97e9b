import { statSync } from 'node:fs';
import { lostStore } from './storage-problem.js';

/**
 * Returns a check that throws `unavailable` once the file is removed or replaced: a process that has it open goes on
 * writing where nobody will find it. SQLite asks the same by inode (`fileHasMoved` of os_unix.c), but not with a log.
 */
export function sameFile(file: string): () => void {
  const { ino } = statSync(file);
  return () => {
    if (statSync(file, { throwIfNoEntry: false })?.ino !== ino) throw lostStore('file');
  };
}
