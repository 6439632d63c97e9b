import type { Store } from '../../backends/store/scope.js';
import { type Clock, isoTime } from '../../core/clock.js';
import type { RefusedRecord } from '../follower.js';
import type { RecordKind } from '../records.js';

/** A record that an engine does not take. */
export interface Refusal extends RefusedRecord {
  /** As `ChangeEntry` has it. */
  readonly name: string;
}

/** Longest error that is kept, characters. */
const LENGTH = 500;

/** The records that one engine refused, kept in the store so that every replica shows them and tries them again. */
export class Refusals {
  /** False where nothing is noted, as far as this process knows. */
  private mayHave = true;

  constructor(
    private readonly store: Store,
    private readonly engine: string,
    private readonly clock: Clock,
  ) {}

  /** Returns them, those that were tried longest ago first. */
  async list(limit = 1000): Promise<Refusal[]> {
    const rows = await this.store.db
      .selectFrom('engine_refusal')
      .select(['kind', 'name', 'id', 'error', 'at'])
      .where('engine', '=', this.engine)
      .orderBy('at')
      .limit(limit)
      .execute();
    return rows.map(({ kind, ...row }) => ({ kind: kind as RecordKind, ...row }));
  }

  /** Returns the notes of what is among these records. */
  async taken(records: () => ReadonlyArray<Pick<Refusal, 'kind' | 'name'>>): Promise<Refusal[]> {
    if (!this.mayHave) return [];
    const noted = await this.list();
    this.mayHave = noted.length > 0;
    if (!this.mayHave) return [];
    const names = new Set(records().map(({ kind, name }) => `${kind} ${name}`));
    return noted.filter((one) => names.has(`${one.kind} ${one.name}`));
  }

  /** Notes a refusal, or that it was refused once more; returns whether it is new. */
  async add({ kind, name, id }: Pick<Refusal, 'kind' | 'name' | 'id'>, error: Error): Promise<boolean> {
    this.mayHave = true;
    const row = { id, error: error.message.slice(0, LENGTH), at: isoTime(this.clock()) };
    const key = { engine: this.engine, kind, name };
    return this.store.write(async ({ db }) => {
      const found = await db
        .updateTable('engine_refusal')
        .set(row)
        .where((where) => where.and(key))
        .executeTakeFirst();
      if (found.numUpdatedRows > 0) return false;
      await db
        .insertInto('engine_refusal')
        .values({ ...key, ...row })
        .execute();
      return true;
    });
  }

  async remove({ kind, name }: Pick<Refusal, 'kind' | 'name'>): Promise<void> {
    const key = { engine: this.engine, kind, name };
    await this.store.write(({ db }) =>
      db
        .deleteFrom('engine_refusal')
        .where((where) => where.and(key))
        .execute(),
    );
  }
}
