import type { Store } from '../../backends/store/scope.js';
import type { Clock } from '../../core/clock.js';
import { isUnavailable } from '../../core/errors.js';
import type { EngineCursor, Follower } from '../follower.js';
import { entriesAround } from './around.js';
import { type ChangeEntry, type PresentEntry, presentEntry } from './change-entries.js';
import { applyPiecewise, asError } from './piecewise.js';
import { recordReader } from './record-reader.js';
import type { Refusal, Refusals } from './refusals.js';

/** Refused records that are tried again together. */
const RETRIED = 100;

interface RetryPorts {
  readonly store: Store;
  readonly refusals: Refusals;
  readonly clock: Clock;
  /** How long a record that was refused rests until it is tried again, ms. */
  readonly restMs: number;
}

/** Tries again what one engine refused, a record in each step. */
export class RefusedRetries {
  private due: Refusal[] = [];
  private startedAt = 0;

  constructor(
    private readonly follower: Follower,
    private readonly ports: RetryPorts,
  ) {}

  /** Has everything tried again when a step is free. */
  soon(): void {
    this.due = [];
    this.startedAt = 0;
  }

  /** Notes what the engine has now. Where more is at it, which the engine lost, it is the next to be tried, with all that. */
  async accepted(entries: () => readonly ChangeEntry[]): Promise<void> {
    const { refusals } = this.ports;
    for (const one of await refusals.taken(entries)) {
      if (!this.hasMore(one)) await refusals.remove(one);
      else this.due = [one, ...this.due.filter(({ kind, name }) => kind !== one.kind || name !== one.name)];
    }
  }

  /** Tries the next one and returns whether more are due; `overtaken` where another process moved the engine's cursor. */
  async next(from: EngineCursor): Promise<'more' | 'none' | 'overtaken'> {
    const { refusals, clock, restMs } = this.ports;
    const now = clock();
    if (this.due.length === 0 && now - this.startedAt >= restMs) {
      this.startedAt = now;
      this.due = await refusals.list(RETRIED);
    }
    const [first] = this.due;
    if (first === undefined) return 'none';
    if (!(await this.retry(first, from))) return 'overtaken';
    this.due.shift();
    return this.due.length > 0 ? 'more' : 'none';
  }

  /** Writes a record with all that is at it. What is refused again stays noted. */
  private async retry(refusal: Refusal, from: EngineCursor): Promise<boolean> {
    const { store, refusals } = this.ports;
    const records = recordReader(store.db);
    const entry = await presentEntry(records, refusal.kind, refusal.name);
    const refuse = async (one: PresentEntry, error: Error): Promise<void> => {
      // Without the record nothing that is at it can be there.
      if (one === entry) throw error;
      await refusals.add(one, error);
    };
    const change = { from: from.version, version: from.version };
    try {
      for await (const entries of this.stepsOf(entry)) {
        const step = { from, change, entries, records, refuse, taken: () => undefined };
        if (!(await applyPiecewise(this.follower, step))) return false;
      }
      await refusals.remove(refusal);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      await refusals.add({ ...refusal, id: entry?.id ?? refusal.id }, asError(error));
    }
    return true;
  }

  private async *stepsOf(entry: PresentEntry | null): AsyncGenerator<readonly PresentEntry[]> {
    if (entry === null) return;
    yield [entry];
    if (this.hasMore(entry)) yield* entriesAround(this.ports.store.db, entry);
  }

  /** Returns whether an engine that has not this record loses others. Those of vectors and of text keep nodes alone. */
  private hasMore({ kind }: Pick<ChangeEntry, 'kind'>): boolean {
    return (kind === 'node' || kind === 'key') && this.follower.kinds.includes('key');
  }
}
