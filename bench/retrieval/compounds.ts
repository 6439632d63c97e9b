// Questions whose words and those of the text are joined in one and apart in the other: `npx tsx bench/retrieval/compounds.ts [--model minilm] [--show]`.
// Asks handbooks in German, Dutch and Swedish through the service's own retrieval; prints for each kind of question where the right section stands and what
// it scores, and what questions without an answer score at best.
import { parseArgs } from 'node:util';
import { heldBy, ingestMixed, type MixedQuestion, mixedQuestions, mixedWorlds } from './mixed.js';
import { type ModelName, openWorld } from './world.js';

const FOLDER = 'bench/retrieval/compounds';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'minilm' },
    /** Prints every question with the place and the score of the right section. */
    show: { type: 'boolean', default: false },
  },
});

interface Sum {
  count: number;
  first: number;
  five: number;
  sure: number;
  low: number;
}

const sums = new Map<string, Sum>();
const world = await openWorld(values.model as ModelName);
for (const name of mixedWorlds(FOLDER)) await ingestMixed(world.ingest, name, name, FOLDER);
for (const one of mixedQuestions(FOLDER)) await ask(one);
await world.close();
process.stdout.write(`${values.model}\n`);
for (const [kind, { count, first, five, sure, low }] of [...sums].sort(([a], [b]) => a.localeCompare(b))) {
  const figures =
    kind === 'none' ? `best under 0.2 ${low}` : `first ${first}, among five ${five}, right over 0.5 ${sure}`;
  process.stdout.write(`  ${kind} (${count}): ${figures}\n`);
}

async function ask({ world: name, kind, question, evidence }: MixedQuestion): Promise<void> {
  const sum = sums.get(kind) ?? { count: 0, first: 0, five: 0, sure: 0, low: 0 };
  sums.set(kind, sum);
  const { items } = await world.retrieval.query({ context: question, domains: [name], mode: 'auto', top_k: 10 });
  const right = items.map(
    ({ content, metadata }) => heldBy(evidence, { name: String(metadata.name ?? ''), description: content }).length > 0,
  );
  const at = right.indexOf(true);
  const score = items[at]?.score ?? 0;
  sum.count += 1;
  sum.first += at === 0 ? 1 : 0;
  sum.five += at >= 0 && at < 5 ? 1 : 0;
  sum.sure += score > 0.5 ? 1 : 0;
  sum.low += (items[0]?.score ?? 0) < 0.2 ? 1 : 0;
  if (!values.show) return;
  const best = items[0] === undefined ? 'nothing' : `${items[0].score.toFixed(2)} ${String(items[0].metadata.name)}`;
  process.stdout.write(`${name}, ${kind} | ${question} | place ${at + 1}, ${score.toFixed(2)} | best ${best}\n`);
}
