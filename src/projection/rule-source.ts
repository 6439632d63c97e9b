import type { GraphBackend } from '../backends/graph/port.js';
import { domainNotFound } from '../core/errors.js';
import type { GraphRule } from '../core/model.js';
import type { TemplateRegistry } from './templates.js';
import type { RuleFilters, RuleSource } from './types.js';

export interface GraphRulesOptions {
  /** Needed for a variant other than the default one. */
  readonly templates?: TemplateRegistry;
  /** Variant in which derived rules read, for example `conditional`; the relation's first variant when left out. */
  readonly variant?: string | undefined;
}

export type RuleGraph = Pick<
  GraphBackend,
  'getDomain' | 'getNodes' | 'getRules' | 'markContradictions' | 'pageOfRules'
>;

const BATCH = 500;

/** Reads explicit and derived rules from the graph; those that contradict others name them under `contradicts`. */
export class GraphRules implements RuleSource {
  constructor(
    private readonly graph: RuleGraph,
    private readonly options: GraphRulesOptions = {},
  ) {}

  async derive(domains?: readonly string[] | null, filters?: RuleFilters | null): Promise<GraphRule[]> {
    for (const domain of domains ?? []) {
      if ((await this.graph.getDomain(domain)) === null) throw domainNotFound(domain);
    }
    const found = await this.graph.getRules({
      ...filters,
      ...(domains === undefined || domains === null ? {} : { domains }),
    });
    const rules = await this.graph.markContradictions(domains?.length ? found.filter(isWithin(domains)) : found);
    return this.options.variant === undefined ? rules : this.inVariant(rules, this.options.variant);
  }

  /** Writes derived rules again from the template of this variant; explicit rules stay as they are. */
  private async inVariant(rules: readonly GraphRule[], variant: string): Promise<GraphRule[]> {
    const names = await this.names(rules.filter((rule) => rule.derivation === 'derived'));
    return rules.map((rule) => {
      const relation = rule.metadata.relation_type;
      const template = this.options.templates?.getTemplate(`${String(relation)}:${variant}`);
      const source = names.get(rule.source_concepts[0] ?? '');
      const target = names.get(rule.source_concepts.at(-1) ?? '');
      if (rule.derivation !== 'derived' || !template || source === undefined || target === undefined) return rule;
      const contradicts = contradictsOf(rule);
      return {
        ...rule,
        id: rule.id.replace(String(rule.metadata.template_id), template.id),
        text: template.render(source, target),
        metadata: {
          ...rule.metadata,
          ...(contradicts.length === 0 ? {} : { contradicts: contradicts.map((id) => idIn(id, variant)) }),
          template_id: template.id,
          template_variant: template.variant,
          template_severity: template.severity,
        },
      };
    });
  }

  private async names(rules: readonly GraphRule[]): Promise<Map<string, string>> {
    const ids = [...new Set(rules.flatMap((rule) => rule.source_concepts))];
    const names = new Map<string, string>();
    for (let start = 0; start < ids.length; start += BATCH) {
      for (const node of await this.graph.getNodes(ids.slice(start, start + BATCH))) names.set(node.id, node.name);
    }
    return names;
  }
}

/** Domains isolate: a rule that names something of a domain that was not requested is left out. */
function isWithin(domains: readonly string[]): (rule: GraphRule) => boolean {
  const requested = new Set(domains);
  return ({ source_concepts }) =>
    source_concepts.every((id) => requested.has(id.slice(0, Math.max(0, id.indexOf(':')))));
}

/** Returns the ids of rules that contradict this one. */
export function contradictsOf({ metadata }: GraphRule): string[] {
  const { contradicts } = metadata;
  return Array.isArray(contradicts) ? contradicts.filter((id) => typeof id === 'string') : [];
}

/** Returns the id of a derived rule in another variant; ids of edges stay as they are. */
function idIn(id: string, variant: string): string {
  return id.startsWith('derived:') ? id.replace(/[^:]*$/, variant) : id;
}
