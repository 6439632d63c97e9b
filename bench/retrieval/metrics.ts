import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../src/core/package-root.js';
import type { LinearModel } from '../../src/learning/feedback/adjustments.js';
import { logistic } from '../../src/learning/ranker/solve.js';
import { carriedByChains } from '../../src/retrieval/score/chain-ends.js';
import { competition } from '../../src/retrieval/score/mixed.js';
import type { ChainShares, Ranker } from '../../src/retrieval/score/ranker-types.js';
import { bothMeans } from './answer-means.js';
import { isMixed, mixedRows } from './fit-mixed.js';
import { logOdds } from './logistic-regression.js';
import type { Sample } from './rows.js';

/** Fitted weights of both kinds of item. */
export interface Fits {
  readonly document: LinearModel;
  readonly message: LinearModel;
  readonly mixed: LinearModel;
}

/** Ranking figures of some questions, in percent. */
export interface RankingFigures {
  readonly questions: number;
  readonly first: number;
  readonly recall5: number;
  readonly all5: number;
  readonly mrr: number;
}

/** A candidate with its score. */
export interface Scored {
  readonly score: number;
  readonly gold: readonly number[] | null;
}

/** Returns the candidates of a question, best first. `shares`: those of the ranker file unless others are tried. */
export function rankedBy(fits: Fits, sample: Sample, shares: ChainShares = projectShares()): Scored[] {
  const filled = bothMeans(sample, fits);
  const rows = isMixed(sample) ? mixedRows(filled, fits) : undefined;
  const near = rows === undefined ? 0 : competitionIn(filled, fits);
  const reached = filled.candidates.map(({ message, x, ends = {} }, i) => {
    const alone = logOdds(message ? fits.message : fits.document, x);
    const evidence = rows === undefined ? alone : (1 - near) * alone + near * logOdds(fits.mixed, rows[i]!);
    return { evidence, besides: 0, ends };
  });
  return carriedByChains(reached, shares)
    .map(({ evidence }, i) => ({ score: logistic(evidence), gold: filled.candidates[i]!.gold }))
    .sort((a, b) => b.score - a.score);
}

let known: ChainShares | undefined;

function projectShares(): ChainShares {
  known ??= (parse(readFileSync(join(packageRoot(), 'config', 'ranker.yaml'), 'utf8')) as Ranker).chains;
  return known;
}

/** Returns how far documents and turns compete in an answer. */
function competitionIn({ candidates }: Sample, { document, message }: Fits): number {
  const best = (turns: boolean): number =>
    candidates
      .filter((one) => one.message === turns)
      .reduce((most, { x }) => Math.max(most, logOdds(turns ? message : document, x)), Number.NEGATIVE_INFINITY);
  return competition(best(false), best(true));
}

/** Returns the figures of answerable questions. */
export function figuresOf(
  ranked: ReadonlyArray<{ readonly sample: Sample; readonly items: readonly Scored[] }>,
): RankingFigures {
  const sums = { first: 0, recall5: 0, all5: 0, mrr: 0 };
  const answerable = ranked.filter(({ sample }) => sample.pieces > 0);
  for (const { sample, items } of answerable) {
    const found = new Set(items.slice(0, 5).flatMap(({ gold }) => gold ?? []));
    const at = items.findIndex(({ gold }) => (gold ?? []).length > 0);
    sums.first += at === 0 ? 1 : 0;
    sums.mrr += at === -1 ? 0 : 1 / (at + 1);
    sums.recall5 += found.size / sample.pieces;
    sums.all5 += found.size === sample.pieces ? 1 : 0;
  }
  const share = (sum: number): number => (100 * sum) / Math.max(1, answerable.length);
  return {
    questions: answerable.length,
    first: share(sums.first),
    recall5: share(sums.recall5),
    all5: share(sums.all5),
    mrr: share(sums.mrr),
  };
}

/** One line of a reliability table. */
export interface Bin {
  readonly from: number;
  readonly count: number;
  readonly mean: number;
  readonly right: number;
}

/** Returns ten bins of scores with their share of right items, and the expected calibration error over them. */
export function reliability(items: readonly Scored[]): { readonly bins: readonly Bin[]; readonly error: number } {
  const known = items.filter(({ gold }) => gold !== null);
  const bins = Array.from({ length: 10 }, (_, b): Bin => {
    const inside = known.filter(({ score }) => Math.min(9, Math.floor(score * 10)) === b);
    const mean = inside.reduce((sum, { score }) => sum + score, 0) / Math.max(1, inside.length);
    const right = inside.filter(({ gold }) => gold!.length > 0).length / Math.max(1, inside.length);
    return { from: b / 10, count: inside.length, mean, right };
  });
  const error = bins.reduce(
    (sum, { count, mean, right }) => sum + (count / Math.max(1, known.length)) * Math.abs(mean - right),
    0,
  );
  return { bins, error };
}

/** Returns the nDCG of the pieces of evidence in each place (Järvelin & Kekäläinen 2002), each at its first place. */
export function discountedGain(golds: ReadonlyArray<readonly number[]>, pieces: number): number {
  const seen = new Set<number>();
  let gain = 0;
  golds.forEach((gold, place) => {
    const fresh = gold.filter((piece) => !seen.has(piece));
    for (const piece of fresh) seen.add(piece);
    if (fresh.length > 0) gain += 1 / Math.log2(place + 2);
  });
  let best = 0;
  for (let place = 0; place < Math.min(pieces, golds.length); place += 1) best += 1 / Math.log2(place + 2);
  return best === 0 ? 0 : Math.min(1, gain / best);
}
