import { stem } from '../text/stems/stem.js';
import { tokenize } from '../text/tokens.js';

/** What a rule says, whether it says it negated or not. */
export interface PolarStatement {
  /** Stems of its words without negations and modal verbs: equal for "Always log in." and "Never log in". */
  readonly key: string;
  readonly negative: boolean;
}

const NEGATION = /^(?:not|never|no|avoid|cannot|\w+n['’]t)$/u;
const FILLERS = new Set(
  'must should shall may can always do does did please is are was were to be been the a an'.split(' '),
);
const AUXILIARY = new Set('is are was were be been not'.split(' '));
/** Participles after "is" or "are": "is forbidden" negates, "is allowed" adds nothing. */
const FORBIDDEN = new Set('forbidden prohibited disallowed banned'.split(' '));
const ALLOWED = new Set('allowed permitted required mandatory'.split(' '));
/** Verbs between a subject and an object that say the opposite of each other: one word for both sides. */
const VERBS = new Map<string, { readonly verb: string; readonly negative: boolean }>();
for (const [verb, positive, negated] of [
  ['permit', 'require allow permit need', 'forbid prohibit disallow ban'],
  ['include', 'include contain', 'exclude'],
] as const) {
  for (const word of positive.split(' ')) VERBS.set(stem(word), { verb, negative: false });
  for (const word of negated.split(' ')) VERBS.set(stem(word), { verb, negative: true });
}

/** Characters of a rule that is read as one statement: in a longer text, no single "not" negates the whole. */
const MAX_STATEMENT = 1000;

/**
 * Returns what an English rule says and its polarity: two rules of one key and different polarity contradict each other,
 * as "X requires Y" and "X forbids Y" do. Null where nothing but negations and modal verbs is left, and for a text that is
 * longer than a statement.
 */
export function polarStatement(text: string): PolarStatement | null {
  if (text.length > MAX_STATEMENT) return null;
  const words: string[] = [];
  let negative = false;
  let before = '';
  for (const { norm } of tokenize(text)) {
    const word = norm.replaceAll('’', "'");
    const participle = AUXILIARY.has(before) && (FORBIDDEN.has(word) || ALLOWED.has(word));
    before = word;
    if (participle) negative = negative !== FORBIDDEN.has(word);
    else if (NEGATION.test(word)) negative = true;
    else if (!FILLERS.has(word)) {
      const stemmed = stem(word);
      const known = VERBS.get(stemmed);
      if (known?.negative === true) negative = !negative;
      words.push(known?.verb ?? stemmed);
    }
  }
  return words.length === 0 ? null : { key: words.join(' '), negative };
}

/** Returns for each rule the positions of those that contradict it; rules without one are left out. */
export function contradictoryRules(texts: readonly string[]): Map<number, number[]> {
  const sides = new Map<string, { readonly positive: number[]; readonly negative: number[] }>();
  for (const [i, text] of texts.entries()) {
    const statement = polarStatement(text);
    if (statement === null) continue;
    const both = sides.get(statement.key) ?? { positive: [], negative: [] };
    both[statement.negative ? 'negative' : 'positive'].push(i);
    sides.set(statement.key, both);
  }
  const found = new Map<number, number[]>();
  for (const { positive, negative } of sides.values()) {
    if (positive.length === 0 || negative.length === 0) continue;
    for (const i of positive) found.set(i, negative);
    for (const i of negative) found.set(i, positive);
  }
  return found;
}
