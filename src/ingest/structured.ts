import { createHash } from 'node:crypto';
import { slicer } from '../core/async/slices.js';
import { normaliseName, ruleId } from '../core/ids.js';
import type { ConceptAssertion, EdgeAssertion, Manifest, RuleAssertion } from '../core/model.js';
import { structuredSource } from './sources.js';
import { checkConcept, checkEdge, checkRule } from './structured-checks.js';

/** A batch as it comes in: members are checked here, for every caller. */
export interface StructuredInput {
  readonly domain: string;
  readonly concepts: readonly unknown[];
  readonly edges?: readonly unknown[];
  readonly rules?: readonly unknown[];
  /** Name of the batch: a later batch of that name replaces it. */
  readonly source_id?: string | undefined;
}

/**
 * Returns what a batch of concepts, edges and rules asserts, with confidence 1 where none is given. The same element twice
 * counts once: the later wins, with a warning. Throws `invalid_input` that names the first bad member, as in
 * `edges.3.relation`.
 */
export async function structuredManifest(input: StructuredInput): Promise<Manifest> {
  const warnings: string[] = [];
  const hash = createHash('sha256');
  const concepts = await readAll(input.concepts, checkConcept, {
    keyOf: (concept: ConceptAssertion) => concept.id ?? `name ${normaliseName(concept.name)}`,
    nameOf: (concept) => `Concept ${concept.name}`,
    hash,
    warnings,
  });
  const edges = await readAll(input.edges ?? [], checkEdge, {
    keyOf: (edge: EdgeAssertion) =>
      JSON.stringify([normaliseName(edge.source), edge.relation, normaliseName(edge.target)]),
    nameOf: (edge) => `Edge ${edge.source} ${edge.relation} ${edge.target}`,
    hash,
    warnings,
  });
  const rules = await readAll(input.rules ?? [], checkRule, {
    keyOf: (rule: RuleAssertion) => ruleId('', rule),
    nameOf: (rule) => `Rule ${rule.name ?? rule.text}`,
    hash,
    warnings,
  });
  const contentHash = hash.digest('hex');
  return {
    domain: input.domain,
    source: structuredSource(input.domain, contentHash, input.source_id),
    content_hash: contentHash,
    concepts,
    edges,
    rules,
    passages: [],
    warnings,
  };
}

interface ElementKind<T> {
  /** Returns the key of an element: two with the same key are one. */
  readonly keyOf: (element: T) => string;
  readonly nameOf: (element: T) => string;
  readonly hash: ReturnType<typeof createHash>;
  readonly warnings: string[];
}

async function readAll<T>(
  list: readonly unknown[],
  check: (value: unknown, index: number) => T,
  kind: ElementKind<T>,
): Promise<T[]> {
  const pause = slicer();
  const found = new Map<string, T>();
  for (const [i, value] of list.entries()) {
    const element = check(value, i);
    const key = kind.keyOf(element);
    if (found.has(key)) kind.warnings.push(`${kind.nameOf(element)} is given twice; the later one counts.`);
    found.set(key, element);
    kind.hash.update(`${JSON.stringify(element)}\n`);
    await pause();
  }
  kind.hash.update('\0');
  return [...found.values()];
}
