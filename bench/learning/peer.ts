import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment } from '../../scripts/live/process.js';
import { type Mean, meanOf, uniformRates } from './experiments.js';

export interface Peer {
  readonly regret: Mean;
  /** Milliseconds for 1,000 rounds of predict and partial_fit. */
  readonly ms: number;
}

/** MABWiser 2.7.4 on the same instances, from an environment of its own. Throws with the reason where it cannot run. */
export function mabwiser(trials: number, rounds: number): Peer {
  const folder = pythonEnvironment('mabwiser', ['mabwiser==2.7.4']);
  const rates = Array.from({ length: trials }, (_, trial) => uniformRates(trial, 10));
  const script = fileURLToPath(new URL('./peer.py', import.meta.url));
  const result = spawnSync(`${folder}/bin/python`, [script], {
    input: JSON.stringify({ rates, rounds }),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0) throw new Error(result.stderr.slice(-2000));
  const answer = JSON.parse(result.stdout) as { regrets: number[]; ms_per_1000: number };
  return { regret: meanOf(answer.regrets), ms: answer.ms_per_1000 };
}
