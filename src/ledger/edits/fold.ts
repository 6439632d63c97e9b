import { defined } from '../../core/defined.js';
import { type EdgeParts, type EditBody, edgeTarget, type RuleParts } from './edit-types.js';

/** What the edits of a concept come to. */
export interface ConceptFold {
  /** Set where an edit asserts the concept itself. */
  readonly added?: { readonly name: string; readonly description: string };
  readonly name?: string;
  readonly description?: string;
}

/** What the edits of an edge or a rule come to: they assert it, override members of it, or hide it. */
export type Fold<P> = ({ readonly is: 'added' } & P) | ({ readonly is: 'changed' } & P) | { readonly is: 'removed' };

/** Returns what edits of one concept come to, in the order in which they were made; null where there is none. */
export function conceptFold(edits: readonly EditBody[]): ConceptFold | null {
  let fold: ConceptFold | null = null;
  for (const edit of edits) {
    if (edit.type === 'add_concept') {
      fold = { ...(fold as ConceptFold | null), added: { name: edit.name, description: edit.description } };
    } else if (edit.type === 'change_concept') {
      fold = { ...(fold as ConceptFold | null), ...defined({ name: edit.name, description: edit.description }) };
    }
  }
  return fold;
}

/** Returns what edits of one edge, named as `edgeTarget` does, come to. */
export function edgeFold(target: string, edits: readonly EditBody[]): Fold<EdgeParts> | null {
  let fold: Fold<EdgeParts> | null = null;
  for (const edit of edits) {
    if (edit.type === 'remove_edge') fold = { is: 'removed' };
    else if (edit.type === 'add_edge') fold = { is: 'added', ...edgeParts(edit) };
    else if (edit.type === 'change_edge') {
      if (edit.new_relation === undefined) fold = changed(fold, edgeParts(edit));
      else fold = edgeTarget(edit) === target ? { is: 'removed' } : { is: 'added', ...edgeParts(edit) };
    }
  }
  return fold;
}

/** Returns what edits of one rule come to. */
export function ruleFold(edits: readonly EditBody[]): Fold<RuleParts> | null {
  let fold: Fold<RuleParts> | null = null;
  for (const edit of edits) {
    if (edit.type === 'remove_rule') fold = { is: 'removed' };
    else if (edit.type === 'add_rule') fold = { is: 'added', ...ruleParts(edit) };
    else if (edit.type === 'change_rule') fold = changed(fold, ruleParts(edit));
  }
  return fold;
}

function changed<P>(fold: Fold<P> | null, parts: P): Fold<P> {
  if (fold?.is === 'removed') return fold;
  return { ...fold, ...parts, is: fold?.is ?? 'changed' } as Fold<P>;
}

function edgeParts({ confidence, properties }: EdgeParts): EdgeParts {
  return defined({ confidence, properties });
}

function ruleParts({ text, category, confidence, concepts }: RuleParts): RuleParts {
  return defined({ text, category, confidence, concepts });
}
