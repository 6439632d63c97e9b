import type { Store } from '../../backends/store/scope.js';
import { type Clock, systemClock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import type { Follower, FollowerStatus } from '../follower.js';
import type { EngineDifference } from './compare.js';
import { asError } from './piecewise.js';
import { FollowerRunner, type SyncProgress } from './runner.js';

export interface FollowersOptions {
  readonly clock?: Clock;
  /** Longest wait of a write for the engines that queries read, ms (`SVC_FOLLOW_TIMEOUT_MS`); default 10,000. */
  readonly timeout?: number;
  /** How often the ledger is looked at for changes of other processes, ms; default 1,000. */
  readonly poll?: number;
  /** Receives reports of an engine that stopped and of one that resumes. */
  readonly log?: (message: string, engine: string) => void;
}

const LONGEST_PAUSE = 30_000;

/** All engines outside the store that follow the ledger. One that is behind, down or refuses holds up only itself. */
export class Followers {
  private readonly runners: FollowerRunner[];
  private readonly clock: Clock;
  private readonly timers = new Map<FollowerRunner, NodeJS.Timeout>();
  private readonly running = new Map<FollowerRunner, Promise<void>>();
  private readonly pauses = new Map<FollowerRunner, number>();
  private readonly woken = new Set<() => void>();
  private readonly timeout: number;
  private readonly poll: number;
  private stopped = true;

  constructor(
    private readonly store: Store,
    followers: readonly Follower[],
    private readonly options: FollowersOptions = {},
  ) {
    this.clock = options.clock ?? systemClock;
    this.runners = followers.map((follower) => this.runnerOf(follower));
    this.timeout = options.timeout ?? 10_000;
    this.poll = options.poll ?? 1000;
  }

  /** Starts following in the background. */
  start(): void {
    this.stopped = false;
    for (const runner of this.runners) this.launch(runner);
  }

  /** Adds an engine; it follows at once where the others do. */
  add(follower: Follower): void {
    const runner = this.runnerOf(follower);
    this.runners.push(runner);
    this.launch(runner);
  }

  /** Waits for the steps that run; none begins any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    await Promise.all(this.running.values());
  }

  /** Throws `unavailable` where an engine that queries read is known to be down or lost. Call it before a write. */
  ready(): void {
    const down = this.runners.find(({ follower, isDown }) => follower.onQueryPath && isDown);
    if (down === undefined) return;
    if (down.takenOver !== null) throw down.takenOver;
    const { name } = down.follower;
    const message = `${name} does not answer, so nothing was written; try again.`;
    throw new SvcError('unavailable', message, { engine: name }, { retriable: true, retryAfter: 5 });
  }

  /**
   * Resolves when every engine that queries read has applied this version, at the latest after the timeout. Returns one
   * sentence for each that has not. Call it after a commit.
   */
  async applied(version: number): Promise<string[]> {
    const behind = await this.waitFor((runner) => runner.has(version));
    return behind.map(
      ({ follower }) => `${follower.name} has not applied this write yet; it is kept and will show there later.`,
    );
  }

  /** Resolves when every engine that queries read has this version or was seen to fail, at the latest after the timeout: nobody waits for one that is down. */
  async appliedIfUp(version: number): Promise<void> {
    await this.waitFor((runner) => runner.has(version) || this.pauses.has(runner));
  }

  /** Has the engines that queries read follow until this is so for all, or the timeout is over; returns those for which it is not. */
  private async waitFor(isSo: (runner: FollowerRunner) => boolean): Promise<FollowerRunner[]> {
    const wanted = this.runners.filter(({ follower }) => follower.onQueryPath);
    for (const runner of this.runners) this.launch(runner);
    const end = Date.now() + this.timeout;
    const missing = () => wanted.filter((runner) => !isSo(runner));
    let behind = missing();
    while (behind.length > 0 && Date.now() < end) {
      await this.progressOf(behind, end - Date.now());
      behind = missing();
    }
    return behind;
  }

  /** Returns the numbers of the nodes that an engine may not have as they are now; null where that may be any. */
  unapplied(engine: string, db: Store['db']): Promise<number[] | null> {
    const runner = this.runners.find(({ follower }) => follower.name === engine);
    return runner === undefined ? Promise.resolve([]) : runner.unapplied(db);
  }

  status(): Promise<FollowerStatus[]> {
    return Promise.all(this.runners.map((runner) => runner.status()));
  }

  /** Returns the engines that can be resynced, by name. */
  get names(): string[] {
    return this.runners.map(({ follower }) => follower.name);
  }

  /** Makes engines equal to the ledger by ranges (all without a name); calls `progress` now and then. */
  async resync(
    engine: string | undefined,
    progress: (engine: string, done: SyncProgress) => void = () => undefined,
  ): Promise<Map<string, SyncProgress>> {
    const chosen = this.runners.filter(({ follower }) => engine === undefined || follower.name === engine);
    const done = new Map<string, SyncProgress>();
    for (const runner of chosen) {
      const timer = setInterval(() => progress(runner.follower.name, runner.synced), 500);
      try {
        done.set(runner.follower.name, await runner.resync());
      } finally {
        clearInterval(timer);
      }
    }
    return done;
  }

  /** Compares each engine with the ledger and mends nothing; an engine that does not answer has its error instead. */
  async compare(): Promise<Map<string, EngineDifference | Error>> {
    const found = new Map<string, EngineDifference | Error>();
    for (const runner of this.runners) {
      const difference = await runner.compare().catch((error: unknown) => asError(error));
      found.set(runner.follower.name, difference);
    }
    return found;
  }

  private runnerOf(follower: Follower): FollowerRunner {
    const runner = new FollowerRunner(follower, this.store, this.clock);
    runner.onMoved = () => this.wake();
    return runner;
  }

  /** Has those that wait for an engine look again. */
  private wake(): void {
    for (const wake of this.woken) wake();
  }

  /** Follows now, unless it follows already; follows again after a while. */
  private launch(runner: FollowerRunner): void {
    if (this.stopped || this.running.has(runner)) return;
    clearTimeout(this.timers.get(runner));
    const wasDegraded = this.pauses.has(runner);
    const run = runner
      .catchUp(() => this.stopped)
      .then(
        () => {
          this.pauses.delete(runner);
          if (wasDegraded) this.options.log?.('the engine follows the ledger again', runner.follower.name);
        },
        (error: unknown) => {
          const pause = Math.min(LONGEST_PAUSE, (this.pauses.get(runner) ?? 500) * 2);
          this.pauses.set(runner, pause);
          if (!wasDegraded)
            this.options.log?.(`the engine stopped following: ${asError(error).message}`, runner.follower.name);
        },
      );
    const ended = run.finally(() => {
      this.running.delete(runner);
      this.wake();
      if (this.stopped) return;
      const timer = setTimeout(() => this.launch(runner), this.pauses.get(runner) ?? this.poll);
      timer.unref();
      this.timers.set(runner, timer);
    });
    this.running.set(runner, ended);
  }

  /**
   * Resolves when an engine made progress or after this time. Only these are called again: one that has nothing left to
   * do ends at once, and asking it over and over would leave no turn of the event loop for the answers of the others.
   */
  private progressOf(behind: readonly FollowerRunner[], after: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.woken.delete(done);
        setImmediate(resolve);
      };
      const timer = setTimeout(done, Math.max(1, after));
      this.woken.add(done);
      for (const runner of behind) if (!this.pauses.has(runner)) this.launch(runner);
    });
  }
}
