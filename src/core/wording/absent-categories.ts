import { nearest } from '../text/edit-distance.js';
import { someOf } from './some-of.js';

/** The rules of a filter that a graph pages. */
interface Filter {
  readonly categories?: readonly string[] | undefined;
  readonly domains?: readonly string[] | undefined;
  readonly include_derived?: boolean | undefined;
}

/** What a graph tells of its rules. */
interface PagedRules {
  pageOfRules(
    filter: Filter,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly rules: ReadonlyArray<{ readonly category: string }>; readonly total: number }>;
}

/** Categories that are looked for, and that a sentence names. */
const MOST_ASKED = 20;
const MOST_NAMED = 5;
/** Rules whose categories are told. */
const MOST_RULES = 1000;

/**
 * Returns a sentence for each category of a filter that no rule of its domains has, with the one that was most likely meant, or some of those that there are. `found`: rules
 * that the filter found, whose categories need not be looked for.
 */
export async function absentCategories(
  graph: PagedRules,
  { categories = [], domains, include_derived }: Filter,
  found: ReadonlyArray<{ readonly category: string }>,
): Promise<string[]> {
  const of = { ...(domains === undefined ? {} : { domains }), include_derived: include_derived ?? true };
  const there = new Set(found.map(({ category }) => category));
  const absent: string[] = [];
  for (const category of [...new Set(categories)].filter((one) => !there.has(one)).slice(0, MOST_ASKED)) {
    const { total } = await graph.pageOfRules({ ...of, categories: [category] }, { offset: 0, limit: 1 });
    if (total === 0) absent.push(category);
  }
  if (absent.length === 0) return [];
  const { rules } = await graph.pageOfRules(of, { offset: 0, limit: MOST_RULES });
  const known = [...new Set(rules.map(({ category }) => category))].sort();
  return absent.map((category) => {
    const meant = nearest(category, known);
    const instead = meant === undefined ? othersOf(known) : `; did you mean ${meant}?`;
    return `No rule has the category ${category}${instead}`;
  });
}

function othersOf(known: readonly string[]): string {
  return known.length === 0 ? '.' : `; there is ${someOf(known, MOST_NAMED)}.`;
}
