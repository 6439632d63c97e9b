import type { GraphRule } from '../core/model.js';
import { oneLine } from './targets/clean-text.js';
import type { TemplateRegistry } from './templates.js';
import type { EnrichedRule, Enricher } from './types.js';

/** Names of nodes by id, for the sentences that an enricher writes. */
export type NamesOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export interface TemplateEnricherOptions {
  readonly templates?: TemplateRegistry;
  /** Without it rules are enriched by what they hold themselves. */
  readonly namesOf?: NamesOf;
}

/**
 * Enriches rules without a model, the same way each time: texts that the rule carries itself win; a derived rule takes
 * the rest from its relation's template, an explicit one from the concepts it touches.
 */
export class TemplateEnricher implements Enricher {
  /** `domain`: what rules are tagged with; each rule's own domain when none. */
  constructor(
    private readonly domain?: string,
    private readonly options: TemplateEnricherOptions = {},
  ) {}

  async enrich(rules: readonly GraphRule[]): Promise<EnrichedRule[]> {
    const ids = [...new Set(rules.flatMap((rule) => rule.source_concepts))];
    const names = (await this.options.namesOf?.(ids)) ?? new Map<string, string>();
    return rules.map((rule) => this.enriched(rule, names));
  }

  private enriched(rule: GraphRule, names: ReadonlyMap<string, string>): EnrichedRule {
    const touched = rule.source_concepts.flatMap((id) => names.get(id) ?? []);
    const own = ownTexts(rule);
    const { context, antipattern, rationale } = { ...this.templateTexts(rule, touched), ...own };
    const written = context ?? (rule.derivation === 'explicit' && touched.length > 0 ? contextOf(touched) : undefined);
    return {
      rule,
      ...(written === undefined ? {} : { context: written }),
      ...(antipattern === undefined ? {} : { antipattern }),
      ...(rationale === undefined ? {} : { rationale }),
      tags: tagsOf(rule, { domain: this.domain ?? rule.domain, touched }),
    };
  }

  private templateTexts(rule: GraphRule, touched: readonly string[]): EnrichmentTexts {
    if (rule.derivation !== 'derived' || touched.length === 0) return {};
    const template = this.options.templates?.getTemplate(String(rule.metadata.template_id));
    if (template === undefined) return {};
    const fill = (text: string | undefined) =>
      text?.replace(/\{(source|target)\}/g, (_, end: string) => (end === 'source' ? touched[0]! : touched.at(-1)!));
    return given({
      context: fill(template.context),
      antipattern: fill(template.antipattern),
      rationale: fill(template.rationale),
    });
  }
}

/** What may be written about a rule beside its text and tags. */
export interface EnrichmentTexts {
  readonly context?: string;
  readonly antipattern?: string;
  readonly rationale?: string;
}

/** Returns what a rule carries in its metadata, as a rule set that came back leaves it there. */
export function ownTexts({ metadata }: GraphRule): EnrichmentTexts {
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);
  return given({
    context: text(metadata.context),
    antipattern: text(metadata.antipattern),
    rationale: text(metadata.rationale),
  });
}

function contextOf(names: readonly string[]): string {
  return `When working with ${[...new Set(names)].slice(0, 3).join(', ')}.`;
}

/** Returns the rule's own tags, then its domain, category, relation and the names it touches; lower case, each once. */
export function tagsOf(
  rule: GraphRule,
  { domain, touched }: { readonly domain: string; readonly touched: readonly string[] },
): string[] {
  const own = Array.isArray(rule.metadata.tags) ? rule.metadata.tags.filter((tag) => typeof tag === 'string') : [];
  const relation = rule.metadata.relation_type;
  const all = [...own, domain, rule.category, ...(typeof relation === 'string' ? [relation] : []), ...touched];
  return [...new Set(all.map((tag) => oneLine(tag.toLowerCase())).filter((tag) => tag !== ''))];
}

function given(texts: { readonly [K in keyof EnrichmentTexts]: string | undefined }): EnrichmentTexts {
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
}
