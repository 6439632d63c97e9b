// Dated documents whose facts change: `npx tsx bench/retrieval/dated.ts [--model minilm] [--untouched] [--show] [--only club]`.
// Prints each figure without and with what later documents change, of the same answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { byGraph, type RankedItem } from '../../src/retrieval/score/rank.js';
import { type ModelName, openWorld } from './world.js';

const FOLDER = 'bench/retrieval/dated';
const DEVELOPMENT = ['club', 'company', 'verein'];
const UNTOUCHED = ['parish'];
const TOP = 20;

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'minilm' },
    /** Asks the questions that nothing was chosen by. */
    untouched: { type: 'boolean', default: false },
    /** One world alone. */
    only: { type: 'string' },
    /** Prints every question that is not answered first. */
    show: { type: 'boolean', default: false },
  },
});

interface DatedWorld {
  readonly documents: ReadonlyArray<{ readonly name: string; readonly text: string }>;
  readonly questions: ReadonlyArray<{
    readonly kind: string;
    readonly question: string;
    /** Parts of the text that answers, and of what held at another time or is of another thing. */
    readonly gold: readonly string[];
    readonly stale: readonly string[];
  }>;
}

interface Sum {
  count: number;
  pairs: number;
  first: number;
  five: number;
  above: number;
}

const none = (): Sum => ({ count: 0, pairs: 0, first: 0, five: 0, above: 0 });
const sums = new Map<string, { readonly before: Sum; readonly now: Sum }>();
const world = await openWorld(values.model as ModelName);
const names = values.only === undefined ? (values.untouched ? UNTOUCHED : DEVELOPMENT) : [values.only];
for (const name of names) {
  const { documents, questions } = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as DatedWorld;
  for (const { name: file, text } of documents)
    await world.ingest.text({ text, domain: name, name: file, format: 'markdown' });
  for (const { kind, question, gold, stale } of questions) {
    const scope = { domains: [name], topK: TOP, factors: new Map<string, number>() };
    const { items } = await byGraph(world.parts, question, scope);
    const unchanged = [...items].sort((a, b) => worth(b) - worth(a));
    const sum = sums.get(kind) ?? { before: none(), now: none() };
    sums.set(kind, sum);
    count(sum.before, unchanged, { gold, stale });
    const place = count(sum.now, items, { gold, stale });
    if (!values.show || place === 0) continue;
    process.stdout.write(`${name}, ${kind} | ${question}: answer at ${place + 1} (${gold[0]})\n`);
    for (const item of items.slice(0, 4)) process.stdout.write(`    ${lineOf(item)}\n`);
  }
}
await world.close();
const all = { before: none(), now: none() };
for (const { before, now } of sums.values()) {
  for (const key of ['count', 'pairs', 'first', 'five', 'above'] as const) {
    all.before[key] += before[key];
    all.now[key] += now[key];
  }
}
process.stdout.write(`${values.model}, ${names.join(', ')}; without what later documents change / with it\n`);
for (const [kind, { before, now }] of [...sums, ['all', all] as const]) {
  const both = (key: 'first' | 'five' | 'above', of: 'count' | 'pairs'): string =>
    [before, now].map((sum) => ((100 * sum[key]) / Math.max(1, sum[of])).toFixed(1)).join(' / ');
  process.stdout.write(
    `${kind} (${now.count}): first ${both('first', 'count')}, among five ${both('five', 'count')}, above the others (${now.pairs}) ${both('above', 'pairs')}\n`,
  );
}

/** Returns what an item is worth without what it gains by a change. */
function worth({ baseline, features }: RankedItem): number {
  return (baseline?.total ?? 0) - (features?.change?.gain ?? 0);
}

/** Counts an answer; returns the place of the right item from 0 on. */
function count(
  sum: Sum,
  items: readonly RankedItem[],
  { gold, stale }: { gold: readonly string[]; stale: readonly string[] },
) {
  const placeOf = (parts: readonly string[]): number => {
    const at = items.findIndex(({ node }) => parts.some((part) => plain(node.description).includes(plain(part))));
    return at === -1 ? 1000 : at;
  };
  const [right, other] = [placeOf(gold), placeOf(stale)];
  sum.count += 1;
  sum.first += right === 0 ? 1 : 0;
  sum.five += right < 5 ? 1 : 0;
  if (stale.length > 0) sum.pairs += 1;
  if (stale.length > 0 && right < other) sum.above += 1;
  return right;
}

function plain(text: string): string {
  return text.replace(/[*_`\s]+/gu, ' ');
}

function lineOf({ node, score, features }: RankedItem): string {
  const change =
    features?.change === undefined ? '' : ` (+${features.change.gain.toFixed(2)} over ${features.change.of.name})`;
  return `${score.toFixed(2)}${change} ${node.name}: ${plain(node.description).slice(0, 160)}`;
}
