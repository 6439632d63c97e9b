import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedFile, claimFiles, hasWork, renewClaims } from '../../backends/store/jobs/claims.js';
import { type EndedFile, finishFiles, releaseFile } from '../../backends/store/jobs/files.js';
import { notePresence } from '../../backends/store/jobs/hosts.js';
import type { Store } from '../../backends/store/scope.js';
import type { Clock } from '../../core/clock.js';
import { storeProblem } from '../../core/errors.js';
import type { Ingest } from '../ingest.js';
import { BatchSize } from './batch-size.js';
import { type Ended, FileWork, GIVEN_BACK } from './file-work.js';
import { StoreWaits } from './store-waits.js';

export interface JobWorkersOptions {
  readonly clock: Clock;
  /** Large files that this process works on at once. */
  readonly workers: number;
  /** Whether each of these takes several small files at once. */
  readonly together: boolean;
  readonly host: string;
  readonly onError: (error: unknown) => void;
}

/** A process that died gives its files back after so long, ms. */
const TTL = 30_000;
const RENEW_MS = 3000;
/** Listeners of a signal beside those of the files that it stops. */
const OTHER_LISTENERS = 10;
/** How often a process notes that its machine and directory is there, ms. */
const PRESENCE_MS = 60_000;
/** How often a process looks for the jobs of others, ms. */
const POLL_MS = 1000;
/** How often the end of a file is noted again that the store did not take, ms. */
const NOTE_MS = 1000;

/** Files of one job that this process works on. */
interface Batch {
  readonly files: readonly ClaimedFile[];
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** Works on the files of jobs, a bounded number of batches at once, each file under a claim that other processes respect. */
export class JobWorkers {
  private readonly holder = randomUUID();
  private readonly files: FileWork;
  private readonly current = new Set<Batch>();
  private readonly loops = new Set<Promise<void>>();
  private timers: NodeJS.Timeout[] = [];
  private readonly stopping = new AbortController();
  private readonly waits = new StoreWaits();

  constructor(
    private readonly store: Store,
    ingest: Pick<Ingest, 'file' | 'uploaded' | 'isWrittenSince'>,
    private readonly options: JobWorkersOptions,
  ) {
    const { holder, waits } = this;
    this.files = new FileWork(store, ingest, { holder, waits, host: options.host, onError: options.onError });
  }

  /** Looks for work from now on, also for jobs that other processes made. */
  start(): void {
    if (this.stopped || this.timers.length > 0) return;
    this.timers = [
      setInterval(() => void this.look().catch(this.options.onError), POLL_MS),
      setInterval(() => void this.renew().catch(this.options.onError), RENEW_MS),
      setInterval(() => void this.notePresence().catch(this.options.onError), PRESENCE_MS),
    ];
    for (const timer of this.timers) timer.unref();
    void this.notePresence().catch(this.options.onError);
  }

  /** Notes that this process's machine and directory is there: jobs that name its files are left to it. */
  async notePresence(): Promise<void> {
    const { host, clock } = this.options;
    if (!this.stopped) await this.store.write(({ db }) => notePresence(db, host, clock()), { durable: false });
  }

  /** Begins at once: there is a new job. */
  wake(): void {
    this.start();
    while (!this.stopped && this.loops.size < this.options.workers) this.launch();
  }

  /** Returns why a job waits for its store, such as a full disk; undefined while it goes on. */
  problemOf(job: number): string | undefined {
    return this.waits.problemOf(job);
  }

  /** Forgets what a job waited for: it is begun again, or cancelled. */
  clearProblem(job: number): void {
    this.waits.clear(job);
  }

  /** Gives up the files of a job that this process works on; resolves when none of them writes any more. */
  async giveUp(job: number): Promise<void> {
    const given = [...this.current].filter(({ files }) => files[0]!.job === job);
    for (const { controller } of given) controller.abort();
    await Promise.allSettled(given.map(({ ended }) => ended));
    this.clearProblem(job);
  }

