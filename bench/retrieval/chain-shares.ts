// How likely the end of a chain is at least: `npx tsx bench/retrieval/chain-shares.ts --rows FILE [--model minilm]`, where FILE is what
// `npm run bench:train -- --rows FILE` kept. Weights are fitted on four fifths of the questions, five times; each line tries other shares on the
// last fifth: recall@5 by set, and the mean over the sets that weights are fitted on.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ChainShares } from '../../src/retrieval/score/ranker-types.js';
import { ALONE, fittedFolds } from './fit-ranker.js';
import { figuresOf, rankedBy } from './metrics.js';
import type { Sample } from './rows.js';

const { values } = parseArgs({ options: { rows: { type: 'string' }, model: { type: 'string', default: 'minilm' } } });
if (values.rows === undefined) throw new Error('Name the rows of a training with --rows FILE.');
const samples = (JSON.parse(readFileSync(values.rows, 'utf8')) as Sample[]).filter(({ untouched }) => !untouched);
const sets = [...new Set(samples.map(({ set }) => set))];
const folds = await fittedFolds(samples);

function line({ first, second, fading }: ChainShares): string {
  const ranked = folds.flatMap(({ fits, held }) =>
    held.map((sample) => ({ sample, items: rankedBy(fits, sample, { first, second, fading }) })),
  );
  const recall = new Map(
    sets.map((set) => [set, figuresOf(ranked.filter(({ sample }) => sample.set === set)).recall5] as const),
  );
  const fitted = sets.filter((set) => ALONE.has(set));
  const mean = fitted.reduce((sum, set) => sum + recall.get(set)!, 0) / fitted.length;
  const each = [...recall].map(([set, figure]) => `${set} ${figure.toFixed(1)}`).join(', ');
  return `${first} / ${second}, fading ${fading}: mean ${mean.toFixed(2)}; ${each}\n`;
}

process.stdout.write(`${values.model}, five folds, recall@5 by shares over one bridge / over two\n`);
process.stdout.write(line({ first: 0, second: 0, fading: 1 }));
for (const fading of [0.1, 0.2, 0.4])
  for (const second of [0.1, 0.2, 0.4])
    for (const first of [0, 0.05, 0.1, 0.2]) process.stdout.write(line({ first, second, fading }));
