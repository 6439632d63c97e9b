import type { Llm } from '../backends/llm/port.js';
import type { Store } from '../backends/store/scope.js';
import { type Clock, isoTime } from '../core/clock.js';
import { SvcError, toSvcError } from '../core/errors.js';
import { absentCategories } from '../core/wording/absent-categories.js';
import { LlmEnrichment } from './enrich-llm.js';
import { TemplateEnricher } from './enrich-template.js';
import { EnrichmentPipeline, type EnrichmentStats } from './enrichment.js';
import { Projection } from './projection.js';
import { GraphRules, type RuleGraph } from './rule-source.js';
import { FlatYamlTarget } from './targets/flat-yaml.js';
import { AgentsTarget, SkillTarget } from './targets/markdown.js';
import { type Ruleset, RulesetTarget } from './targets/ruleset.js';
import type { TemplateRegistry } from './templates.js';
import type { EnrichedRule, RuleFilters, RuleSource, Target } from './types.js';

/** Formats that rules are projected into: `seed` is the universal rule set, the others are text. */
export const TARGETS = ['seed', 'yaml', 'agents', 'skill'] as const;
export type TargetName = (typeof TARGETS)[number];

export interface ProjectionPorts {
  readonly graph: RuleGraph;
  readonly templates: TemplateRegistry;
  /** None without a configured language model. */
  readonly llm: Llm | null;
  /** Where answers of the model are kept. */
  readonly store?: Store | undefined;
  readonly clock: Clock;
  /** Names this system in rule sets. */
  readonly source: { readonly name: string; readonly version: string };
}

export interface ProjectionInput {
  readonly persona: string;
  /** All domains when none. */
  readonly domains?: readonly string[] | undefined;
  readonly filters?: RuleFilters | undefined;
  readonly target: TargetName;
  /** Version of the rule set, an integer of at least 1. */
  readonly version: number;
  /** Variant in which derived rules read. */
  readonly variant?: string | undefined;
  /** Whether the configured language model enriches the rules; templates do where it fails. */
  readonly llm?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ProjectionResult {
  readonly target: TargetName;
  readonly rule_count: number;
  /** For target `seed`. */
  readonly ruleset?: Ruleset;
  /** For the targets that are text. */
  readonly content?: string;
  readonly warnings: readonly string[];
}

/** Projects the rules of the graph into rule-set files. */
export class Projections {
  constructor(private readonly ports: ProjectionPorts) {}

  /**
   * Throws `domain_not_found` for an unknown domain, `invalid_input` for an unknown variant or a version below 1, and
   * `disabled` where a language model is requested and none is configured.
   */
  async project(input: ProjectionInput): Promise<ProjectionResult> {
    const { graph, templates } = this.ports;
    this.checkVariant(input.variant);
    const read = isoTime(this.ports.clock());
    const source = new GraphRules(graph, { templates, variant: input.variant });
    const failures = new Set<string>();
    const { enricher, stats } = this.enricher(input, failures);
    let written: readonly EnrichedRule[] = [];
    const counting: Target<Ruleset | string> = {
      serialize: (rules: readonly EnrichedRule[]) => {
        written = rules;
        return this.target(input, read).serialize(rules);
      },
    };
    const output = await new Projection({ source, enricher, target: counting }).project(input.domains, input.filters);
    const count = written.length;
    const absent = await absentCategories(
      graph,
      { ...input.filters, domains: input.domains },
      written.map(({ rule }) => rule),
    );
    const unsure = count === 0 ? await noneReaches(source, input) : [];
    const warnings = [...absent, ...unsure, ...failureWarnings(stats, failures)];
    const result = { target: input.target, rule_count: count, warnings };
    return typeof output === 'string' ? { ...result, content: output } : { ...result, ruleset: output };
  }

  private checkVariant(variant: string | undefined): void {
    const known = new Set(this.ports.templates.list().map((template) => template.variant));
    if (variant === undefined || known.has(variant)) return;
    throw new SvcError('invalid_input', `variant must be one of ${[...known].join(', ')}.`, { member: 'variant' });
  }

  /** `failures` receives the distinct reasons of batches that the model failed. */
  private enricher(
    input: ProjectionInput,
    failures: Set<string>,
  ): { enricher: EnrichmentPipeline; stats: EnrichmentStats } {
    const { graph, templates, llm } = this.ports;
    const namesOf = async (ids: readonly string[]) =>
      new Map((await graph.getNodes(ids)).map((node) => [node.id, node.name]));
    const template = new TemplateEnricher(undefined, { templates, namesOf });
    if (input.llm === true && llm === null) {
      throw new SvcError('disabled', 'No language model is configured; set SVC_LLM, or project without it.');
    }
    const backend =
      input.llm === true && llm !== null
        ? new LlmEnrichment(llm, { signal: input.signal, store: this.ports.store })
        : undefined;
    const onFailure = (error: unknown) => failures.add(toSvcError(error).message);
    const enricher = new EnrichmentPipeline(template, { backend, onFailure, signal: input.signal });
    return { enricher, stats: enricher.stats };
  }

  private target(input: ProjectionInput, read: string): Target<Ruleset | string> {
    const { persona, domains } = input;
    if (input.target === 'yaml') return new FlatYamlTarget();
    if (input.target === 'agents') return new AgentsTarget({ personaName: persona, domains });
    if (input.target === 'skill') return new SkillTarget({ personaName: persona, domains });
    return new RulesetTarget({
      personaName: persona,
      version: input.version,
      graphVersion: read,
      projectedAt: read,
      sourceVersion: this.ports.source.version,
      source: this.ports.source.name,
    });
  }
}

/** Says that there are rules, and how sure the surest is, where none is as sure as was asked for. */
async function noneReaches(source: RuleSource, { domains, filters }: ProjectionInput): Promise<string[]> {
  const least = filters?.min_confidence ?? 0;
  if (least === 0) return [];
  const rules = await source.derive(domains, { ...filters, min_confidence: 0 });
  if (rules.length === 0) return [];
  const highest = rules.reduce((most, { confidence }) => Math.max(most, confidence), 0);
  return [`No rule reaches the confidence ${least}; the highest is ${Math.floor(highest * 1000) / 1000}.`];
}

/** Says how many rules the model failed, and why; a reason more than three is left out. */
function failureWarnings({ failed }: EnrichmentStats, reasons: ReadonlySet<string>): string[] {
  if (failed === 0) return [];
  const what = failed === 1 ? '1 rule was' : `${failed} rules were`;
  return [`${what} enriched by templates, since the model failed: ${[...reasons].slice(0, 3).join(' ')}`];
}
