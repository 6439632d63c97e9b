import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { seededRandom } from '../../src/core/random.js';
import { DOCUMENT_FEATURES } from '../../src/retrieval/score/document-features.js';
import type { Ranker } from '../../src/retrieval/score/ranker-types.js';
import { crossValidated, type HeldOut } from './fit-ranker.js';
import { loadSets, type Sample, sampleOf } from './rows.js';
import { untrainedRanker } from './untrained.js';
import { type ModelName, openWorld } from './world.js';

/** Groups of features that are left out one after another. */
const GROUPS: Readonly<Record<string, (feature: (typeof DOCUMENT_FEATURES)[number]) => boolean>> = {
  'the whole graph': ({ group }) => group !== 'direct',
  chains: ({ group }) => group === 'chain',
  'link paths': ({ group }) => group === 'forward',
  'shared rare names': ({ group }) => group === 'shared',
  PageRank: ({ group }) => group === 'pagerank',
  'names in the question': ({ name }) => name.startsWith('named'),
  'word cover': ({ name }) => /coverage|rare|text/u.test(name),
};
const DRAWS = 2000;

export interface Ablation {
  readonly without: string;
  readonly set: string;
  /** Change of recall@5 in points when the group is left out, with a 95 % bootstrap interval over questions. */
  readonly change: number;
  readonly low: number;
  readonly high: number;
}

/** Runs the development sets of documents through a world, prints the table and returns its rows. */
export async function ablationTable(model: ModelName): Promise<Ablation[]> {
  const { direct, prior } = parse(readFileSync('config/ranker.yaml', 'utf8')) as Ranker;
  const world = await openWorld(model, { ranker: untrainedRanker(direct, prior) });
  const samples: Sample[] = [];
  for (const question of await loadSets(world, ['musique', 'hotpot', 'own'])) {
    if (!question.untouched) samples.push(await sampleOf(world, question));
  }
  await world.close();
  const rows = await ablations(samples);
  process.stdout.write(`${ablationLines(rows)}\n`);
  return rows;
}

/** Returns the rows of a Markdown table. */
export function ablationLines(rows: readonly Ablation[]): string {
  return rows
    .map(
      ({ without, set, change, low, high }) =>
        `| ${without} | ${set} | ${change.toFixed(1)} | ${low.toFixed(1)} to ${high.toFixed(1)} |`,
    )
    .join('\n');
}

/** Leaves out one group of features after another; each time weights are fitted anew by cross-validation. */
export async function ablations(samples: readonly Sample[]): Promise<Ablation[]> {
  const whole = await crossValidated(samples);
  const rows: Ablation[] = [];
  for (const [without, isOut] of Object.entries(GROUPS)) {
    const out = DOCUMENT_FEATURES.map(isOut);
    const less = samples.map((sample) => ({
      ...sample,
      candidates: sample.candidates.map((one) =>
        one.message ? one : { ...one, x: one.x.map((v, i) => (out[i] ? 0 : v)) },
      ),
    }));
    rows.push(...compared(whole, await crossValidated(less)).map((one) => ({ without, ...one })));
  }
  return rows;
}

function compared(whole: readonly HeldOut[], less: readonly HeldOut[]): Array<Omit<Ablation, 'without'>> {
  const random = seededRandom(1);
  return [...new Set(whole.map(({ sample }) => sample.set))].map((set) => {
    const changes = whole.flatMap((one, i) =>
      one.sample.set === set && one.sample.pieces > 0 ? [recall(less[i]!) - recall(one)] : [],
    );
    const means = Array.from({ length: DRAWS }, () => {
      let sum = 0;
      for (let i = 0; i < changes.length; i += 1) sum += changes[Math.floor(random() * changes.length)]!;
      return sum / changes.length;
    }).sort((a, b) => a - b);
    const change = changes.reduce((sum, value) => sum + value, 0) / changes.length;
    return { set, change, low: means[Math.floor(0.025 * DRAWS)]!, high: means[Math.floor(0.975 * DRAWS)]! };
  });
}

/** Recall@5 of one question in percent. */
function recall({ sample, items }: HeldOut): number {
  return (100 * new Set(items.slice(0, 5).flatMap(({ gold }) => gold ?? [])).size) / sample.pieces;
}
