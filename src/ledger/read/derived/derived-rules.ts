import type { Db } from '../../../backends/store/schema.js';
import { forEachInSlices } from '../../../core/async/slices.js';
import { sortInSlices } from '../../../core/async/sort-in-slices.js';
import { compare } from '../../manifest/asserted.js';
import { edgeRowPages } from '../read-edges.js';
import type { DomainRow } from '../read-nodes.js';
import { changesBetween, followChanges } from './follow-changes.js';
import {
  type DerivedRuleEntry,
  entryOf,
  type NamedEntry,
  type Templates,
  YIELDING,
  type YieldingRow,
} from './yielding-edges.js';

export type { DerivedRuleEntry } from './yielding-edges.js';

interface Known {
  readonly version: number;
  readonly entries: Promise<readonly DerivedRuleEntry[]>;
}

/** The edges that yield rules, in the order of the rules' ids: read once, then kept up to date by changes. */
export class DerivedRules {
  private known: Known | undefined;

  constructor(
    private readonly db: Db,
    private readonly templates: Templates,
  ) {}

  /** Returns the entries of all domains as of a version not older than `version`; `domains` are as of that version too. */
  entries(version: number, domains: readonly DomainRow[]): Promise<readonly DerivedRuleEntry[]> {
    if (this.known === undefined || this.known.version < version) {
      const entries = this.followed(this.known, version).then((followed) => followed ?? this.read(domains));
      this.known = { version, entries };
      entries.catch(() => {
        // A reading that failed is tried again.
        if (this.known?.entries === entries) this.known = undefined;
      });
    }
    return this.known.entries;
  }

  /** Returns the entries of a later version; null where only reading all edges tells. */
  private async followed(known: Known | undefined, version: number): Promise<readonly DerivedRuleEntry[] | null> {
    const entries = await known?.entries.catch(() => undefined);
    if (known === undefined || entries === undefined) return null;
    const changes = await changesBetween(this.db, known.version, version);
    return changes === null ? null : followChanges(this.db, changes, { entries, templates: this.templates });
  }

  private async read(domains: readonly DomainRow[]): Promise<readonly DerivedRuleEntry[]> {
    const entries: DerivedRuleEntry[] = [];
    if (this.templates.size === 0) return entries;
    // Ids begin with the name of the domain and a colon.
    for (const domain of [...domains].sort((a, b) => compare(`${a.name}:`, `${b.name}:`))) {
      if (domain.edge_count === 0) continue;
      for await (const page of edgeRowPages<YieldingRow>(this.db, { domain: domain.name, columns: YIELDING })) {
        const rules: NamedEntry[] = [];
        await forEachInSlices(page, (row) => rules.push(...entryOf(row, this.templates)));
        for (const { entry } of await sortInSlices(rules, (a, b) => compare(a.id, b.id))) entries.push(entry);
      }
    }
    return entries;
  }
}
