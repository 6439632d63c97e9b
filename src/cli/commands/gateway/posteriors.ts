import type { ArmPosterior } from '../../../learning/learner/learner-types.js';
import { dim, facts, table } from '../../output/output.js';
import { timeOf } from '../../output/render.js';

interface Posteriors {
  readonly learner: string;
  readonly posteriors: Readonly<Record<string, ArmPosterior>>;
}

/** Formats the arms of a learner, the highest mean first, each with the interval that holds its rate with 95 %. */
export function posteriorsShown({ learner, posteriors }: Posteriors): string {
  const arms = Object.entries(posteriors).sort(([, a], [, b]) => b.mean - a.mean);
  if (arms.length === 0) return dim(`Learner ${learner} has observed nothing in this context.`);
  const fixed = (value: number) => value.toFixed(3);
  return [
    facts([['learner', learner]]),
    table(arms, [
      { title: 'arm', of: ([id]) => id },
      { title: 'mean', of: ([, { mean }]) => fixed(mean), right: true },
      {
        title: '95 % interval',
        of: ([
          ,
          {
            credible_interval: { lower, upper },
          },
        ]) => `${fixed(lower)} to ${fixed(upper)}`,
      },
      { title: 'alpha', of: ([, { alpha }]) => Number(alpha.toPrecision(6)), right: true },
      { title: 'beta', of: ([, { beta }]) => Number(beta.toPrecision(6)), right: true },
      { title: 'pulls', of: ([, { pulls }]) => pulls, right: true },
      { title: 'last observed', of: ([, arm]) => timeOf(arm.last_updated) },
    ]),
  ].join('\n\n');
}
