// Fits config/ranker.yaml on the development sets: `npm run bench:train -- [--model minilm] [--only message] [--rows FILE] [--no-write]`.
// Questions marked untouched are never read. `--rows` keeps the feature rows of a model between runs. Deterministic.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import type { Ranker } from '../../src/retrieval/score/ranker-types.js';
import { ablationLines, ablations } from './ablations.js';
import { adaptationLines, adaptations } from './adaptation.js';
import { ALONE, crossValidated, fitSamples, type HeldOut } from './fit-ranker.js';
import { fitLogisticRegression } from './logistic-regression.js';
import { figuresOf, rankedBy, reliability } from './metrics.js';
import { rankerYaml } from './ranker-yaml.js';
import { loadSets, type Sample, sampleOf } from './rows.js';
import { untrainedRanker } from './untrained.js';
import { type ModelName, openWorld } from './world.js';

const FILE = 'config/ranker.yaml';
const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'minilm' },
    rows: { type: 'string' },
    /** `message`: fits the weights of turns alone, on the sets that hold turns. */
    only: { type: 'string' },
    /** Path without ending where the ingested sets stay between runs. */
    world: { type: 'string' },
    /** A set that weights are fitted without, for measurements on data that they never saw. */
    without: { type: 'string' },
    /** Where the weights go. */
    to: { type: 'string', default: FILE },
    'no-write': { type: 'boolean', default: false },
    /** Prints what each group of features is worth instead of training. */
    ablate: { type: 'boolean', default: false },
    /** Prints what ratings of half of a set's questions do to the other half instead of training. */
    feedback: { type: 'boolean', default: false },
    /** Reports on the untouched part instead of training: for the final figures only. */
    final: { type: 'boolean', default: false },
  },
});
const model = values.model as ModelName;
/** Nearest items that the calibration of mode vec is fitted on. */
const NEAR = 20;
/** Divisions of a set's questions into those that are rated and the others. */
const SPLITS = 20;

async function collect(): Promise<Sample[]> {
  if (values.rows !== undefined && existsSync(values.rows)) return JSON.parse(readFileSync(values.rows, 'utf8'));
  const { direct, prior } = parse(readFileSync(FILE, 'utf8')) as Ranker;
  const world = await openWorld(model, {
    ranker: untrainedRanker(direct, prior),
    ...(values.world === undefined ? {} : { kept: values.world }),
  });
  const samples: Sample[] = [];
  for (const question of await loadSets(world, values.only === 'message' ? ['own', 'lihua', 'two'] : undefined))
    samples.push(await sampleOf(world, question));
  await world.close();
  if (values.rows !== undefined) writeFileSync(values.rows, JSON.stringify(samples));
  return samples;
}

const all = await collect();
/** `together` holds two of the other sets. */
const holds = (set: string): boolean => set === 'together' && ['musique', 'two'].includes(values.without ?? '');
const samples = all.filter((sample) => !sample.untouched && sample.set !== values.without && !holds(sample.set));
if (values.final) await finalReport(all.filter((sample) => sample.untouched));
else if (values.ablate) await ablationReport();
else if (values.feedback) await feedbackReport();
else report(await crossValidated(samples), '5-fold cross-validation');
if (!values['no-write'] && !values.final && !values.ablate && !values.feedback) {
  const { document, message, mixed } = await fitSamples(samples);
  const near = samples.flatMap(({ set, near }) => (ALONE.has(set) ? near.slice(0, NEAR) : []));
  const vec =
    near.length === 0
      ? undefined
      : fitLogisticRegression(
          near.map(({ cosine, gold }) => ({ x: [cosine], gold, weight: 1 })),
          { ridge: 0.001 },
        );
  const current = parse(readFileSync(FILE, 'utf8')) as Record<string, unknown>;
  const fits =
    values.only === 'message' ? { document: undefined, mixed: undefined, vec: undefined } : { document, mixed, vec };
  writeFileSync(values.to, rankerYaml(current, model, { ...fits, message }));
}

async function ablationReport(): Promise<void> {
  process.stdout.write(`${ablationLines(await ablations(samples.filter(({ set }) => set !== 'lihua')))}\n`);
}

async function feedbackReport(): Promise<void> {
  process.stdout.write(`${adaptationLines(await adaptations(samples, SPLITS))}\n`);
}

/** Ranks the untouched questions with the weights fitted on all others; beside them the first hits of mode vec, by kind. */
async function finalReport(untouched: readonly Sample[]): Promise<void> {
  const fits = await fitSamples(samples);
  const ranked = untouched.map((sample) => ({ sample, items: rankedBy(fits, sample) }));
  report(ranked, 'untouched questions');
  for (const kind of new Set(untouched.map((sample) => sample.kind))) {
    const own = ranked.filter(({ sample }) => sample.kind === kind && sample.pieces > 0);
    const vec = own.filter(({ sample }) => sample.near[0]?.gold === true).length;
    const { first, recall5 } = figuresOf(own);
    const share = ((100 * vec) / Math.max(1, own.length)).toFixed(1);
    process.stdout.write(`  ${kind}: first ${first.toFixed(1)} (vec ${share}), recall@5 ${recall5.toFixed(1)}\n`);
  }
}

function report(heldOut: readonly HeldOut[], protocol: string): void {
  process.stdout.write(`${model}, ${protocol}\n`);
  for (const set of new Set(heldOut.map(({ sample }) => sample.set))) {
    const own = heldOut.filter(({ sample }) => sample.set === set);
    const { questions, first, recall5, all5, mrr } = figuresOf(own);
    const { error, bins } = reliability(own.flatMap(({ items }) => items));
    const best = ({ items }: HeldOut): number => items[0]?.score ?? 0;
    const right = ({ items }: HeldOut): number =>
      items.reduce((most, { gold, score }) => ((gold ?? []).length > 0 ? Math.max(most, score) : most), 0);
    const answerable = own.filter(({ sample }) => sample.pieces > 0);
    const others = own.filter(({ sample }) => sample.pieces === 0);
    const share = (part: readonly HeldOut[], of: readonly HeldOut[]): string =>
      ((100 * part.length) / Math.max(1, of.length)).toFixed(1);
    const figures = [first, recall5, all5, mrr].map((figure) => figure.toFixed(1)).join(' / ');
    process.stdout.write(`${set}: ${questions} questions, first / recall@5 / all@5 / MRR ${figures}; `);
    process.stdout.write(
      `right item over 0.5 ${share(
        answerable.filter((one) => right(one) > 0.5),
        answerable,
      )} %; `,
    );
    process.stdout.write(
      `best under 0.2 without an answer ${share(
        others.filter((one) => best(one) < 0.2),
        others,
      )} %\n`,
    );
    const table = bins.map(({ mean, right: share, count }) => `${mean.toFixed(2)}→${share.toFixed(2)} (${count})`);
    process.stdout.write(`  expected calibration error ${error.toFixed(4)}: ${table.join(', ')}\n`);
  }
}
