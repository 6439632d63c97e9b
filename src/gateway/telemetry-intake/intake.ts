import { addCounters, pruneKeys, readCounters } from '../../backends/store/gateway/intake-keys.js';
import type { Store, WriteScope } from '../../backends/store/scope.js';
import { slicer } from '../../core/async/slices.js';
import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import type { Green } from '../green/green.js';
import type { RunRecorder } from '../learning/run-recorder.js';
import { claimBatches } from './claim.js';
import type { IntakeBatch } from './records.js';

export interface IntakeOptions {
  readonly clock: Clock;
  /** Records that may wait to be written; beyond it senders are asked to send again later. */
  readonly queueLimit?: number;
}

export interface IntakeResult {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly reason?: string | undefined;
}

export interface IntakeCounts {
  readonly received: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** Calls that used a fallback factor. */
  readonly fallback: number;
  /** Records that wait to be written. */
  readonly queued: number;
}

interface Waiting {
  readonly batch: IntakeBatch;
  readonly size: number;
  readonly resolve: (result: IntakeResult) => void;
  readonly reject: (error: unknown) => void;
}

const QUEUE_LIMIT = 20_000;
/** Records of one transaction. */
const TRANSACTION = 4000;
const RETRY_AFTER = 2;

/**
 * Takes telemetry in. Requests that wait together share a transaction; each is answered when it is committed. A record
 * that came before changes nothing.
 */
export class Intake {
  private readonly waiting: Waiting[] = [];
  private queued = 0;
  private running: Promise<void> | undefined;

  constructor(
    private readonly store: Store,
    private readonly modules: { readonly green: Green; readonly runs: RunRecorder },
    private readonly options: IntakeOptions,
  ) {}

  /** Throws `rate_limited` where not even one record would find room: checked before a body is decoded. */
  requireRoom(): void {
    this.refuseBeyondLimit(1);
  }

  /** Throws `rate_limited` while the queue is full. */
  submit(batch: IntakeBatch): Promise<IntakeResult> {
    const size = batch.calls.length + batch.runs.length + batch.rewards.length;
    this.refuseBeyondLimit(size);
    this.queued += size;
    return new Promise((resolve, reject) => {
      this.waiting.push({ batch, size, resolve, reject });
      this.running ??= this.drain();
    });
  }

  async counts(): Promise<IntakeCounts> {
    const counters = await readCounters(this.store.db);
    const of = (name: string): number => counters[name] ?? 0;
    return {
      received: of('received'),
      accepted: of('accepted'),
      duplicates: of('duplicates'),
      rejected: of('rejected'),
      fallback: of('fallback'),
      queued: this.queued,
    };
  }

  /** Forgets keys older than `days`: what comes again after that counts again. Returns how many were deleted. */
  async prune(days: number): Promise<number> {
    const before = this.options.clock() - days * 86_400_000;
    let pruned = 0;
    for (;;) {
      const deleted = await this.store.write(({ db }) => pruneKeys(db, before, 2000));
      pruned += deleted;
      if (deleted < 2000) return pruned;
    }
  }

  /** Throws `rate_limited` beyond the limit; a batch alone is taken whatever its size. */
  private refuseBeyondLimit(size: number): void {
    if (this.queued === 0 || this.queued + size <= (this.options.queueLimit ?? QUEUE_LIMIT)) return;
    throw new SvcError('rate_limited', `The intake is full; send this again in ${RETRY_AFTER} s.`, undefined, {
      retryAfter: RETRY_AFTER,
      retriable: true,
    });
  }

  /** Waits for what is queued. */
  async close(): Promise<void> {
    await this.running;
  }

