import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClaimedFile,
  claimFile,
  finishFile,
  hasWork,
  noteProgress,
  type Outcome,
  releaseFile,
  renewClaims,
} from '../../backends/store/jobs/files.js';
import { notePresence } from '../../backends/store/jobs/hosts.js';
import { readUpload } from '../../backends/store/jobs/uploads.js';
import type { Store, WriteScope } from '../../backends/store/scope.js';
import type { Clock } from '../../core/clock.js';
import { errorBody, SvcError, toSvcError } from '../../core/errors.js';
import type { Ingest } from '../ingest.js';
import type { LoadOptions, LoadResult } from '../write/ports.js';
import { ProgressNotes } from './progress-notes.js';
import { StoreWaits } from './store-waits.js';

export interface JobWorkersOptions {
  readonly clock: Clock;
  /** Files that this process works on at once. */
  readonly workers: number;
  readonly host: string;
  readonly onError: (error: unknown) => void;
}

/** A process that died gives its files back after so long, ms. */
const TTL = 30_000;
const RENEW_MS = 3000;
/** How often a process notes that its machine and directory is there, ms. */
const PRESENCE_MS = 60_000;
/** How often a process looks for the jobs of others, ms. */
const POLL_MS = 1000;
/** A file that was begun so often without an end is given up: it may be what ends the process. */
const MAX_ATTEMPTS = 5;
const RETRY_MS = 2000;
/** How often the end of a file is noted again that the store did not take, ms. */
const NOTE_MS = 1000;

/** A file that this process works on. */
interface UnderWay {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

interface Ended {
  /** What became of a file, or after how many milliseconds to try it again. */
  readonly outcome: Outcome | number;
  /** Whether the store refused the file. */
  readonly refused: boolean;
  /** Whether the attempt counts: those that the store refused do not, unless the file is the reason. */
  readonly counts: boolean;
}

/** Works on the files of jobs, a bounded number at once, each under a claim that other processes respect. */
export class JobWorkers {
  private readonly holder = randomUUID();
  private readonly current = new Map<ClaimedFile, UnderWay>();
  private readonly loops = new Set<Promise<void>>();
  private timers: NodeJS.Timeout[] = [];
  private readonly stopping = new AbortController();
  private readonly waits = new StoreWaits();

  constructor(
    private readonly store: Store,
    private readonly ingest: Pick<Ingest, 'file' | 'uploaded' | 'isWrittenSince'>,
    private readonly options: JobWorkersOptions,
  ) {}

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
    const given = [...this.current].filter(([file]) => file.job === job).map(([, underWay]) => underWay);
    for (const { controller } of given) controller.abort();
    await Promise.allSettled(given.map(({ ended }) => ended));
    this.clearProblem(job);
  }

