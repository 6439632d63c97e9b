import { SvcError } from './errors.js';
import type { GraphEdge, GraphRule } from './model.js';

export type Severity = 'error' | 'warning' | 'info';

/** How an edge of one relation reads as a rule. */
export interface EdgeTemplate {
  /** `<relation>:<variant>`, relation in lower case. */
  readonly id: string;
  readonly relation: string;
  readonly variant: string;
  readonly severity: Severity;
  readonly category: string;
  /** Holds `{source}` and `{target}`. */
  readonly text: string;
  /** For projection, with the same places: when the rule applies, what a violation looks like, why it matters. */
  readonly context?: string;
  readonly antipattern?: string;
  readonly rationale?: string;
}

/** Returns the text of a template with the names of the endpoints, without their own full stops, in their places. */
export function renderTemplate(template: EdgeTemplate, sourceName: string, targetName: string): string {
  return template.text.replace(/\{(source|target)\}/g, (_, place: string) =>
    withoutEnd(place === 'source' ? sourceName : targetName),
  );
}

/** Returns a name without white space and full stops at its end; most have none, and a query renders many. */
function withoutEnd(name: string): string {
  return /[\s.]$/.test(name.slice(-1)) ? name.replace(/[\s.]+$/, '') : name;
}

/** Who asserts edges that are no statements of people: `properties.provenance` of an edge. */
const WITHOUT_RULES: ReadonlySet<unknown> = new Set(['row', 'schema', 'interoception']);

/** Names of an edge's endpoints. */
interface EndpointNames {
  readonly source: string;
  readonly target: string;
}

/** Returns whether an edge between nodes of these names yields a rule, where its relation has a template. */
export function yieldsNamedRule(edge: YieldingEdge, { source, target }: EndpointNames): boolean {
  return yieldsRules(edge) && source.trim() !== '' && target.trim() !== '' && source !== target;
}

type YieldingEdge = Pick<GraphEdge, 'source_id' | 'target_id' | 'properties'>;

/**
 * Returns whether an edge may yield a rule. Self-loops never do; edges of database rows, of foreign keys between tables
 * and of learning do only where their property `derive_rules` is true.
 */
export function yieldsRules({ source_id, target_id, properties }: YieldingEdge): boolean {
  if (source_id === target_id) return false;
  return properties.derive_rules === true || !WITHOUT_RULES.has(properties.provenance);
}

/**
 * Returns the rule derived from an edge; its confidence is the edge's. Null where the edge yields none, where an
 * endpoint has no name to put into the text (a passage without a title, as messages and untitled text are), and where
 * both have the same name.
 */
export function deriveRule(
  edge: GraphEdge,
  names: EndpointNames & { readonly domain: string },
  template: EdgeTemplate,
): GraphRule | null {
  const { source, target } = names;
  if (!yieldsNamedRule(edge, names)) return null;
  return {
    id: derivedRuleId(edge, template),
    text: renderTemplate(template, source, target),
    domain: names.domain,
    category: template.category,
    confidence: edge.confidence,
    derivation: 'derived',
    source_concepts: [edge.source_id, edge.target_id],
    metadata: {
      relation_type: template.relation,
      template_id: template.id,
      template_variant: template.variant,
      template_severity: template.severity,
    },
  };
}

/** Returns the id `derived:<source>-><target>:<relation>:<variant>`. */
export function derivedRuleId(edge: Pick<GraphEdge, 'source_id' | 'target_id'>, template: EdgeTemplate): string {
  return `derived:${edge.source_id}->${edge.target_id}:${template.id}`;
}

/** Returns the default template of each relation (upper case): the first of its variants. */
export function defaultTemplates(templates: readonly EdgeTemplate[]): Map<string, EdgeTemplate> {
  const first = new Map<string, EdgeTemplate>();
  for (const template of templates) {
    const relation = template.relation.toUpperCase();
    if (!first.has(relation)) first.set(relation, template);
  }
  return first;
}

/**
 * Returns the templates of a parsed `edge-templates.yaml`, in its order. Throws `invalid_input` that names the wrong
 * member.
 */
export function readTemplates(parsed: unknown): EdgeTemplate[] {
  return Object.entries(objectAt(parsed, 'edge-templates')).flatMap(([relation, value]) => {
    const entry = objectAt(value, relation);
    const category = stringAt(entry.category, `${relation}.category`);
    return Object.entries(objectAt(entry.variants, `${relation}.variants`)).map(([variant, body]) => {
      const path = `${relation}.variants.${variant}`;
      const fields = objectAt(body, path);
      return {
        id: `${relation.toLowerCase()}:${variant}`,
        relation: relation.toLowerCase(),
        variant,
        severity: severityAt(fields.severity, `${path}.severity`),
        category,
        text: stringAt(fields.text, `${path}.text`),
        ...notesOf(entry, relation),
      };
    });
  });
}

/** Returns what the file says of a relation beside its rules. */
function notesOf(entry: Record<string, unknown>, relation: string) {
  const names = ['context', 'antipattern', 'rationale'] as const;
  const found = names.filter((name) => entry[name] !== undefined);
  return Object.fromEntries(found.map((name) => [name, stringAt(entry[name], `${relation}.${name}`)]));
}

function objectAt(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new SvcError('invalid_input', `Edge templates: ${path} must be a mapping.`);
}

function stringAt(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new SvcError('invalid_input', `Edge templates: ${path} must be a text.`);
}

function severityAt(value: unknown, path: string): Severity {
  if (value === 'error' || value === 'warning' || value === 'info') return value;
  throw new SvcError('invalid_input', `Edge templates: ${path} must be error, warning or info.`);
}
