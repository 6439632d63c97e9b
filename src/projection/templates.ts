import { type EdgeTemplate, renderTemplate } from '../core/derive-rules.js';
import type { GraphEdge } from '../core/model.js';

/** An edge template that writes itself out. */
export interface RuleTemplate extends EdgeTemplate {
  /** Returns the text with the names of the edge's endpoints in their places. */
  render(sourceName: string, targetName: string): string;
}

/** Holds the templates of derived rules by id, `<relation>:<variant>`. */
export class TemplateRegistry {
  private byId = new Map<string, RuleTemplate>();

  /** `shipped`: the templates that `reset` returns to, in the order of their file. */
  constructor(private readonly shipped: readonly EdgeTemplate[]) {
    this.reset();
  }

  /** Returns the template of this id, compared without case, or undefined. */
  getTemplate(id: string): RuleTemplate | undefined {
    return this.byId.get(id.toLowerCase());
  }

  /**
   * Returns the template for an edge: the requested variant, else the first of its relation; undefined for a relation
   * without templates.
   */
  selectTemplate(edge: Pick<GraphEdge, 'relation_type'>, variant?: string): RuleTemplate | undefined {
    const relation = edge.relation_type.toLowerCase();
    const chosen = variant === undefined ? undefined : this.getTemplate(`${relation}:${variant}`);
    return chosen ?? [...this.byId.values()].find((template) => template.relation === relation);
  }

  /** Adds a template, or replaces the one with its id. */
  register(template: EdgeTemplate): RuleTemplate {
    const own: RuleTemplate = {
      ...template,
      render: (sourceName, targetName) => renderTemplate(template, sourceName, targetName),
    };
    this.byId.set(template.id.toLowerCase(), own);
    return own;
  }

  /** Drops what was registered and returns to the shipped templates. */
  reset(): void {
    this.byId = new Map();
    for (const template of this.shipped) this.register(template);
  }

  /** Returns all templates, in the order in which they were registered. */
  list(): readonly RuleTemplate[] {
    return [...this.byId.values()];
  }
}
