import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqlite } from '../backends/store/engine/sqlite.js';
import type { Store } from '../backends/store/scope.js';
import { type Clock, systemClock } from '../core/clock.js';
import { seededRandom, systemRandom } from '../core/random.js';
import { Learner } from '../learning/learner/learner.js';
import { type LearnerConfig, learnerConfig } from '../learning/learner/learner-config.js';
import { checkedOutcomes } from '../learning/learner/reward.js';
import { learnerStore } from '../learning/learning.js';

export interface OpenLearnerOptions {
  /** Where the states lie, instead of `state_dir`; it stays open when the learner is closed. */
  readonly store?: Store;
  /** Rewards of custom outcomes, 0..1. */
  readonly outcomes?: Readonly<Record<string, number>>;
  /** Makes every selection repeatable. */
  readonly seed?: number | string;
  readonly clock?: Clock;
}

/** A learner that somebody opened and closes. */
export class OpenedLearner extends Learner {
  /** Ends the learner; set by `openLearner`. */
  close: () => Promise<void> = () => Promise.resolve();
}

/**
 * Opens a learner of its own. Its states lie in the SQLite file `learning.db` of `state_dir`, which is made where it is
 * missing; without a directory they are in memory and lost with the process. Throws `invalid_input` naming a setting that
 * is out of range.
 */
export async function openLearner(
  settings: Partial<LearnerConfig> & { readonly name: string },
  options: OpenLearnerOptions = {},
): Promise<OpenedLearner> {
  const { name, ...rest } = settings;
  const config = learnerConfig(name, rest);
  const store = options.store ?? (await openSqlite(await fileOf(config.state_dir)));
  const at = learnerStore(store);
  const learner = new OpenedLearner(config, at, {
    clock: options.clock ?? systemClock,
    random: options.seed === undefined ? systemRandom() : seededRandom(`${options.seed}\0${name}`),
    outcomes: checkedOutcomes(options.outcomes ?? {}),
  });
  learner.close = async () => {
    await at.writes.flush();
    if (options.store === undefined) await store.close();
  };
  return learner;
}

async function fileOf(directory: string): Promise<string> {
  if (directory === '') return ':memory:';
  await mkdir(directory, { recursive: true });
  return join(directory, 'learning.db');
}
