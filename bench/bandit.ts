/**
 * Thompson sampling against published figures and against MABWiser: `npm run bench:bandit [-- --quick] [--peer]`.
 * Prints a table, writes docs/benchmarks/bandit.md and bench/results/bandit.json, and ends with 1 where a bar is missed.
 * `--quick` runs a hundredth: it only shows that everything runs, writes nothing, and always ends with 0; it leaves
 * MABWiser out (its environment is half a gigabyte) unless `--peer` is given.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  budgetLoss,
  coverage,
  laiRobbinsRatio,
  meanOf,
  regretOf,
  roundTime,
  uniformRates,
  uniformRegret,
} from './learning/experiments.js';
import { httpSpeed } from './learning/http-speed.js';
import { librarySpeed } from './learning/library-speed.js';
import { mabwiser } from './learning/peer.js';
import { machine } from './machine.js';

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly bar: string;
  readonly met: boolean;
}

const quick = process.argv.includes('--quick');
const rows: Row[] = [];

function report(what: string, measured: string, [bar, met]: readonly [string, boolean]): void {
  rows.push({ what, measured, bar, met });
  const verdict = quick ? 'quick ' : met ? 'met   ' : 'MISSED';
  console.log(`${verdict}  ${what}: ${measured} (bar${quick ? ' of a full run' : ''}: ${bar})`);
}

const within = (value: number, low: number, high: number): boolean => value >= low && value <= high;
const plus = ({ mean, half }: { mean: number; half: number }, digits: number): string =>
  `${mean.toFixed(digits)} ± ${half.toFixed(digits)}`;

const trials = quick ? 20 : 2000;
const regret = uniformRegret(trials);
report(`mean regret, K=10, rates uniform, T=1000, ${trials} trials`, plus(regret, 2), [
  '26.8 to 29.4',
  within(regret.mean, 26.8, 29.4),
]);

const ratio = laiRobbinsRatio(quick ? 3 : 300, [2000, 20_000]);
report('regret slope per e-fold / Lai–Robbins bound 44.7, T 2,000 to 20,000', plus(ratio, 3), [
  '0.65 to 1.15',
  within(ratio.mean, 0.65, 1.15),
]);

const loss = budgetLoss(quick ? 2 : 40, quick ? 200 : 1000);
report(
  `loss against the clairvoyant knapsack, 30 arms, budget 8,000, ${quick ? 200 : '1,000'} rounds`,
  `${plus(loss, 2)} %`,
  ['at most 1.5 %', loss.mean <= 1.5],
);

const covered = coverage(quick ? 100 : 10_000);
report(`coverage of the 95 % interval, ${quick ? 100 : '10,000'} arms`, `${covered.toFixed(2)} %`, [
  '94 to 96 %',
  within(covered, 94, 96),
]);

const speed = await librarySpeed(quick ? 1000 : 100_000);
report('library: select over 1,000 arms, median', `${speed.select_ms.toFixed(2)} ms`, [
  'under 1 ms',
  speed.select_ms < 1,
]);
report('library: observations acknowledged a second, SQLite file, 64 in flight', `${Math.round(speed.observe_per_s)}`, [
  'at least 5,000',
  speed.observe_per_s >= 5000,
]);

const overHttp = await httpSpeed(quick ? 1 : 15);
report('HTTP: observations acknowledged a second, SQLite file, 64 connections', `${Math.round(overHttp)}`, [
  'at least 1,500',
  overHttp >= 1500,
]);

if (!quick || process.argv.includes('--peer')) againstMabwiser(quick ? 2 : 100);
else console.log('MABWiser is left out of a quick run; --peer adds it');

/** The same instances on both; a peer that cannot run is a bar missed, never one left out. */
function againstMabwiser(compared: number): void {
  const ours = meanOf(
    Array.from({ length: compared }, (_, trial) => regretOf(uniformRates(trial, 10), 1000, trial + 1)),
  );
  const ms = roundTime();
  try {
    const peer = mabwiser(compared, 1000);
    report(
      `the same ${compared} instances: our regret against MABWiser's`,
      `${plus(ours, 2)} against ${plus(peer.regret, 2)}`,
      ['no worse within the interval', ours.mean - ours.half <= peer.regret.mean + peer.regret.half],
    );
    report(
      'milliseconds for 1,000 rounds of select and observe, against MABWiser',
      `${ms.toFixed(2)} against ${peer.ms.toFixed(0)} (${(peer.ms / ms).toFixed(0)} times less)`,
      ['at least 20 times less', peer.ms >= 20 * ms],
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    report('MABWiser on the same instances', `it could not be run: ${reason}`, ['compared', false]);
  }
}

if (!quick) {
  mkdirSync('bench/results', { recursive: true });
  writeFileSync('bench/results/bandit.json', `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
  mkdirSync('docs/benchmarks', { recursive: true });
  const table = rows.map(
    ({ what, measured, bar, met }) => `| ${what} | ${measured} | ${bar} | ${met ? 'yes' : 'no'} |`,
  );
  writeFileSync(
    'docs/benchmarks/bandit.md',
    [
      '# Thompson sampling',
      '',
      '`npm run bench:bandit`, without baseline runs. ± is the half width of a 95 % confidence interval. Regret is that of the',
      "service's own selection code in memory; the library and HTTP rows are the learner as the service runs it, on a file.",
      '',
      machine(),
      '',
      '| What | Measured | Bar | Met |',
      '|---|---|---|---|',
      ...table,
      '',
      'Sources: Russo & Van Roy, A Tutorial on Thompson Sampling (2018); Lai & Robbins (1985); MABWiser 2.7.4.',
      '',
    ].join('\n'),
  );
}
process.exitCode = quick || rows.every((row) => row.met) ? 0 : 1;
