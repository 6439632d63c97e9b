import { conceptId } from '../../src/core/ids.js';
import { seededRandom } from '../../src/core/random.js';
import type { Ingest } from '../../src/ingest/ingest.js';
import type { Retrieval } from '../../src/retrieval/retrieval.js';

/** Names and descriptions; none of them says what needs, uses or watches what. */
const CONCEPTS =
  `Checkout: takes payment from shoppers; Ledger: stores bookings; Mailer: sends receipts by email; Risk Engine: scores orders;
Catalog: lists goods; Image Resizer: makes thumbnails; Search Index: finds goods by their words; Price Book: knows what goods cost;
Tax Table: rates by country; Coupon Desk: grants discounts; Cart: collects goods; Session Cache: remembers visitors;
Login Page: checks passwords; Key Vault: keeps secrets; Audit Trail: records who did what; Job Queue: holds tasks until a worker is free;
Scheduler: starts tasks at night; Report Builder: draws monthly tables; Data Lake: raw files of all years; Event Bus: carries messages;
Gateway: lets requests in; Load Balancer: spreads requests; Name Server: resolves hosts; Backup Vault: nightly copies;
Warehouse Robot: fetches boxes; Label Printer: prints addresses; Scale: weighs parcels; Route Planner: finds the shortest way;
Driver App: shows stops; Return Desk: accepts parcels back; Refund Clerk: pays money back; Chat Widget: talks with visitors;
Ticket Board: open complaints; Survey Form: gathers opinions; Banner Server: shows advertisements; Click Counter: counts visits;
Feature Flag: turns parts on and off; Build Farm: compiles code; Test Bench: runs checks; Release Train: ships versions`
    .split(/;\s*/u)
    .map((line) => line.split(': ') as [string, string]);

/** Relations with the questions that ask for edges which leave an item and which arrive there. */
const RELATIONS = [
  { relation: 'requires', leaving: 'What does {} require?', arriving: 'What requires the {}?' },
  { relation: 'uses', leaving: 'What does the {} use?', arriving: 'Which components use the {}?' },
  { relation: 'part_of', leaving: 'What is the {} part of?', arriving: 'What is part of the {}?' },
  { relation: 'monitors', leaving: 'Which services does {} monitor?', arriving: 'What is {} monitored by?' },
  { relation: 'reportsTo', leaving: 'What does the {} report to?', arriving: 'Which systems report to the {}?' },
];
/** The first relation by another word. */
const OTHER_WORDS = {
  relation: 'requires',
  leaving: 'What does the {} need?',
  arriving: 'Which component needs the {}?',
};

export interface EdgeQuestion {
  readonly question: string;
  readonly named: string;
  readonly wanted: readonly string[];
  /** Found by the embedding model only. */
  readonly otherWords: boolean;
}

export interface MadeEdges {
  readonly concepts: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly edges: ReadonlyArray<{ readonly source: string; readonly target: string; readonly relation: string }>;
  readonly questions: readonly EdgeQuestion[];
}

/** Makes 40 concepts, 80 edges of five relations between them, and a question for each concept, relation and direction that has edges. */
export function madeEdges(seed: number): MadeEdges {
  const random = seededRandom(seed);
  const names = CONCEPTS.map(([name]) => name);
  const edges = new Map<string, MadeEdges['edges'][number]>();
  while (edges.size < 80) {
    const [source, target] = [0, 1].map(() => names[Math.floor(random() * names.length)]!) as [string, string];
    const { relation } = RELATIONS[edges.size % RELATIONS.length]!;
    const pair = [source, target].sort().join(' ');
    if (source !== target && !edges.has(pair)) edges.set(pair, { source, target, relation });
  }
  const all = [...edges.values()];
  const questions = [...RELATIONS, OTHER_WORDS].flatMap((form) =>
    names.flatMap((named): EdgeQuestion[] => {
      const own = all.filter(({ relation }) => relation === form.relation);
      const ask = (text: string, wanted: string[]): EdgeQuestion[] =>
        wanted.length === 0
          ? []
          : [{ question: text.replace('{}', named), named, wanted, otherWords: form === OTHER_WORDS }];
      return [
        ...ask(
          form.leaving,
          own.flatMap(({ source, target }) => (source === named ? [target] : [])),
        ),
        ...ask(
          form.arriving,
          own.flatMap(({ source, target }) => (target === named ? [source] : [])),
        ),
      ];
    }),
  );
  return { concepts: CONCEPTS.map(([name, description]) => ({ name, description })), edges: all, questions };
}

export interface EdgeCounts {
  /** Items that edges of the relation and direction lead to, over all questions. */
  wanted: number;
  /** Of these: before every other item but the one that the question names. */
  placed: number;
  /** Of these: with a score of 0.2 or more. */
  kept: number;
  /** Items beside the one named and the wanted ones with such a score. */
  others: number;
}

/** Puts the questions and counts. */
export async function countEdges(
  { ingest, retrieval }: { readonly ingest: Ingest; readonly retrieval: Retrieval },
  { concepts, edges, questions }: MadeEdges,
): Promise<{ readonly same: EdgeCounts; readonly other: EdgeCounts }> {
  const domain = 'edges';
  await ingest.structured({ domain, concepts, edges, rules: [] });
  const counts = { same: noCounts(), other: noCounts() };
  for (const { question, named, wanted, otherWords } of questions) {
    const { items } = await retrieval.query({ context: question, domains: [domain], top_k: 40, mode: 'graph' });
    const names = new Map(concepts.map(({ name }) => [conceptId(domain, name), name]));
    const others = items
      .map(({ node_id, score }) => ({ name: names.get(node_id)!, score }))
      .filter(({ name }) => name !== named);
    const count = otherWords ? counts.other : counts.same;
    count.wanted += wanted.length;
    count.placed += others.slice(0, wanted.length).filter(({ name }) => wanted.includes(name)).length;
    const kept = others.filter(({ score }) => score >= 0.2);
    const right = kept.filter(({ name }) => wanted.includes(name)).length;
    count.kept += right;
    count.others += kept.length - right;
  }
  return counts;
}

function noCounts(): EdgeCounts {
  return { wanted: 0, placed: 0, kept: 0, others: 0 };
}
