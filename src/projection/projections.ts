import type { GraphBackend } from '../backends/graph/port.js';
import type { Llm } from '../backends/llm/port.js';
import type { Store } from '../backends/store/scope.js';
import { type Clock, isoTime } from '../core/clock.js';
import { SvcError } from '../core/errors.js';
import { LlmEnrichment } from './enrich-llm.js';
import { TemplateEnricher } from './enrich-template.js';
import { EnrichmentPipeline, type EnrichmentStats } from './enrichment.js';
import { Projection } from './projection.js';
import { GraphRules } from './rule-source.js';
import { FlatYamlTarget } from './targets/flat-yaml.js';
import { AgentsTarget, SkillTarget } from './targets/markdown.js';
import { type Ruleset, RulesetTarget } from './targets/ruleset.js';
import type { TemplateRegistry } from './templates.js';
import type { EnrichedRule, RuleFilters, Target } from './types.js';

/** Formats that rules are projected into: `seed` is the universal rule set, the others are text. */
export const TARGETS = ['seed', 'yaml', 'agents', 'skill'] as const;
export type TargetName = (typeof TARGETS)[number];

export interface ProjectionPorts {
  readonly graph: Pick<GraphBackend, 'getDomain' | 'getNodes' | 'getRules'>;
  readonly templates: TemplateRegistry;
  /** None without a configured language model. */
  readonly llm: Llm | null;
  /** Where answers of the model are kept. */
  readonly store?: Store | undefined;
  readonly clock: Clock;
  /** The service's version. */
  readonly version: string;
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
    const { enricher, stats } = this.enricher(input);
    let count = 0;
    const counting: Target<Ruleset | string> = {
      serialize: (rules: readonly EnrichedRule[]) => {
        count = rules.length;
        return this.target(input, read).serialize(rules);
      },
    };
    const output = await new Projection({ source, enricher, target: counting }).project(input.domains, input.filters);
    const warnings = stats.failed === 0 ? [] : [`${stats.failed} rules were enriched by templates: the model failed.`];
    const result = { target: input.target, rule_count: count, warnings };
    return typeof output === 'string' ? { ...result, content: output } : { ...result, ruleset: output };
  }

  private checkVariant(variant: string | undefined): void {
    const known = new Set(this.ports.templates.list().map((template) => template.variant));
    if (variant === undefined || known.has(variant)) return;
    throw new SvcError('invalid_input', `variant must be one of ${[...known].join(', ')}.`, { member: 'variant' });
  }

  private enricher(input: ProjectionInput): { enricher: EnrichmentPipeline; stats: EnrichmentStats } {
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
    const enricher = new EnrichmentPipeline(template, { backend });
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
      sourceVersion: this.ports.version,
    });
  }
}