  /** Gives up what is under way, for the next start or another process. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const { controller } of this.current.values()) controller.abort();
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
    const { host, clock } = this.options;
    for (;;) {
      await this.waits.over(this.stopping.signal);
      if (this.stopped) return;
      const claim = { holder: this.holder, host, ttl: TTL, now: clock() };
      const file = await this.store
        .write(({ db }) => claimFile(db, claim), { durable: false })
        .catch((error: unknown) => {
          const problem = storeProblem(error);
          if (problem !== undefined) this.waits.claimed(problem);
          throw error;
        });
      this.waits.claimed(undefined);
      if (file === undefined) return;
      await this.one(file);
    }
  }

  private one(file: ClaimedFile): Promise<void> {
    const controller = new AbortController();
    const ended = this.loadAndNote(file, controller).finally(() => this.current.delete(file));
    this.current.set(file, { controller, ended });
    return ended;
  }

  private async loadAndNote(file: ClaimedFile, controller: AbortController): Promise<void> {
    const { holder } = this;
    const now = this.options.clock;
    // A stop that came while the file was being claimed.
    if (this.stopped) controller.abort();
    const ended = await this.outcomeOf(file, controller.signal);
    const { outcome, refused } = ended;
    await this.noted(file, controller.signal, ({ db }) =>
      typeof outcome === 'number'
        ? releaseFile(db, file, {
            holder,
            now: now(),
            delay: outcome,
            counts: ended.counts && !controller.signal.aborted,
          })
        : finishFile(db, file, { holder, now: now(), outcome }),
    );
    // The store took the end of a file that it did not refuse itself: it takes what the job writes.
    if (typeof outcome !== 'number' && !refused)
      this.waits.took(file, { isNew: outcome.state === 'done' && !outcome.unchanged });
  }

  /** Notes how a file ended; goes on trying as long as the store does not take it, until the file is given up. */
  private async noted(
    file: ClaimedFile,
    signal: AbortSignal,
    write: (scope: WriteScope) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      try {
        return await this.store.write(write);
      } catch (thrown) {
        const problem = storeProblem(thrown);
        if (problem === undefined) throw thrown;
        this.waits.note(file.job, problem);
        await sleep(NOTE_MS, undefined, { signal, ref: false }).catch(() => undefined);
        if (signal.aborted) throw thrown;
      }
    }
  }

  /** Ingests a file; returns what became of it. */
  private async outcomeOf(file: ClaimedFile, signal: AbortSignal): Promise<Ended> {
    try {
      if (file.attempts > MAX_ATTEMPTS) {
        const sentence = `The service ended ${MAX_ATTEMPTS} times while it worked on this file; ingest it by itself, or look at the log.`;
        throw new SvcError('unavailable', sentence);
      }
      signal.throwIfAborted();
      const result = await this.ownWork(file, await this.load(file, signal));
      const { passages, unchanged } = result;
      const ingested = { unchanged: unchanged === true, passages, result: JSON.stringify(result), error: null };
      return { outcome: { state: 'done', ...ingested }, refused: false, counts: true };
    } catch (thrown) {
      if (signal.aborted) return { outcome: 0, refused: false, counts: false };
      const error = toSvcError(thrown);
      if (error.code === 'internal') this.options.onError(thrown);
      const problem = storeProblem(error);
      const refused = problem !== undefined;
      const wait = refused ? this.waits.refused(file, problem) : undefined;
      if (wait !== undefined) return { outcome: wait, refused, counts: false };
      const later = error.code === 'unavailable' || error.retriable;
      if (later && file.attempts < MAX_ATTEMPTS)
        return { outcome: RETRY_MS * 2 ** (file.attempts - 1), refused, counts: true };
      const { error: sentence, code } = errorBody(error);
      const outcome: Outcome = {
        // An empty file says nothing yet, as many that were just made: no retry would mend it.
        state: error.details?.empty === true ? 'skipped' : 'failed',
        unchanged: false,
        passages: 0,
        result: null,
        error: JSON.stringify({ error: sentence, code }),
      };
      return { outcome, refused, counts: true };
    }
  }

  /** Returns what a file came to: one that this job wrote before its process was killed is not unchanged. */
  private async ownWork({ attempts, created_ms }: ClaimedFile, result: LoadResult): Promise<LoadResult> {
    if (result.unchanged !== true || attempts === 1) return result;
    if (!(await this.ingest.isWrittenSince(result.source_id, Number(created_ms)))) return result;
    const { unchanged: _, ...own } = result;
    return own;
  }

  private async load(file: ClaimedFile, signal: AbortSignal): Promise<LoadResult> {
    const { holder } = this;
    const notes = new ProgressNotes(async (progress) => {
      const note = JSON.stringify(progress);
      await this.store.write(({ db }) => noteProgress(db, file, { holder, progress: note }), { durable: false });
      this.waits.progressed(file.job);
    });
    try {
      return await this.loadNoting(file, { signal, progress: notes.report });
    } finally {
      await notes.settled();
    }
  }

  private async loadNoting(file: ClaimedFile, given: Pick<LoadOptions, 'signal' | 'progress'>): Promise<LoadResult> {
    const { domain, source_type, path } = file;
    const options = { ...given, sourceType: source_type ?? undefined };
    // The command line of another machine could not read everything here: the roots hold for a job that is left over.
    const anywhere = file.host === this.options.host;
    if (file.uploads === 0) return this.ingest.file(path, domain, { ...options, anywhere });
    const bytes = await readUpload(this.store.db, file.job_id, file.number);
    if (bytes === null) throw new SvcError('not_found', 'The upload is not kept any more; send the file again.');
    return this.ingest.uploaded({ name: path, bytes }, { ...options, domain });
  }

  private async renew(): Promise<void> {
    if (this.current.size === 0) return;
    const claim = { holder: this.holder, ttl: TTL, now: this.options.clock() };
    const files = [...this.current.keys()];
    const cancelled = await this.store.write(({ db }) => renewClaims(db, files, claim), { durable: false });
    // A claim could be written again.
    this.waits.claimed(undefined);
    for (const job of cancelled) void this.giveUp(job);
  }
}

/** Returns an error that the store itself causes, such as a full disk; undefined for any other. */
function storeProblem(thrown: unknown): SvcError | undefined {
  const error = toSvcError(thrown);
  return error.details?.part === 'store' ? error : undefined;
}
