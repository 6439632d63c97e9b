import { SvcError } from '../../core/errors.js';

/** Settings of one learner; member names are the specification's. */
export interface LearnerConfig {
  readonly name: string;
  /** Probability of a uniform random selection. */
  readonly baseline_rate: number;
  /** Prior alpha of seed arms. */
  readonly seed_boost: number;
  readonly seed_arms: readonly string[];
  /** Directory of a SQLite file of its own; empty: the service's store. */
  readonly state_dir: string;
  /** Tracked arms a context partition may hold. */
  readonly max_arms: number;
  /** Arms with fewer observations are selected first; the larger of this and the call's counts. */
  readonly min_pulls: number;
}

const LEARNER_DEFAULTS: Omit<LearnerConfig, 'name'> = {
  baseline_rate: 0.1,
  seed_boost: 2,
  seed_arms: [],
  state_dir: '',
  max_arms: 1000,
  min_pulls: 0,
};

/** Starts with a letter or digit. A name is never part of a path, so it may hold slashes (`%2F` in a route). */
export const LEARNER_NAME = '^[A-Za-z0-9][A-Za-z0-9 ._:@/%+-]{0,127}$';
const NAME = new RegExp(LEARNER_NAME);
const MAX_ARM_ID = 512;

/** Credit lowers no posterior parameter below this. */
export const FLOOR = 0.01;

export interface Prior {
  readonly alpha: number;
  readonly beta: number;
}

const UNIFORM_PRIOR: Prior = { alpha: 1, beta: 1 };

/** Returns the prior of every arm: Beta(seed_boost, 1) for seed arms, else Beta(1, 1). */
export function priors(config: Pick<LearnerConfig, 'seed_arms' | 'seed_boost'>): (armId: string) => Prior {
  if (config.seed_arms.length === 0) return () => UNIFORM_PRIOR;
  const seeds = new Set(config.seed_arms);
  const seed: Prior = { alpha: config.seed_boost, beta: 1 };
  return (armId) => (seeds.has(armId) ? seed : UNIFORM_PRIOR);
}

/** Throws `invalid_input` unless the name is safe. */
function checkedName(name: string): string {
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new SvcError(
      'invalid_input',
      'learner must start with one of a-z, A-Z, 0-9 and hold only these, spaces and . _ : @ / % + - (at most 128).',
      { member: 'learner' },
    );
  }
  return name;
}

/** Returns whether it is a text of 1 to 512 characters without a zero. */
export function isArmId(armId: unknown): boolean {
  return typeof armId === 'string' && armId !== '' && armId.length <= MAX_ARM_ID && !armId.includes('\0');
}

/** Throws `invalid_input` unless the arm id is a text of 1 to 512 characters. */
export function checkedArm(armId: string, member = 'arm_id'): string {
  if (!isArmId(armId)) {
    throw new SvcError('invalid_input', `${member} must be a text of 1 to ${MAX_ARM_ID} characters.`, { member });
  }
  return armId;
}

/** Returns the settings with the defaults filled in; throws `invalid_input` naming the member that is out of range. */
export function learnerConfig(name: string, settings: Partial<Omit<LearnerConfig, 'name'>> = {}): LearnerConfig {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const config: LearnerConfig = { ...LEARNER_DEFAULTS, ...given, name: checkedName(name) };
  const { baseline_rate, seed_boost, max_arms, min_pulls, seed_arms, state_dir } = config;
  if (!(baseline_rate >= 0 && baseline_rate <= 1)) throw wrong(name, 'baseline_rate', 'a number from 0 to 1');
  if (!(seed_boost >= 0.01 && seed_boost <= 1e6)) throw wrong(name, 'seed_boost', 'a number from 0.01 to 1000000');
  if (!Number.isInteger(max_arms) || max_arms < 1) throw wrong(name, 'max_arms', 'an integer of at least 1');
  if (!Number.isInteger(min_pulls) || min_pulls < 0) throw wrong(name, 'min_pulls', 'an integer of at least 0');
  if (!Array.isArray(seed_arms) || seed_arms.some((arm) => typeof arm !== 'string' || arm === '')) {
    throw wrong(name, 'seed_arms', 'a list of arm ids');
  }
  if (typeof state_dir !== 'string') throw wrong(name, 'state_dir', 'a directory, or empty');
  return config;
}

function wrong(name: string, member: string, what: string): SvcError {
  return new SvcError('invalid_input', `learners.${name}.${member} must be ${what}.`, { member });
}
