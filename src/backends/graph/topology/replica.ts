import { changesAfter, ledgerVersion } from '../../../ledger/changes.js';
import type { CurrentVersion } from '../../../ledger/read/current-version.js';
import type { Db } from '../../store/schema.js';
import { applyChange } from './apply-change.js';
import { loadTopology } from './load-topology.js';
import type { Topology } from './topology.js';

/** The topology kept up to date with the store, whichever process wrote: from the change log, or by loading it anew. */
export class Replica {
  private topology: Topology | undefined;
  private running: Promise<void> | undefined;
  private readers = 0;
  private applying = false;
  private idle: (() => void) | undefined;

  constructor(
    private readonly db: Db,
    private readonly current: CurrentVersion,
  ) {}

  /** Runs a reading on the topology as of the last commit before the call; it does not change while the reading runs. */
  async read<T>(work: (topology: Topology) => Promise<T>): Promise<T> {
    let topology = await this.fresh();
    while (this.applying) topology = await this.fresh();
    this.readers += 1;
    try {
      return await work(topology);
    } finally {
      this.readers -= 1;
      if (this.readers === 0) this.idle?.();
    }
  }

  /** Returns the topology as of a version not older than the last commit before the call. */
  async fresh(): Promise<Topology> {
    const version = await this.current.read();
    while (this.topology === undefined || this.topology.version < version) {
      this.running ??= this.catchUp().finally(() => {
        this.running = undefined;
      });
      await this.running;
    }
    return this.topology;
  }

  drop(): void {
    this.topology = undefined;
  }

  private async catchUp(): Promise<void> {
    if (this.topology !== undefined && (await this.applyChanges(this.topology))) return;
    for (;;) {
      const loaded = await loadTopology(this.db);
      if (!(await this.applyChanges(loaded))) continue;
      this.topology = loaded;
      return;
    }
  }

  /** Applies the changes since the topology's version; false where they are no longer all there. */
  private async applyChanges(topology: Topology): Promise<boolean> {
    const target = await ledgerVersion(this.db);
    while (topology.version < target) {
      const changes = await changesAfter(this.db, topology.version);
      if (changes === null) return false;
      for (const change of changes) {
        if (change.everything) return false;
        // Readings that began before end first; later ones wait for the change, so this ends.
        while (topology === this.topology && this.readers > 0) await this.readerFinished();
        this.applying = topology === this.topology;
        try {
          await applyChange(topology, change);
          topology.version = change.version;
        } finally {
          this.applying = false;
        }
      }
    }
    return true;
  }

  private readerFinished(): Promise<void> {
    return new Promise<void>((resolve) => {
      this.idle = resolve;
    });
  }
}
