/** What may contradict another statement: endpoints as ids or keys, `targetName` as people read it. */
export interface Statement {
  readonly source: string;
  readonly relation: string;
  readonly target: string;
  readonly targetName: string;
}

/** Relations that cannot both hold between the same two things. */
const OPPOSITES: ReadonlyArray<readonly [string, string]> = [
  ['SUPPORTS', 'CHALLENGES'],
  ['SUPPORTS', 'CONTRADICTS'],
  ['SIMILAR_TO', 'CONTRADICTS'],
  ['IMPLEMENTS', 'CONTRADICTS'],
  ['REQUIRES', 'EXCLUDES'],
  ['INCLUDES', 'EXCLUDES'],
  ['CONTAINS', 'EXCLUDES'],
  ['ALLOWS', 'FORBIDS'],
  ['ENABLES', 'PREVENTS'],
  ['CAUSES', 'PREVENTS'],
  ['INCREASES', 'DECREASES'],
  ['PRECEDES', 'FOLLOWS'],
];

/** Relations that hold in one direction only. */
const ONE_WAY = new Set(['PART_OF', 'CONTAINS', 'INSTANCE_OF', 'BELONGS_TO', 'REFINES', 'PARENT_OF', 'CHILD_OF']);

/** Relations of which a thing has one. */
const SINGLE = new Set(['BORN_IN', 'BORN_ON', 'DIED_IN', 'DIED_ON', 'FOUNDED_IN', 'FOUNDED_ON', 'HAS_CAPITAL']);

const opposites = new Map<string, Set<string>>();
for (const [a, b] of OPPOSITES) {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    opposites.set(one, (opposites.get(one) ?? new Set<string>()).add(other));
  }
}

/** Returns for each statement the positions of those that contradict it; statements without one are left out. */
export function contradictions(statements: readonly Statement[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const note = (a: number, b: number): void => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const known = found.get(one) ?? [];
      if (!known.includes(other)) found.set(one, [...known, other]);
    }
  };
  const groups = new Map<string, number[]>();
  for (const [i, { source, target, relation }] of statements.entries()) {
    const names = [`pair ${[source, target].sort().join('\0')}`];
    if (SINGLE.has(relation)) names.push(`single ${source}\0${relation}`);
    for (const name of names) {
      const group = groups.get(name) ?? [];
      for (const j of group) if (contradict(statements[i]!, statements[j]!)) note(i, j);
      groups.set(name, [...group, i]);
    }
  }
  return found;
}

function contradict(a: Statement, b: Statement): boolean {
  if (a.source === b.source && a.target === b.target) return areOpposite(a.relation, b.relation);
  if (a.source === b.target && a.target === b.source) return a.relation === b.relation && ONE_WAY.has(a.relation);
  return a.relation === b.relation && SINGLE.has(a.relation) && !isPartOf(a.targetName, b.targetName);
}

function areOpposite(a: string, b: string): boolean {
  return opposites.get(a)?.has(b) === true || denied(a) === b || denied(b) === a;
}

/** Returns the relation that a negated one denies: NOT_USES and DOES_NOT_USES deny USES. */
function denied(relation: string): string | null {
  return /^(?:DOES_|IS_|DO_|DID_)?NOT_(.+)$/.exec(relation)?.[1] ?? null;
}

/** Returns whether one text says less than the other: "1970" than "10 May 1970", not the other way round. */
function isPartOf(a: string, b: string): boolean {
  const [words, others] = [wordsOf(a), wordsOf(b)];
  return [...words].every((word) => others.has(word)) || [...others].every((word) => words.has(word));
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