  private async drain(): Promise<void> {
    // First let every request that is ready arrive: they share the transaction.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const together: Waiting[] = [];
      for (let size = 0; this.waiting.length > 0 && (size === 0 || size + this.waiting[0]!.size <= TRANSACTION); ) {
        const next = this.waiting.shift()!;
        size += next.size;
        together.push(next);
      }
      await this.write(together);
    }
    this.running = undefined;
  }

  private async write(together: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.store.write((scope) =>
        this.record(
          scope,
          together.map(({ batch }) => batch),
        ),
      );
      for (const [index, { resolve }] of together.entries()) resolve(results[index]!);
    } catch (error) {
      for (const { reject } of together) reject(error);
    } finally {
      for (const { size } of together) this.queued -= size;
    }
  }

  private async record(scope: WriteScope, given: readonly IntakeBatch[]): Promise<IntakeResult[]> {
    const now = this.options.clock();
    const recordsCalls = this.modules.green.recording;
    const fresh = await claimBatches(scope.db, given, { recordsCalls, now });
    const batches = recordsCalls ? given : given.map((batch) => ({ ...batch, calls: [] }));
    const calls = await firsts(
      batches.flatMap((batch) => batch.calls),
      fresh.calls,
    );
    const runs = await firsts(
      batches.flatMap((batch) => batch.runs),
      fresh.others,
    );
    const rewards = await firsts(
      batches.flatMap((batch) => batch.rewards),
      fresh.others,
    );
    const { fallback } = await this.modules.green.record(scope, calls);
    await this.modules.runs.record(scope, runs, now);
    await this.modules.runs.rewardAll(scope, rewards, now);
    const results = await resultsOf(batches, new Set([...fresh.calls, ...fresh.others]));
    await addCounters(scope.db, {
      received: total(batches, ({ received }) => received),
      accepted: total(results, ({ accepted }) => accepted),
      duplicates: total(results, ({ duplicates }) => duplicates),
      rejected: total(results, ({ rejected }) => rejected),
      fallback,
    });
    return results;
  }
}

/** Returns the records whose key is new, each key once. */
async function firsts<T extends { readonly key: string }>(
  records: readonly T[],
  fresh: ReadonlySet<string>,
): Promise<T[]> {
  const pause = slicer();
  const seen = new Set<string>();
  const found: T[] = [];
  for (const record of records) {
    await pause();
    if (!fresh.has(record.key) || seen.has(record.key)) continue;
    seen.add(record.key);
    found.push(record);
  }
  return found;
}

/** Returns what became of each request: a record is accepted with the first request that brings its key. */
async function resultsOf(batches: readonly IntakeBatch[], fresh: ReadonlySet<string>): Promise<IntakeResult[]> {
  const pause = slicer();
  const taken = new Set<string>();
  const results: IntakeResult[] = [];
  for (const { calls, runs, rewards, rejected, reason } of batches) {
    // A span that is a call and a part of a run is one record, with these keys.
    const forms = new Map<string, Set<string>>();
    for (const { key } of [...calls, ...runs, ...rewards]) {
      await pause();
      const name = nameOf(key);
      const known = forms.get(name);
      if (known === undefined) forms.set(name, new Set([key]));
      else known.add(key);
    }
    let accepted = 0;
    for (const keys of forms.values()) {
      await pause();
      if ([...keys].some((key) => fresh.has(key) && !taken.has(key))) accepted += 1;
    }
    for (const keys of forms.values()) for (const key of keys) taken.add(key);
    const records = await recordCount(calls, runs, rewards);
    results.push({ accepted, duplicates: records - accepted, rejected, reason });
  }
  return results;
}

/** Returns a key without what tells a call of native telemetry from a run of it. */
function nameOf(key: string): string {
  return key.startsWith('g:') || key.startsWith('l:') ? key.slice(2) : key;
}

/** Returns the records of a request as its sender counts them: repetitions of one key count. */
async function recordCount(...lists: ReadonlyArray<ReadonlyArray<{ readonly key: string }>>): Promise<number> {
  const pause = slicer();
  const counts = new Map<string, number>();
  let sum = 0;
  for (const list of lists) {
    const here = new Map<string, number>();
    for (const { key } of list) {
      await pause();
      const name = nameOf(key);
      const count = (here.get(name) ?? 0) + 1;
      here.set(name, count);
      if (count <= (counts.get(name) ?? 0)) continue;
      counts.set(name, count);
      sum += 1;
    }
  }
  return sum;
}

function total<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
