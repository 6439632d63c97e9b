// Chats in which people ask and others answer: `npx tsx bench/retrieval/asked-before.ts [--model minilm] [--untouched] [--show]`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ingestTalks } from './arrangements.js';
import { placedQuestions } from './placed-questions.js';
import { readTalks } from './two-people.js';
import { type ModelName, openWorld } from './world.js';

const FOLDER = 'bench/retrieval/asked-before';
const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'minilm' },
    /** Reads the conversation that nothing was chosen by instead. */
    untouched: { type: 'boolean', default: false },
    /** Prints every question whose answer is not first, with the first items. */
    show: { type: 'boolean', default: false },
  },
});
/** A best score from which on a question nobody answered looks answered, and one from which on an item looks needed. */
const LOW = 0.2;
const HIGH = 0.5;

const world = await openWorld(values.model as ModelName);
const sums = new Map<string, { count: number; first: number; five: number; high: number; low: number }>();
for (const name of values.untouched ? ['travel'] : ['household', 'team', 'verein']) {
  const [spoken = '', asked = ''] = readFileSync(join(FOLDER, `${name}.txt`), 'utf8').split('\n---\n');
  await ingestTalks(world.ingest, { domain: name, talks: readTalks(spoken, name), questions: [], oneSession: false });
  for (const { kind, question, right } of placedQuestions(asked, name)) {
    const { items } = await world.retrieval.query({ context: question, domains: [name], top_k: 100 });
    const isRight = ({ metadata }: (typeof items)[number]) =>
      right.includes((metadata.message as { message_id?: string }).message_id ?? '');
    const at = items.findIndex(isRight);
    const sum = sums.get(kind) ?? { count: 0, first: 0, five: 0, high: 0, low: 0 };
    sums.set(kind, sum);
    sum.count += 1;
    sum.first += at === 0 ? 1 : 0;
    sum.five += at >= 0 && at < 5 ? 1 : 0;
    sum.high += at >= 0 && items[at]!.score > HIGH ? 1 : 0;
    sum.low += (items[0]?.score ?? 0) < LOW ? 1 : 0;
    if (!values.show || at === 0 || right.length === 0) continue;
    process.stdout.write(`${kind} | ${question}: answer at ${at + 1}\n`);
    for (const item of items.slice(0, 4)) process.stdout.write(`    ${item.score.toFixed(2)} ${item.content}\n`);
  }
}
await world.close();
for (const [kind, { count, first, five, high, low }] of sums) {
  const percent = (part: number) => ((100 * part) / count).toFixed(1);
  const figures =
    kind === 'nobody'
      ? `best under ${LOW} ${percent(low)}`
      : `first ${percent(first)}, among five ${percent(five)}, right over ${HIGH} ${percent(high)}`;
  process.stdout.write(`${kind} (${count}): ${figures}\n`);
}
