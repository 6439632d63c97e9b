import { contradictions } from '../../../core/contradictions/edges.js';
import { contradictoryRules } from '../../../core/contradictions/rules.js';
import type { ConceptAssertion, EdgeAssertion, JsonObject, RuleAssertion } from '../../../core/model.js';
import type { Extracted } from '../extract.js';
import type { CheckedAnswer, CheckedConcept, CheckedRelation, CheckedRule } from './check-answer.js';

const MOST_TEXTS = 5;
const MOST_WARNINGS = 20;

/**
 * Joins what the chunks of a document state. The same concept, edge or rule twice is one, with every description and
 * quote; edges that contradict each other are both kept and name each other under `contradicts`.
 */
export function joinAnswers(answers: readonly CheckedAnswer[]): Extracted & { readonly warnings: string[] } {
  const concepts = new Map<string, CheckedConcept[]>();
  for (const concept of answers.flatMap((answer) => answer.concepts)) add(concepts, concept.key, concept);
  const edges = new Map<string, CheckedRelation[]>();
  for (const one of answers.flatMap((answer) => answer.relations)) {
    add(edges, `${one.source}\0${one.relation}\0${one.target}`, one);
  }
  const rules = new Map<string, CheckedRule[]>();
  for (const rule of answers.flatMap((answer) => answer.rules)) add(rules, rule.text.toLowerCase(), rule);
  const names = new Map([...concepts].map(([key, same]) => [key, surest(same).name]));
  const warnings: string[] = [];
  return {
    concepts: [...concepts.values()].map(conceptOf),
    edges: markedEdges(
      [...edges.values()].map((same) => edgeOf(same, names)),
      warnings,
    ),
    rules: withWarnings(
      [...rules.values()].map((same) => ruleOf(same, names)),
      warnings,
    ),
    warnings: warnings.slice(0, MOST_WARNINGS),
  };
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function surest<T extends { readonly confidence: number }>(same: readonly T[]): T {
  return same.reduce((best, one) => (one.confidence > best.confidence ? one : best));
}

function distinct(texts: ReadonlyArray<string | null>): string[] {
  return [...new Set(texts.filter((text) => text !== null))];
}

function conceptOf(same: readonly CheckedConcept[]): ConceptAssertion {
  const { name, confidence, description: first } = surest(same);
  const [description, ...others] = distinct([first, ...same.map((one) => one.description)]);
  const [type, ...types] = distinct([surest(same).type, ...same.map((one) => one.type)]);
  const aliases = distinct([...same.map((one) => one.name), ...same.flatMap((one) => one.aliases)]);
  const properties: JsonObject = {
    ...(type === undefined ? {} : { type }),
    ...(types.length === 0 ? {} : { types: [type!, ...types] }),
    ...(aliases.length < 2 ? {} : { aliases: aliases.filter((alias) => alias !== name) }),
    ...(others.length === 0 ? {} : { descriptions: others.slice(0, MOST_TEXTS) }),
  };
  return { name, ...(description === undefined ? {} : { description }), properties, confidence };
}

function edgeOf(same: readonly CheckedRelation[], names: ReadonlyMap<string, string>): EdgeAssertion {
  const { source, target, relation, quote, confidence } = surest(same);
  const [evidence, ...further] = distinct([quote, ...same.map((one) => one.quote)]);
  return {
    source: names.get(source)!,
    target: names.get(target)!,
    relation,
    confidence,
    properties: {
      evidence: evidence!,
      ...(further.length === 0 ? {} : { further_evidence: further.slice(0, MOST_TEXTS) }),
    },
  };
}

function ruleOf(same: readonly CheckedRule[], names: ReadonlyMap<string, string>): RuleAssertion {
  const { text, category, quote, confidence } = surest(same);
  const concepts = distinct(same.flatMap((one) => one.concepts)).map((key) => names.get(key)!);
  // The passages that state it, so that the rule comes with them, and the concepts it names.
  const passages = distinct(same.map((one) => one.passage));
  return { text, category, confidence, concepts: [...passages, ...concepts], metadata: { evidence: quote } };
}

function markedEdges(edges: readonly EdgeAssertion[], warnings: string[]): EdgeAssertion[] {
  const found = contradictions(
    edges.map(({ source, relation, target }) => ({ source, relation, target, targetName: target })),
  );
  return edges.map((edge, i) => {
    const against = found.get(i);
    if (against === undefined) return edge;
    const others = against.map((other) => statementOf(edges[other]!));
    for (const other of against) if (other > i) warn(warnings, statementOf(edge), statementOf(edges[other]!));
    return { ...edge, properties: { ...edge.properties, contradicts: others } };
  });
}

/** Warns of rules that contradict each other; whoever reads rules finds them marked, those of other documents too. */
function withWarnings(rules: readonly RuleAssertion[], warnings: string[]): readonly RuleAssertion[] {
  for (const [i, against] of contradictoryRules(rules.map((rule) => rule.text))) {
    for (const other of against) if (other > i) warn(warnings, rules[i]!.text, rules[other]!.text);
  }
  return rules;
}

function warn(warnings: string[], one: string, other: string): void {
  warnings.push(`"${one}" and "${other}" contradict each other; both are kept.`);
}

function statementOf({ source, relation, target }: EdgeAssertion): string {
  return `${source} ${relation} ${target}`;
}
