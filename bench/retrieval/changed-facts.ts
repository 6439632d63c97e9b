// Conversations whose facts change: `npx tsx bench/retrieval/changed-facts.ts [--model minilm] [--set more] [--show]`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ingestTalks } from './arrangements.js';
import { placedQuestions } from './placed-questions.js';
import { readTalks } from './two-people.js';
import { type ModelName, openWorld } from './world.js';

const FOLDER = 'bench/retrieval/changed-facts';
const SETS: Readonly<Record<string, readonly string[]>> = {
  first: ['bakery', 'assistant', 'family'],
  more: ['friends', 'berater'],
  anew: ['anew'],
  'anew-more': ['anew-more'],
  'held-out': ['notebook', 'cousins'],
};

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'minilm' },
    set: { type: 'string', default: 'first' },
    /** Prints every question whose answer stands below what held at another time, with the first items. */
    show: { type: 'boolean', default: false },
  },
});

const talks = SETS[values.set];
if (talks === undefined) throw new Error(`--set is one of ${Object.keys(SETS).join(', ')}.`);
const world = await openWorld(values.model as ModelName);
const sums = new Map<string, { count: number; first: number; five: number; above: number; pairs: number }>();
for (const name of talks) {
  const [spoken = '', asked = ''] = readFileSync(join(FOLDER, `${name}.txt`), 'utf8').split('\n---\n');
  await ingestTalks(world.ingest, { domain: name, talks: readTalks(spoken, name), questions: [], oneSession: false });
  for (const { kind, question, right, wrong } of placedQuestions(asked, name)) {
    const { items } = await world.retrieval.query({ context: question, domains: [name], top_k: 100 });
    const found = items.map(({ metadata }) => (metadata.message as { message_id?: string }).message_id ?? '');
    const place = (ids: readonly string[]) =>
      Math.min(...ids.map((id) => found.indexOf(id)).map((at) => (at < 0 ? 1000 : at)));
    const sum = sums.get(kind) ?? { count: 0, first: 0, five: 0, above: 0, pairs: 0 };
    sums.set(kind, sum);
    sum.count += 1;
    sum.first += place(right) === 0 ? 1 : 0;
    sum.five += place(right) < 5 ? 1 : 0;
    if (wrong.length > 0) {
      sum.pairs += 1;
      sum.above += place(right) < place(wrong) ? 1 : 0;
    }
    if (!values.show || place(right) === 0) continue;
    process.stdout.write(`${kind} | ${question}: answer at ${place(right) + 1}\n`);
    for (const item of items.slice(0, 4)) process.stdout.write(`    ${item.score.toFixed(2)} ${item.content}\n`);
  }
}
await world.close();
for (const [kind, { count, first, five, above, pairs }] of sums) {
  const percent = (part: number, whole: number) => ((100 * part) / whole).toFixed(1);
  const order =
    pairs === 0 ? '' : `, above what held at another time or answers nothing ${percent(above, pairs)} (${pairs})`;
  process.stdout.write(
    `${kind} (${count}): first ${percent(first, count)}, among five ${percent(five, count)}${order}\n`,
  );
}
