// Fits the calibration of config/ranker.yaml on the development sets: `npx tsx bench/retrieval/fit.ts [--model minilm]`.
// The questions of each set are also asked about the other one too: there they have no answer. Prints lines for the file.
import { parseArgs } from 'node:util';
import { modelRanker } from '../../src/retrieval/score/ranker.js';
import { collect, ingestSet, type RankedQuestion } from './collect.js';
import { hotpot, musique } from './data.js';
import { fitLogistic, logistic, type Observation } from './logistic.js';
import { type ModelName, openWorld } from './world.js';

const { values } = parseArgs({ options: { model: { type: 'string', default: 'minilm' } } });
const model = values.model as ModelName;
/** Items of an answer that are fitted. */
const DEPTH = 20;

const sets = [musique(), hotpot()];
const ranked: RankedQuestion[] = [];
let ranker = '';
for (const [i, set] of sets.entries()) {
  const world = await openWorld(model);
  await ingestSet(world, set);
  ranked.push(...(await collect(world, set, sets[1 - i]!)));
  ranker = JSON.stringify(modelRanker(world.parts.ranker, world.parts.embedding?.name ?? null));
  await world.close();
}
process.stdout.write(`${model} now: ${ranker}\n`);
show('graph', (one) => one.rows.map((row) => ({ x: row.baseline, hit: row.gold })));
if (model !== 'none') show('vec', (one) => one.near.map((row) => ({ x: row.cosine, hit: row.gold })));

function show(mode: string, observed: (one: RankedQuestion) => readonly Observation[]): void {
  const { slope, offset } = fitLogistic(ranked.flatMap((one) => observed(one).slice(0, DEPTH)));
  const best = (answerable: boolean) =>
    ranked
      .filter((one) => one.answerable === answerable)
      .map((one) => logistic(slope * (observed(one)[0]?.x ?? Number.NEGATIVE_INFINITY) + offset));
  const share = (scores: readonly number[], test: (score: number) => boolean) =>
    ((100 * scores.filter(test).length) / scores.length).toFixed(1);
  process.stdout.write(`    ${mode}: { slope: ${slope.toFixed(2)}, offset: ${offset.toFixed(2)} }\n`);
  process.stdout.write(
    `      best item under 0.2 without an answer: ${share(best(false), (score) => score < 0.2)} %, `,
  );
  process.stdout.write(`over 0.5 with one: ${share(best(true), (score) => score > 0.5)} %\n`);
}
