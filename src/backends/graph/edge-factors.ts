import type { LedgerChange } from '../../ledger/change.js';
import { forRows, GIVEN, type ValueRow } from '../store/rows.js';
import type { Db } from '../store/schema.js';
import type { EdgeFactors as ResolvedFactors } from './engine.js';

/** Factors on edges: given by edge id, used by assertion number. Ids without an edge are kept until there is one. */
export class EdgeFactors {
  private byId: ReadonlyMap<string, number> = new Map();
  private readonly ids = new Map<number, string>();
  private byRef = new Map<number, number>();
  private unresolved = new Set<string>();
  private stale = false;
  private reading: Promise<void> | undefined;
  /** Edges that went since the read under way began. */
  private readonly removed = new Set<number>();

  constructor(private readonly db: Db) {}

  set(factors: ReadonlyMap<string, number>): void {
    this.byId = new Map([...factors].filter(([, factor]) => factor !== 1));
    this.reset();
  }

  /** Records what a write did to edges; null means that everything may have changed. */
  note(change: LedgerChange | null): void {
    if (change === null || change.removedDomains.size > 0) this.reset();
    if (change === null || this.byId.size === 0) return;
    for (const [ref, { confidence }] of change.edges) {
      if (confidence !== null) {
        this.stale ||= this.unresolved.size > 0;
        continue;
      }
      if (this.reading !== undefined) this.removed.add(ref);
      const id = this.ids.get(ref);
      if (id === undefined) continue;
      this.unresolved.add(id);
      this.ids.delete(ref);
      this.byRef = new Map(this.byRef);
      this.byRef.delete(ref);
      this.stale = true;
    }
  }

  /**
   * Returns factors by assertion number, as of the last change noted before the call; the same object as long as nothing
   * changed. A failed read is repeated by the next call.
   */
  async resolved(): Promise<ResolvedFactors> {
    // A read that is under way may have begun before that change.
    await this.reading?.catch(() => undefined);
    if (this.stale) {
      this.reading ??= this.read().finally(() => {
        this.reading = undefined;
      });
    }
    await this.reading;
    return this.byRef;
  }

  private async read(): Promise<void> {
    const { unresolved } = this;
    this.stale = false;
    this.removed.clear();
    try {
      const rows = await forRows(
        this.db,
        { id: 'text', src: 'text', rel: 'text', dst: 'text' },
        [...unresolved].flatMap(readings),
      )<{ id: string; ref: number }>`select given.id, e.ref from ${GIVEN} join node a on a.id = given.src
          join node b on b.id = given.dst
          join edge e on e.src = a.ref and e.dst = b.ref and e.relation = given.rel and e.shown = 1`;
      // Everything was set anew meanwhile.
      if (unresolved !== this.unresolved) await this.read();
      else this.take(rows);
    } catch (error) {
      this.stale = true;
      throw error;
    }
  }

  private take(rows: ReadonlyArray<{ readonly id: string; readonly ref: number }>): void {
    const byRef = new Map(this.byRef);
    for (const { id, ref } of rows) {
      const factor = this.byId.get(id);
      if (factor === undefined || this.removed.has(ref)) continue;
      byRef.set(ref, factor);
      this.ids.set(ref, id);
      this.unresolved.delete(id);
    }
    this.byRef = byRef;
  }

  private reset(): void {
    this.ids.clear();
    this.byRef = new Map();
    this.unresolved = new Set(this.byId.keys());
    this.stale = this.unresolved.size > 0;
  }
}

/**
 * Returns the edges that an edge id may mean: a caller's id may itself hold what looks like a relation between bars.
 */
function readings(id: string): ValueRow[] {
  const rows: ValueRow[] = [];
  for (const match of id.matchAll(/\|(?=([A-Z][A-Z0-9_]{0,63})\|)/g)) {
    const relation = match[1]!;
    rows.push([id, id.slice(0, match.index), relation, id.slice(match.index + relation.length + 2)]);
  }
  return rows;
}
