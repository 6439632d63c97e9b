import type { Db } from '../../backends/store/schema.js';
import { ledgerVersion } from '../changes.js';

/** The graph's version, read once for all callers in a tick: the reading begins after the last of them called. */
export class CurrentVersion {
  private reading: Promise<number> | undefined;

  constructor(private readonly db: Db) {}

  read(): Promise<number> {
    this.reading ??= Promise.resolve().then(() => {
      this.reading = undefined;
      return ledgerVersion(this.db);
    });
    return this.reading;
  }
}
