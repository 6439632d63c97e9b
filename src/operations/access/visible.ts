import type { Guard } from './guard.js';

/** Members of answers that name domains or nodes. */
interface Named {
  readonly domain: string;
}
interface RuleLike extends Named {
  readonly source_concepts: readonly string[];
}
interface EdgeLike {
  readonly source_id: string;
  readonly target_id: string;
}

/** Returns the records of the key's domains. */
export function ofDomains<T extends Named>(guard: Guard, items: readonly T[]): T[] {
  return items.filter(({ domain }) => guard.covers(domain));
}

/** Returns the rules of the key's domains that name nothing of another one. */
export function visibleRules<T extends RuleLike>(guard: Guard, rules: readonly T[]): T[] {
  return ofDomains(guard, rules).filter((rule) => rule.source_concepts.every((id) => guard.coversNode(id)));
}

export function visibleEdges<T extends EdgeLike>(guard: Guard, edges: readonly T[]): T[] {
  return edges.filter((edge) => guard.coversNode(edge.source_id) && guard.coversNode(edge.target_id));
}

interface Counts {
  readonly concepts?: number;
  readonly edges?: number;
  readonly rules?: number;
}
interface Stats {
  readonly knowledge: { readonly domain_breakdown: Readonly<Record<string, Counts>> };
  readonly learning: object;
}

/** Returns statistics of the domains of a bound key; learners only where it has that area. */
export function visibleStats(guard: Guard, stats: Stats): Stats {
  const own = Object.entries(stats.knowledge.domain_breakdown).filter(([name]) => guard.covers(name));
  const sum = (member: keyof Counts) => own.reduce((total, [, counts]) => total + (counts[member] ?? 0), 0);
  return {
    ...stats,
    knowledge: {
      ...stats.knowledge,
      ...{ domains: own.length, concepts: sum('concepts'), edges: sum('edges'), rules: sum('rules') },
      domain_breakdown: Object.fromEntries(own),
    },
    learning: guard.grants('learning') ? stats.learning : { learners: 0, total_observations: 0, learner_breakdown: {} },
  };
}

interface EngineLike {
  readonly error: string | null;
  readonly refused?: unknown;
}
interface Status {
  readonly engines?: readonly EngineLike[];
  readonly problems?: readonly string[];
}

/** Returns a status that names the parts with a problem and quotes no errors of engines: those name records of every domain. */
export function withoutQuotes(status: Status): Status {
  const { engines, problems, ...rest } = status;
  const parts = new Set(problems?.map((problem) => problem.split(':', 1)[0]!));
  return {
    ...rest,
    ...(engines === undefined
      ? {}
      : { engines: engines.map(({ refused: _, ...engine }) => ({ ...engine, error: null })) }),
    ...(problems === undefined ? {} : { problems: [...parts] }),
  };
}
