import { type Kysely, sql } from 'kysely';
import type { Database } from '../../backends/store/schema.js';
import { derivedRuleId, type EdgeTemplate, yieldsNamedRule } from '../../core/derive-rules.js';
import type { JsonObject } from '../../core/model.js';
import { compare } from '../manifest/asserted.js';
import { edgeRowPages } from './read-edges.js';
import type { DomainRow } from './read-nodes.js';

/** An edge that yields a rule, by its number; all that filters of rules ask for. */
export interface DerivedRuleEntry {
  readonly edge: number;
  readonly domain: number;
  readonly category: string;
  readonly confidence: number;
}

interface YieldingRow {
  readonly ref: number;
  readonly source_id: string;
  readonly target_id: string;
  readonly relation_type: string;
  readonly confidence: number;
  readonly properties: string;
  readonly source_name: string;
  readonly target_name: string;
}

const COLUMNS = sql`e.ref, a.id as source_id, b.id as target_id, e.relation as relation_type, e.confidence, e.properties,
  a.name as source_name, b.name as target_name`;

/**
 * The edges that yield rules, in the order of the rules' ids. They are read once for a version of the graph: lists of
 * rules, and how many there are, come from here without reading edges again.
 */
export class DerivedRules {
  private known: { readonly version: number; readonly entries: Promise<readonly DerivedRuleEntry[]> } | undefined;

  constructor(
    private readonly db: Kysely<Database>,
    private readonly templates: ReadonlyMap<string, EdgeTemplate>,
  ) {}

  /** Returns the entries of all domains as of a version not older than `version`; `domains` are as of that version too. */
  entries(version: number, domains: readonly DomainRow[]): Promise<readonly DerivedRuleEntry[]> {
    if (this.known === undefined || this.known.version < version) {
      const entries = this.read(domains);
      this.known = { version, entries };
      entries.catch(() => {
        // A reading that failed is tried again.
        if (this.known?.entries === entries) this.known = undefined;
      });
    }
    return this.known.entries;
  }

  private async read(domains: readonly DomainRow[]): Promise<readonly DerivedRuleEntry[]> {
    const entries: DerivedRuleEntry[] = [];
    if (this.templates.size === 0) return entries;
    // Ids begin with the name of the domain and a colon.
    for (const domain of [...domains].sort((a, b) => compare(`${a.name}:`, `${b.name}:`))) {
      if (domain.edge_count === 0) continue;
      for await (const page of edgeRowPages<YieldingRow>(this.db, { domain: domain.name, columns: COLUMNS })) {
        const rules = page.flatMap((row) => this.entryOf(row, domain.ref));
        for (const { entry } of rules.sort((a, b) => compare(a.id, b.id))) entries.push(entry);
      }
    }
    return entries;
  }

  private entryOf(row: YieldingRow, domain: number): Array<{ id: string; entry: DerivedRuleEntry }> {
    const template = this.templates.get(row.relation_type);
    if (template === undefined) return [];
    const properties = row.properties === '{}' ? {} : (JSON.parse(row.properties) as JsonObject);
    if (!yieldsNamedRule({ ...row, properties }, { source: row.source_name, target: row.target_name })) return [];
    const { category } = template;
    const entry = { edge: row.ref, domain, category, confidence: row.confidence };
    return [{ id: derivedRuleId(row, template), entry }];
  }
}
