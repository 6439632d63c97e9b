/** Milliseconds without an answer after which a probe is sent. */
const SUSPICIOUS_MS = 500;
/** Milliseconds between two looks at what waits, and between probes of a server that is silent. */
const EVERY_MS = 250;
/** Milliseconds that a probe may take: with the wait before it, who waits for an answer knows after two seconds. */
const PROBE_MS = 1250;

export interface AnswerWatchOptions {
  /** Asks the server in a way of its own; settles with any answer, also a refusal, and gives up after `ms`. */
  readonly probe: (ms: number) => Promise<unknown>;
  /** Makes the error for those who wait while the server is silent. */
  readonly error: () => Error;
  /** Called once the server is silent: the connections to it are of no use any more. */
  readonly onSilent?: () => void;
}

/**
 * Tells a server that hangs from a statement that is slow: while something waits for an answer and none came for half
 * a second, a probe asks. If neither the probe nor any statement is answered in 1.25 s, everything
 * that waits fails, and so does all that begins until a probe is answered. A slow statement waits as long as it takes.
 */
export class AnswerWatch {
  private readonly waiting = new Set<{ readonly since: number; readonly fail: (error: Error) => void }>();
  private timer: NodeJS.Timeout | undefined;
  private lastAnswer = 0;
  /** Whether the last probe was not answered. */
  silent = false;
  private stopped = false;

  constructor(private readonly options: AnswerWatchOptions) {}

  /** Returns what `work` returns; fails with the error for a silent server as soon as it is known to be silent. */
  async answered<T>(work: () => Promise<T>): Promise<T> {
    if (this.silent) throw this.options.error();
    return new Promise<T>((resolve, reject) => {
      const one = { since: performance.now(), fail: reject };
      this.waiting.add(one);
      this.timer ??= this.nextLook();
      const settle = (): void => {
        this.waiting.delete(one);
        this.lastAnswer = performance.now();
      };
      work().then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error);
        },
      );
    });
  }

  /** Ends the probes. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private nextLook(): NodeJS.Timeout | undefined {
    return this.stopped ? undefined : setTimeout(() => void this.check(), EVERY_MS).unref();
  }

  /** Probes where someone waits for long, or the server was silent; comes back as long as there is a reason to. */
  private async check(): Promise<void> {
    if (this.silent || this.isSuspicious()) {
      const began = performance.now();
      // The answer to a probe counts as one: beside a slow statement the next probe waits for half a second again.
      if (await this.probeAnswers()) this.lastAnswer = performance.now();
      if (this.lastAnswer > began) this.silent = false;
      else this.fall();
    }
    this.timer = this.silent || this.waiting.size > 0 ? this.nextLook() : undefined;
  }

  /** Returns whether the one that waits longest began half a second ago, and nobody was answered since. */
  private isSuspicious(): boolean {
    const [oldest] = this.waiting;
    return oldest !== undefined && performance.now() - Math.max(oldest.since, this.lastAnswer) >= SUSPICIOUS_MS;
  }

  private async probeAnswers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      // What arrived while this process was busy is read first.
      timer = setTimeout(() => setImmediate(() => setImmediate(resolve, false)), PROBE_MS).unref();
    });
    const answer = this.options.probe(PROBE_MS * 2).then(
      () => true,
      () => true,
    );
    const isAnswered = await Promise.race([answer, late]);
    clearTimeout(timer);
    return isAnswered;
  }

  private fall(): void {
    if (this.stopped) return;
    this.silent = true;
    for (const { fail } of this.waiting) fail(this.options.error());
    this.waiting.clear();
    this.options.onSilent?.();
  }
}
