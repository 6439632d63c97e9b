import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '../core/errors.js';

/** Says that the directory has a store: one that is missing or empty later was lost. */
const MARKER = 'svc.store.json';
/** What else only a store leaves behind: its log, and graphs of its vector indexes. */
const TRACES = [MARKER, 'svc.sqlite-wal', 'vectors'];

/** Throws `unavailable` where the store of a directory is missing or empty beside other files that came from it. */
export function requireStoreFile(directory: string): void {
  const file = join(directory, 'svc.sqlite');
  const empty = existsSync(file);
  if (empty && statSync(file).size > 0) return;
  const found = TRACES.filter((name) => holdsSomething(join(directory, name)));
  if (found.length === 0) return;
  const state = empty ? 'is empty' : 'is missing';
  throw new SvcError(
    'unavailable',
    `${file} ${state}, but ${found.join(' and ')} beside it came from a store; restore a backup of it, or move these away to begin anew.`,
    { part: 'store', reason: 'lost' },
  );
}

/** Returns a sentence where a directory holds a store of SQLite though another store is configured. */
export function storeLeftBehind(directory: string): string | undefined {
  const file = join(directory, 'svc.sqlite');
  if (!existsSync(file) || statSync(file).size === 0) return undefined;
  return `${file} holds a store that SVC_STORE=postgres does not read: what it knows is in PostgreSQL only where it was moved (\`svc migrate store --to postgres\`). Unset SVC_STORE to serve it as it is; move the file away once nobody needs it.`;
}

/** Notes that the directory has a store now. */
export function markStore(directory: string): void {
  const path = join(directory, MARKER);
  if (!existsSync(path)) writeFileSync(path, `${JSON.stringify({ store: 'svc.sqlite' })}\n`, { mode: 0o600 });
}

function holdsSomething(path: string): boolean {
  if (!existsSync(path)) return false;
  const found = statSync(path);
  return found.isDirectory() ? readdirSync(path).length > 0 : found.size > 0;
}