  /** Gives up what is under way, for the next start or another process. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const { controller } of this.current) controller.abort();
    await Promise.all(this.loops);
    for (const timer of this.timers) clearInterval(timer);
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async look(): Promise<void> {
    const { host, clock } = this.options;
    if (this.stopped || this.loops.size >= this.options.workers) return;
    if (await hasWork(this.store.db, { host, now: clock() })) this.wake();
  }

  private launch(): void {
    const loop = this.work()
      .catch(this.options.onError)
      .finally(() => this.loops.delete(loop));
    this.loops.add(loop);
  }

  private async work(): Promise<void> {
    const size = new BatchSize();
    for (;;) {
      await this.waits.over(this.stopping.signal);
      if (this.stopped) return;
      const files = await this.claim(this.options.together ? size.most : 1);
      if (files.length === 0) return;
      const began = performance.now();
      const { refused, isCut } = await this.batch(files);
      if (refused || isCut) size.alone();
      else size.took(performance.now() - began);
    }
  }

  private async claim(most: number): Promise<ClaimedFile[]> {
    const { host, clock } = this.options;
    const claim = { holder: this.holder, host, ttl: TTL, now: clock() };
    try {
      const files = await this.store.write(({ db }) => claimFiles(db, claim, most), { durable: false });
      this.waits.claimed(undefined);
      return files;
    } catch (error) {
      const problem = storeProblem(error);
      if (problem !== undefined) this.waits.claimed(problem);
      throw error;
    }
  }

  /**
   * Works on files of one job, the small ones at once: they are written together. A large one is worked on alone, and what came with
   * it goes back to whoever is free. Returns whether the store refused one, and whether some went back.
   */
  private batch(files: readonly ClaimedFile[]): Promise<{ readonly refused: boolean; readonly isCut: boolean }> {
    const controller = new AbortController();
    // Each of them listens while it waits to be written.
    setMaxListeners(OTHER_LISTENERS + 2 * files.length, controller.signal);
    // A stop that came while the files were being claimed.
    if (this.stopped) controller.abort();
    const work = async () => {
      const { together, later } = await this.files.bySize(files);
      const givenBack = later.map((file) => ({ file, ...GIVEN_BACK }));
      if (later.length > 0) await this.noteEnds(givenBack, controller.signal);
      return { refused: await this.together(together, controller.signal), isCut: later.length > 0 };
    };
    const done = work().finally(() => this.current.delete(batch));
    const ended = done.then(
      () => undefined,
      () => undefined,
    );
    const batch: Batch = { files, controller, ended };
    this.current.add(batch);
    return done;
  }

  private async together(files: readonly ClaimedFile[], signal: AbortSignal): Promise<boolean> {
    const ended = await Promise.all(
      files.map(async (file) => ({ file, ...(await this.files.outcomeOf(file, signal)) })),
    );
    await this.noteEnds(ended, signal);
    for (const { file, outcome, refused } of ended) {
      // The store took the end of a file that it did not refuse itself: it takes what the job writes.
      if (typeof outcome === 'number' || refused) continue;
      this.waits.took(file, { isNew: outcome.state === 'done' && !outcome.unchanged });
    }
    return ended.some(({ refused }) => refused);
  }

  /** Notes how files ended; goes on trying as long as the store does not take it, until they are given up. */
  private async noteEnds(
    ended: ReadonlyArray<Ended & { readonly file: ClaimedFile }>,
    signal: AbortSignal,
  ): Promise<void> {
    const { holder } = this;
    const now = this.options.clock;
    const finished: EndedFile[] = [];
    const released: Array<{ readonly file: ClaimedFile; readonly delay: number; readonly counts: boolean }> = [];
    for (const { file, outcome, counts } of ended) {
      if (typeof outcome === 'number') released.push({ file, delay: outcome, counts: counts && !signal.aborted });
      else finished.push({ file, outcome });
    }
    for (;;) {
      try {
        return await this.store.write(async ({ db }) => {
          await finishFiles(db, finished, { holder, now: now() });
          for (const { file, ...how } of released) await releaseFile(db, file, { holder, now: now(), ...how });
        });
      } catch (thrown) {
        const problem = storeProblem(thrown);
        if (problem === undefined) {
          if (ended.length === 1) throw thrown;
          // One of them is the reason; none was noted.
          await Promise.all(ended.map((one) => this.noteEnds([one], signal)));
          return;
        }
        for (const { file } of ended) this.waits.note(file.job, problem);
        await sleep(NOTE_MS, undefined, { signal, ref: false }).catch(() => undefined);
        if (signal.aborted) throw thrown;
      }
    }
  }

  private async renew(): Promise<void> {
    if (this.current.size === 0) return;
    const claim = { holder: this.holder, ttl: TTL, now: this.options.clock() };
    const files = [...this.current].flatMap((batch) => batch.files);
    const cancelled = await this.store.write(({ db }) => renewClaims(db, files, claim), { durable: false });
    // A claim could be written again.
    this.waits.claimed(undefined);
    for (const job of cancelled) void this.giveUp(job);
  }
}
