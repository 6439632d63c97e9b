// Conversations in every arrangement: `npx tsx bench/retrieval/conversations.ts [--model minilm] [--only two,lihua] [--json FILE]`.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Arrangement, arrangements, ingestTalks } from './arrangements.js';
import { type ModelName, openWorld, type World } from './world.js';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'minilm' },
    /** Arrangements to measure, by domain; default all. */
    only: { type: 'string' },
    json: { type: 'string' },
  },
});
const TOP_K = 100;
const PLACES = [1, 5, 10, 20];
const CONVERSATIONS = 5;
/** A best score from which on a question nobody answered looks answered. */
const LOW = 0.2;

/** Means in percent by name. */
class Means {
  private readonly sums = new Map<string, { sum: number; count: number }>();

  add(name: string, value: number): void {
    const { sum, count } = this.sums.get(name) ?? { sum: 0, count: 0 };
    this.sums.set(name, { sum: sum + value, count: count + 1 });
  }

  percent(): Record<string, number> {
    return Object.fromEntries([...this.sums].map(([name, { sum, count }]) => [name, (100 * sum) / count]));
  }
}

/** Asks every question of an arrangement through retrieval; shares of evidence found, in percent. */
async function measure(world: World, { domain, questions }: Arrangement): Promise<Record<string, number>> {
  const means = new Means();
  for (const { question, kind, turns, conversations } of questions) {
    const { items } = await world.retrieval.query({ context: question, domains: [domain], top_k: TOP_K });
    const found = items.map(({ metadata }) => (metadata.message as { message_id?: string }).message_id ?? '');
    const ofDialogue = turns[0]?.startsWith('two ') === true;
    if (conversations.length === 0) means.add('nobody said it: best under 0.2', (items[0]?.score ?? 0) < LOW ? 1 : 0);
    for (const k of turns.length === 0 ? [] : PLACES) {
      const held = turns.filter((turn) => found.slice(0, k).includes(turn)).length;
      // Where words of the answer mark the evidence, each of the marked turns is all of it.
      if (ofDialogue) means.add(`dialogue: evidence turns @${k}`, k === 1 ? Math.min(1, held) : held / turns.length);
      else means.add(`group chat: evidence turn @${k}`, Math.min(1, held));
    }
    if ((kind !== 'single' && kind !== 'multi') || conversations.length === 0) continue;
    const order = [...new Set(found.map((id) => id.slice(0, id.lastIndexOf(' '))))].slice(0, CONVERSATIONS);
    means.add(
      `${kind}: conversations @5`,
      conversations.filter((id) => order.includes(id)).length / conversations.length,
    );
  }
  return means.percent();
}

const world = await openWorld(values.model as ModelName);
const only = values.only?.split(',');
const report: Record<string, Record<string, number>> = {};
for (const arrangement of arrangements()) {
  if (only !== undefined && !only.includes(arrangement.domain)) continue;
  await ingestTalks(world.ingest, arrangement);
  const figures = await measure(world, arrangement);
  report[arrangement.domain] = figures;
  process.stdout.write(`${arrangement.domain}, ${values.model}\n`);
  for (const [name, percent] of Object.entries(figures)) process.stdout.write(`  ${name} ${percent.toFixed(1)}\n`);
}
await world.close();
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
