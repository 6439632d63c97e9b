import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { filesBelow, isHiddenName, isLinkLeftOut, isReadBelow } from '../../../ingest/read/below.js';
import { directoryIdentity } from '../../../ingest/read/directory-identity.js';

/** A file that is still being written is read when it has not changed for so long, ms. */
export const QUIET_MS = 300;

export type Change = { readonly path: string } | 'removed';

interface WatchedOptions {
  readonly followLinks: boolean;
  /** Called where something changed. */
  readonly wake: () => void;
}

/**
 * A file or directory that is watched, and what changed there. A directory can go away and another one come in its place:
 * a folder that is made anew, or a volume that is mounted.
 */
export class WatchedPath {
  readonly isDirectory: boolean;
  /** The real path of a directory, from when it was last there. */
  real = '';
  private watcher: FSWatcher | undefined;
  private identity: string | undefined;
  private readonly changed = new Set<string>();
  private readonly read = new Set<string>();
  private removed = false;
  private notedAt = 0;

  constructor(
    readonly path: string,
    private readonly options: WatchedOptions,
  ) {
    this.isDirectory = directoryIdentity(path) !== undefined;
  }

  /** Watches what is there now, and no more what was there before. */
  async open(): Promise<void> {
    await this.close();
    this.identity = directoryIdentity(this.path);
    if (this.isDirectory && !this.isThere) return;
    const { path } = this;
    if (this.isDirectory) this.real = realpathSync(path);
    const top = this.real;
    const { followLinks } = this.options;
    const isLeftOut = (found: string): boolean =>
      isHiddenName(basename(found)) || (this.isDirectory && isLinkLeftOut(found, top, { followLinks }));
    const watcher = watch(path, {
      ignoreInitial: true,
      ignored: (found) => found !== path && isLeftOut(found),
      awaitWriteFinish: { stabilityThreshold: QUIET_MS, pollInterval: 100 },
    });
    this.watcher = watcher;
    watcher.on('all', (event, found) => this.note(event, found));
    await new Promise<void>((ready) => watcher.once('ready', ready));
  }

  async close(): Promise<void> {
    await this.watcher?.close();
    this.watcher = undefined;
    this.take();
  }

  /** Returns whether the directory went away, or another one came, since it was opened. */
  get isOther(): boolean {
    return this.isDirectory && directoryIdentity(this.path) !== this.identity;
  }

  /** False of a directory that was away when it was opened. */
  get isThere(): boolean {
    return this.identity !== undefined;
  }

  /** Returns whether the directory holds a file to read. One that holds none may be where a volume is to be mounted. */
  async holdsDocument(): Promise<boolean> {
    for await (const file of filesBelow(this.path, this.options))
      if (!file.outside && file.closed !== true && isReadBelow(this.path, file)) return true;
    return false;
  }

  /** Follows a file that its name alone would leave out, but which was read: it was named before. */
  noteRead(path: string): void {
    this.read.add(path);
  }

  get isChanged(): boolean {
    return this.removed || this.changed.size > 0;
  }

  /** Returns whether something changed a moment ago. */
  get isBusy(): boolean {
    return performance.now() - this.notedAt < QUIET_MS;
  }

  /** Returns what changed since it was last asked, each path once. */
  take(): Change[] {
    const found: Change[] = [...this.changed].map((path) => ({ path }));
    if (this.removed) found.unshift('removed');
    this.changed.clear();
    this.removed = false;
    return found;
  }

  private isRead(path: string): boolean {
    return isReadBelow(this.path, { path }) || path === this.path || this.read.has(path);
  }

  private note(event: string, path: string): void {
    if (event === 'unlink' || event === 'unlinkDir') this.removed = true;
    else if ((event === 'add' || event === 'change') && this.isRead(path)) this.changed.add(path);
    else return;
    this.notedAt = performance.now();
    // One that is made anew at once can look the same: its number and time are given again.
    if (event === 'unlinkDir' && path === this.path) this.identity = 'removed';
    this.options.wake();
  }
}
