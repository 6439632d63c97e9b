// What it is worth that a row loses where it lacks what is asked: `npx tsx bench/retrieval/lacks.ts [--model minilm] [--world PATH] [--untouched] [--show]`.
// Asks the questions over tables through the service's own retrieval, without and with, and prints where the right item stands, how often it
// has more than 0.5, and how often the best item has less than 0.2 where nothing answers.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { parseRanker } from '../../src/retrieval/score/ranker.js';
import { heldBy, ingestMixed, mixedQuestions, mixedWorlds } from './mixed.js';
import { ingestAsDatabase, ingestAsFiles, rowsIn, tablesQuestions, tableWorlds } from './tables.js';
import { type ModelName, openWorld, type World } from './world.js';

const WRITTEN = ['mixed', 'codes', 'days'];
const FILE = 'config/ranker.yaml';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'minilm' },
    /** Path without ending where the ingested sets stay between runs. */
    world: { type: 'string' },
    /** Asks the questions that nothing was chosen by. */
    untouched: { type: 'boolean', default: false },
    /** Prints every question whose answer differs. */
    show: { type: 'boolean', default: false },
  },
});

interface Asked {
  readonly set: string;
  readonly domain: string;
  readonly question: string;
  readonly isAnswered: boolean;
  readonly isRight: (item: { readonly name: string; readonly description: string }) => boolean;
}

interface Sum {
  questions: number;
  first: number;
  five: number;
  sure: number;
  others: number;
  low: number;
}

const ranker = parse(readFileSync(FILE, 'utf8')) as { cells: { empty: number; missing: number } };
const asked = questions();
const outcomes: Array<Map<Asked, string>> = [];
for (const cells of [{ empty: 0, missing: 0 }, ranker.cells]) {
  const kept = values.world === undefined ? {} : { kept: values.world };
  const world = await openWorld(values.model as ModelName, { ranker: parseRanker({ ...ranker, cells }), ...kept });
  if (!world.filled) await fill(world);
  process.stdout.write(`${values.model}, a column with nothing ${cells.empty}, no column ${cells.missing}\n`);
  outcomes.push(await answers(world));
  await world.close();
}
if (values.show) {
  const [before, after] = outcomes as [Map<Asked, string>, Map<Asked, string>];
  for (const [one, outcome] of after)
    if (before.get(one) !== outcome)
      process.stdout.write(`${one.set} | ${one.question} | ${before.get(one)} → ${outcome}\n`);
}

function questions(): Asked[] {
  const written = WRITTEN.flatMap((set) =>
    mixedQuestions(`bench/retrieval/${set}`).map((one) => ({
      ...{ set, domain: `${set}-${one.world}`, question: one.question, untouched: one.untouched },
      isAnswered: one.evidence.length > 0,
      isRight: (item: { name: string; description: string }) => heldBy(one.evidence, item).length > 0,
    })),
  );
  const tables = ['files', 'database'].flatMap((set) =>
    tablesQuestions().map(({ world, question, rows, untouched }) => ({
      ...{ set, domain: `${set}-${world}`, question, untouched, isAnswered: rows.length > 0 },
      isRight: (item: { name: string; description: string }) => rowsIn(rows, item).length > 0,
    })),
  );
  return [...written, ...tables].filter(({ untouched }) => untouched === values.untouched);
}

async function fill(world: World): Promise<void> {
  for (const set of WRITTEN) {
    const folder = `bench/retrieval/${set}`;
    for (const one of mixedWorlds(folder)) await ingestMixed(world.ingest, one, `${set}-${one}`, folder);
  }
  for (const one of tableWorlds()) {
    await ingestAsFiles(world, one, `files-${one}`);
    await ingestAsDatabase(world, one, `database-${one}`);
  }
}

/** Asks all questions and prints the figures of each set; returns what became of each question. */
async function answers(world: World): Promise<Map<Asked, string>> {
  const sums = new Map<string, Sum>();
  const outcomes = new Map<Asked, string>();
  for (const one of asked) {
    const sum = sums.get(one.set) ?? { questions: 0, first: 0, five: 0, sure: 0, others: 0, low: 0 };
    sums.set(one.set, sum);
    outcomes.set(one, await count(world, one, sum));
  }
  for (const [set, { questions, first, five, sure, others, low }] of sums)
    process.stdout.write(
      `  ${set}: first ${first}, among five ${five}, over 0.5 ${sure} of ${questions}; best under 0.2 ${low} of ${others} without an answer\n`,
    );
  return outcomes;
}

async function count(world: World, { domain, question, isAnswered, isRight }: Asked, sum: Sum): Promise<string> {
  const { items } = await world.retrieval.query({ context: question, domains: [domain], mode: 'auto', top_k: 8 });
  if (!isAnswered) {
    const isLow = (items[0]?.score ?? 0) < 0.2;
    sum.others += 1;
    sum.low += isLow ? 1 : 0;
    return isLow ? 'low' : 'high';
  }
  const right = items.map(({ content, metadata }) =>
    isRight({ name: String(metadata.name ?? ''), description: content }),
  );
  sum.questions += 1;
  sum.first += right[0] === true ? 1 : 0;
  sum.five += right.slice(0, 5).includes(true) ? 1 : 0;
  sum.sure += items.some(({ score }, i) => right[i] === true && score > 0.5) ? 1 : 0;
  return `place ${right.indexOf(true) + 1}`;
}
