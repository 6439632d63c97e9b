import { SvcError } from '../../core/errors.js';

export interface LivenessOptions {
  /** Sends the shortest statement there is over a connection of its own. */
  readonly ping: () => Promise<unknown>;
  /** `host:port`, for sentences. */
  readonly place: string;
  /** Milliseconds after which work that has no answer makes a ping; default 5,000. */
  readonly after?: number;
  /** Milliseconds that a ping may take; default 5,000. */
  readonly within?: number;
}

/** How long work is refused at once after a ping had no answer, ms. */
const SILENT_MS = 5000;

/**
 * Notices a server that takes connections and answers nothing. Time limits of statements are the server's own, and TCP
 * does not end such a connection: without this, work would wait for ever.
 */
export class Liveness {
  private silentUntil = 0;
  private pinging: Promise<void> | null = null;

  constructor(private readonly options: LivenessOptions) {}

  /** Runs work for as long as it takes while pings are answered; `unavailable` (or `failure`) where one is not. */
  async during<T>(work: () => Promise<T>, failure = (error: unknown): unknown => error): Promise<T> {
    if (Date.now() < this.silentUntil) throw this.silent();
    const { after = 5000 } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const lost = new Promise<never>((_, reject) => {
      timer = setInterval(() => void this.answered().catch((error) => reject(failure(error))), after);
    });
    try {
      return await Promise.race([work(), lost]);
    } finally {
      clearInterval(timer);
    }
  }

  /** Resolves when a ping was answered; `unavailable` where it was not in time. */
  answered(): Promise<void> {
    this.pinging ??= this.pinged().finally(() => {
      this.pinging = null;
    });
    return this.pinging;
  }

  private async pinged(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), this.options.within ?? 5000);
    });
    const ping = this.options.ping();
    // It may fail long after nobody waits for it.
    ping.catch(() => undefined);
    try {
      if ((await Promise.race([ping, late])) === 'late') {
        this.silentUntil = Date.now() + SILENT_MS;
        throw this.silent();
      }
      this.silentUntil = 0;
    } finally {
      clearTimeout(timer);
    }
  }

  private silent(): SvcError {
    const message = `Neo4j at ${this.options.place} takes connections and does not answer; see its log and its load.`;
    return new SvcError('unavailable', message, undefined, { retriable: true, retryAfter: 5 });
  }
}
