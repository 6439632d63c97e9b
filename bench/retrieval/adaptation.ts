import { seededRandom, shuffled } from '../../src/core/random.js';
import type { ItemKind, LinearModel } from '../../src/learning/feedback/adjustments.js';
import { adapt } from '../../src/learning/ranker/adapt.js';
import type { Choice } from '../../src/learning/ranker/fit-order.js';
import { logistic } from '../../src/learning/ranker/solve.js';
import { FEATURE_TABLES } from '../../src/retrieval/score/feature-values.js';
import { withMeans } from './answer-means.js';
import { fitSamples } from './fit-ranker.js';
import { logOdds } from './logistic-regression.js';
import { figuresOf, reliability, type Scored } from './metrics.js';
import type { Candidate, Sample } from './rows.js';

/** Items of an answer that a person rates, and times that each question is asked and rated. */
const RETURNED = 20;
const ROUNDS = 3;

/** What ratings of half of a set's questions do to the other half, in percent; means over seeded splits. */
export interface Adaptation {
  readonly set: string;
  /** Weights that the domain begins with: fitted on all sets, or on all but this one. */
  readonly begins: 'all sets' | 'other sets';
  readonly flipped: number;
  readonly before: Figures;
  readonly after: Figures;
}

interface Figures {
  readonly first: number;
  readonly recall5: number;
  readonly error: number;
}

/** Learns the weights of each set from ratings of half of its questions and ranks the other half with them. */
export async function adaptations(samples: readonly Sample[], splits: number): Promise<Adaptation[]> {
  const rows: Adaptation[] = [];
  for (const set of new Set(samples.map((sample) => sample.set))) {
    const kind: ItemKind = set === 'lihua' || set === 'two' ? 'message' : 'document';
    const own = samples
      .filter((sample) => sample.set === set && sample.pieces > 0)
      .map((sample) => ofKind(sample, kind));
    for (const begins of ['all sets', 'other sets'] as const) {
      const seen = begins === 'all sets' ? samples : samples.filter((sample) => sample.set !== set);
      const base = (await fitSamples(seen))[kind];
      const filled = own.map((sample) => withMeans(sample, kind, base.weights));
      for (const flipped of [0, 0.2]) {
        const results: Array<{ before: Figures; after: Figures }> = [];
        for (let seed = 1; seed <= splits; seed += 1) results.push(await split(filled, { base, kind, flipped, seed }));
        rows.push({
          ...{ set, begins, flipped },
          before: meanOf(results.map(({ before }) => before)),
          after: meanOf(results.map(({ after }) => after)),
        });
      }
    }
  }
  return rows;
}

/** Returns the rows of a Markdown table. */
export function adaptationLines(rows: readonly Adaptation[]): string {
  return rows
    .map(({ set, begins, flipped, before, after }) => {
      const change = (name: keyof Figures): string => `${before[name].toFixed(1)} → ${after[name].toFixed(1)}`;
      return `| ${set} | ${begins} | ${100 * flipped} % | ${change('recall5')} | ${change('first')} | ${change('error')} |`;
    })
    .join('\n');
}

async function split(
  samples: readonly Sample[],
  given: { readonly base: LinearModel; readonly kind: ItemKind; readonly flipped: number; readonly seed: number },
): Promise<{ before: Figures; after: Figures }> {
  const { base, kind, flipped, seed } = given;
  const random = seededRandom(seed);
  const order = shuffled(samples.length, random).map((at) => samples[at]!);
  const half = order.length >> 1;
  const choices = order.slice(0, half).flatMap((sample): Choice[] => {
    const shown = ranked(sample, base).slice(0, RETURNED);
    const gold = shown.map(({ candidate }) => {
      let votes = 0;
      for (let round = 0; round < ROUNDS; round += 1) votes += isGold(candidate) !== random() < flipped ? 1 : -1;
      return votes > 0;
    });
    return gold.includes(true) && gold.includes(false) ? [{ x: shown.map(({ candidate }) => candidate.x), gold }] : [];
  });
  const adapted = await adapt(base, FEATURE_TABLES[kind], choices);
  const other = order.slice(half);
  return { before: figures(other, base), after: figures(other, adapted) };
}

function ofKind(sample: Sample, kind: ItemKind): Sample {
  const isMessage = kind === 'message';
  return { ...sample, candidates: sample.candidates.filter(({ message }) => message === isMessage) };
}

function ranked({ candidates }: Sample, model: LinearModel): Array<Scored & { readonly candidate: Candidate }> {
  return candidates
    .map((candidate) => ({ candidate, score: logistic(logOdds(model, candidate.x)), gold: candidate.gold }))
    .sort((a, b) => b.score - a.score);
}

function isGold({ gold }: Candidate): boolean {
  return (gold ?? []).length > 0;
}

function figures(samples: readonly Sample[], model: LinearModel): Figures {
  const answers = samples.map((sample) => ({ sample, items: ranked(sample, model) }));
  const { first, recall5 } = figuresOf(answers);
  return { first, recall5, error: 100 * reliability(answers.flatMap(({ items }) => items)).error };
}

function meanOf(all: readonly Figures[]): Figures {
  const mean = (name: keyof Figures): number => all.reduce((sum, one) => sum + one[name], 0) / all.length;
  return { first: mean('first'), recall5: mean('recall5'), error: mean('error') };
}
