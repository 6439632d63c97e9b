import { closeSync, existsSync, fdatasync, fstatSync, openSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SvcError } from '../../../core/errors.js';
import { lostStore, translated } from './storage-problem.js';

const datasync = promisify(fdatasync);

/** Bytes of a log that is moved into the database file while writes continue, and of one that writes wait for. */
const LONG = 32 * 2 ** 20;
const TOO_LONG = 256 * 2 ** 20;
/** Milliseconds until a log is moved again that a reader kept from being emptied. */
const REST_MS = 1000;

/**
 * The write-ahead log of a SQLite file, off the event loop: commits are made without waiting for the disk, and callers
 * that requested durability wait here; a long log is moved into the database file by a thread of its own.
 */
export class Wal {
  private descriptor: number | undefined;
  private syncing: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private worker: Worker | undefined;
  private moving: Promise<void> | undefined;
  /** True when all that the log had when the thread began is in the database file. */
  private moved = false;
  private restsUntil = 0;

  constructor(private readonly file: string) {}

  /**
   * Resolves when everything committed before the call is on the disk. One wait serves all calls that arrived during
   * the one before it. Rejects with `unavailable` where the disk fails.
   */
  synced(): Promise<void> {
    if (this.syncing === undefined) return this.sync();
    this.next ??= this.syncing
      .catch(() => {})
      .then(() => {
        this.next = undefined;
        return this.sync();
      });
    return this.next;
  }

  /** Throws `unavailable` once the log is removed or replaced; SQLite goes on writing to the one that it has open. */
  requireSame(): void {
    if (this.descriptor === undefined) return;
    if (statSync(this.path, { throwIfNoEntry: false })?.ino !== fstatSync(this.descriptor).ino) throw lostStore('log');
  }

  /** Resolves when the log has room for the next write. Call it between writes. */
  async room(): Promise<void> {
    const size = this.size();
    if (size < LONG || (size < TOO_LONG && performance.now() < this.restsUntil)) return;
    if (this.moved) return this.empty();
    this.moving ??= this.move('PASSIVE').then((moved) => {
      this.moving = undefined;
      this.moved = moved;
      if (!moved) this.rest();
    });
    if (size >= TOO_LONG) await this.moving;
  }

  async close(): Promise<void> {
    await this.syncing?.catch(() => {});
    await this.moving;
    await this.worker?.terminate();
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private async empty(): Promise<void> {
    this.moved = false;
    if (!(await this.move('TRUNCATE'))) this.rest();
  }

  private rest(): void {
    this.restsUntil = performance.now() + REST_MS;
  }

  private sync(): Promise<void> {
    this.syncing = this.waitForDisk().finally(() => {
      this.syncing = undefined;
    });
    return this.syncing;
  }

  private async waitForDisk(): Promise<void> {
    try {
      await datasync(this.opened());
    } catch (cause) {
      throw new SvcError('unavailable', 'The disk failed to keep a write; check it and restart.', undefined, { cause });
    }
  }

  private opened(): number {
    this.descriptor ??= translated(() => openSync(this.path, 'r+'));
    return this.descriptor;
  }

  private size(): number {
    return this.descriptor === undefined && !existsSync(this.path) ? 0 : fstatSync(this.opened()).size;
  }

  /**
   * Returns the path of the log. SQLite makes it with the first transaction and keeps it until the last connection is
   * closed.
   */
  private get path(): string {
    return `${this.file}-wal`;
  }

  /** Returns whether the whole log was moved into the database file; a failure leaves it as it is. */
  private move(mode: 'PASSIVE' | 'TRUNCATE'): Promise<boolean> {
    this.worker ??= this.start();
    const { worker } = this;
    return new Promise((done) => {
      const ended = (answer: { moved: boolean } | number): void => {
        worker.off('message', ended);
        worker.off('exit', ended);
        worker.unref();
        done(typeof answer === 'object' && answer.moved);
      };
      worker.once('message', ended);
      worker.once('exit', ended);
      worker.ref();
      worker.postMessage(mode);
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL('./wal-worker.js', import.meta.url), {
      workerData: { file: this.file },
      execArgv: [],
    });
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = undefined;
    });
    worker.unref();
    return worker;
  }
}
