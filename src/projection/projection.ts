import { TemplateEnricher } from './enrich-template.js';
import type { Enricher, RuleFilters, RuleSource, Target } from './types.js';

export interface ProjectionParts<Output> {
  readonly source: RuleSource;
  /** None: rules are tagged, and keep the texts that they carry themselves. */
  readonly enricher?: Enricher | undefined;
  readonly target: Target<Output>;
}

/** Reads rules, enriches them and writes them in a target's format: derive → enrich → serialize. */
export class Projection<Output> {
  constructor(private readonly parts: ProjectionParts<Output>) {}

  /** Returns the target's output; all domains when none. Throws `domain_not_found` for an unknown domain. */
  async project(domains?: readonly string[] | null, filters?: RuleFilters | null): Promise<Output> {
    const { source, enricher = new TemplateEnricher(), target } = this.parts;
    const rules = await source.derive(domains ?? undefined, filters ?? undefined);
    return target.serialize(await enricher.enrich(rules));
  }
}
