// Questions about days over tables and handbooks: `npx tsx bench/retrieval/days.ts [--model minilm] [--untouched] [--show]`.
// Prints for each kind of question where the right item stands and what it scores, and what questions without an answer score at best.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { groupBy } from '../../src/core/group-by.js';
import { byGraph, type RankedItem } from '../../src/retrieval/score/rank.js';
import { heldBy, ingestMixed, type MixedQuestion, mixedQuestions } from './mixed.js';
import { type ModelName, openWorld } from './world.js';

const FOLDER = 'bench/retrieval/days';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'minilm' },
    /** Asks the questions that nothing was chosen by. */
    untouched: { type: 'boolean', default: false },
    /** Prints every question that is not answered first. */
    show: { type: 'boolean', default: false },
  },
});

interface Sum {
  count: number;
  first: number;
  found: number;
  over: number;
  under: number;
}

const sums = new Map<string, Sum>();
const asked = mixedQuestions(FOLDER).filter(({ untouched }) => untouched === values.untouched);
for (const [name, questions] of groupBy(asked, ({ world }) => world)) await ask(name, questions);
process.stdout.write(`${values.model}, ${values.untouched ? 'untouched' : 'development'}\n`);
for (const [kind, { count, first, found, over, under }] of [...sums].sort(([a], [b]) => a.localeCompare(b))) {
  const share = (part: number): string => ((100 * part) / count).toFixed(1);
  const figures =
    kind === 'none'
      ? `best under 0.2 ${share(under)} %`
      : `first ${share(first)}, recall@5 ${share(found)}, right over 0.5 ${share(over)} %`;
  process.stdout.write(`${kind} (${count}): ${figures}\n`);
}

/** Asks the questions of a world, on its day. */
async function ask(name: string, questions: readonly MixedQuestion[]): Promise<void> {
  const today = Date.parse(readFileSync(join(FOLDER, name, 'today.txt'), 'utf8').trim());
  const world = await openWorld(values.model as ModelName, { clock: () => today });
  await ingestMixed(world.ingest, name, name, FOLDER);
  for (const one of questions) {
    const scope = { domains: [name], topK: 20, factors: new Map<string, number>() };
    const { items } = await byGraph(world.parts, one.question, scope);
    const isFirst = count(one, items);
    if (!values.show || isFirst) continue;
    process.stdout.write(`${name}, ${one.kind} | ${one.question} => ${one.evidence.join(' && ')}\n`);
    for (const item of items.slice(0, 4)) process.stdout.write(`    ${lineOf(item, one)}\n`);
  }
  await world.close();
}

/** Counts an answer; returns whether it is as it should be: right first, or low where nothing answers. */
function count({ kind, evidence }: MixedQuestion, items: readonly RankedItem[]): boolean {
  const sum = sums.get(kind) ?? { count: 0, first: 0, found: 0, over: 0, under: 0 };
  sums.set(kind, sum);
  const right = items.map(({ node }) => heldBy(evidence, node));
  const isFirst = (right[0]?.length ?? 0) > 0;
  const best = items.reduce((most, { score }, i) => (right[i]!.length > 0 ? Math.max(most, score) : most), 0);
  const isLow = (items[0]?.score ?? 0) < 0.2;
  sum.count += 1;
  sum.first += isFirst ? 1 : 0;
  sum.found += evidence.length === 0 ? 0 : new Set(right.slice(0, 5).flat()).size / evidence.length;
  sum.over += best > 0.5 ? 1 : 0;
  sum.under += isLow ? 1 : 0;
  return kind === 'none' ? isLow : isFirst;
}

function lineOf({ node, score }: RankedItem, { evidence }: MixedQuestion): string {
  const mark = heldBy(evidence, node).length > 0 ? '*' : ' ';
  return `${mark} ${score.toFixed(2)} ${node.name}: ${node.description.replace(/\s+/gu, ' ').slice(0, 150)}`;
}
