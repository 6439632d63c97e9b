import type { Kysely } from 'kysely';
import { type ArmRow, readArms } from '../../backends/store/learning/learning-arms.js';
import { type PartitionRef, partitionVersion } from '../../backends/store/learning/learning-partitions.js';
import type { Database } from '../../backends/store/schema.js';

interface Cached {
  version: number;
  readonly arms: Map<string, ArmRow>;
}

const NO_ARMS: ReadonlyMap<string, ArmRow> = new Map();

/**
 * Arm states of the partitions used last. Every read compares the partition's version row, so a write of this process
 * or of another replica is seen at once; only arms that changed since are read again.
 */
export class ArmCache {
  private readonly partitions = new Map<string, Cached>();

  constructor(
    private readonly db: Kysely<Database>,
    /** Partitions kept. */
    private readonly limit = 500,
  ) {}

  /** Returns the arms of a partition as last committed. */
  async arms(ref: PartitionRef): Promise<ReadonlyMap<string, ArmRow>> {
    const name = `${ref.learner}\0${ref.key}`;
    const now = await partitionVersion(this.db, ref);
    if (now === undefined) return NO_ARMS;
    const cached = this.partitions.get(name);
    if (cached !== undefined && cached.version >= now.version) return this.used(name, cached).arms;
    const usable = cached !== undefined && cached.version >= now.epoch;
    const rows = await readArms(this.db, ref, usable ? cached.version : -1);
    const arms = usable ? cached.arms : new Map<string, ArmRow>();
    for (const row of rows) arms.set(row.arm_id, row);
    return this.used(name, { version: Math.max(now.version, usable ? cached.version : 0), arms }).arms;
  }

  private used(name: string, entry: Cached): Cached {
    this.partitions.delete(name);
    this.partitions.set(name, entry);
    if (this.partitions.size > this.limit) {
      const oldest = this.partitions.keys().next().value;
      if (oldest !== undefined) this.partitions.delete(oldest);
    }
    return entry;
  }
}
