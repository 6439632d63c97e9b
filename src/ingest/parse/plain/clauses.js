/** The number of a section or of a clause in it, and its text: "2. MEMBERSHIP", "2.1 There are …", "4.2.2. Nobody …". */
const NUMBERED = /^\s*(\d{1,3}(?:\.\d{1,3}){0,4})[.)]?\s+["“„'‘«(]{0,2}\p{Lu}/u;
/** What numbers parts of a clause: "(a)", "(2)". */
const BRACKETED = /^\s*\((?:([a-z])|(\d{1,2}))\)\s+\S/u;
/** A section by its number and its title, which is no sentence. */
const SECTION = /^\s*(\d{1,3})[.)]?\s+\p{Lu}[^\n]{0,80}[^\s.,;:]$/u;
/** The first clause of a section, by the number of the section. */
const FIRST = /^\s*(\d{1,3})\.1\.?\s/u;

/**
 * Returns which lines begin a clause. A number alone tells nothing, since a line may begin with any ("1.8 m"): clauses come one after another, or below
 * the line of their section.
 * @param {string[]} lines @returns {Set<number>}
 */
export function clauseLines(lines) {
  /** @type {Set<number>} */
  const found = new Set();
  /** @type {{ at: number, number: number[] } | undefined} */
  let clause;
  /** @type {{ at: number, mark: string | number } | undefined} */
  let bracket;
  for (const [at, line] of lines.entries()) {
    const number = NUMBERED.exec(line)?.[1]?.split('.').map(Number);
    if (number !== undefined) {
      if (clause !== undefined && follows(clause.number, number))
        for (const each of [{ at, number }, clause]) if (each.number.length > 1) found.add(each.at);
      if (clause !== undefined && found.has(clause.at) && isLater(clause.number, number)) found.add(at);
      clause = { at, number };
    }
    const [, letter, digits] = BRACKETED.exec(line) ?? [];
    const mark = letter ?? (digits === undefined ? undefined : Number(digits));
    if (mark === undefined) continue;
    if (bracket !== undefined && isNext(bracket.mark, mark)) found.add(bracket.at).add(at);
    bracket = { at, mark };
  }
  return found;
}

/** Returns whether a number comes after another: 2.1 after 2, 2.2 after 2.1 or 2.1.4. @param {number[]} before @param {number[]} number */
function follows(before, number) {
  const last = number.length - 1;
  const same = number.slice(0, last).every((each, i) => each === before[i]);
  if (!same) return false;
  return before.length === last ? number[last] === 1 : number[last] === (before[last] ?? Number.NaN) + 1;
}

/** Returns whether a number may come after that of a clause, with others between them that are missing: 2.4 after 2.2, 3.0 after 2.2. @param {number[]} before @param {number[]} number */
function isLater([section = 0, ...before], [next = 0, ...number]) {
  if (number.length === 0) return false;
  const differing = number.findIndex((each, i) => each !== before[i]);
  return next === section + 1 || (next === section && (number[differing] ?? -1) > (before[differing] ?? -1));
}

/** @param {string | number} before @param {string | number} mark */
function isNext(before, mark) {
  if (typeof before === 'number' || typeof mark === 'number') return mark === Number(before) + 1;
  return mark.charCodeAt(0) === before.charCodeAt(0) + 1;
}

/** Returns whether a line is the title of a section whose first clause comes after it: "2. MEMBERSHIP" above "2.1 There are …". @param {string} line @param {string} below */
export function isSectionTitle(line, below) {
  const number = SECTION.exec(line)?.[1];
  return number !== undefined && FIRST.exec(below)?.[1] === number;
}
