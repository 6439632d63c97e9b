import { expect, it } from '@jest/globals';
import { seededRandom } from '../../src/core/random.js';
import {
  type ArmStates,
  type GatewayLearningSettings,
  type PromptArm,
  type PromptSelection,
  selectPromptArms,
} from '../../src/index.js';

const settings: GatewayLearningSettings = {
  enabled: true,
  phase: 'active',
  strategy: 'thompson',
  token_budget: 300,
  baseline_rate: 0,
  min_pulls: 0,
  seed_arm_ids: ['seed'],
};
const candidates: PromptArm[] = [
  { armId: 'bad', tokenCost: 100 },
  { armId: 'seed', tokenCost: 150 },
  { armId: 'good', tokenCost: 100 },
];
const states: ArmStates = new Map([
  ['good', { alpha: 900, beta: 100, pulls: 1000 }],
  ['bad', { alpha: 100, beta: 900, pulls: 1000 }],
]);

const select = (more: Partial<GatewayLearningSettings> = {}, tokenBudget?: number): PromptSelection =>
  selectPromptArms(candidates, states, { settings: { ...settings, ...more }, random: seededRandom(7), tokenBudget });

const included = ({ arms }: PromptSelection) => arms.filter((arm) => arm.included).map(({ armId }) => armId);

it('keeps seeds, and fills the rest of the budget with what earned most', () => {
  const selection = select();
  expect(included(selection)).toEqual(['seed', 'good']);
  expect(selection).toMatchObject({ phase: 'active', isBaseline: false, tokenBudget: 300, usedTokens: 250 });
  expect(selection.arms.map(({ isSeed, score }) => [isSeed, score === null])).toEqual([
    [false, false],
    [true, true],
    [false, false],
  ]);
});

it('keeps the seeds alone where they take the whole budget', () => {
  expect(included(select({}, 100))).toEqual(['seed']);
});

it('takes an arm with fewer pulls than minPulls before the best known one, and no longer from minPulls on', () => {
  const fresh = (pulls: number): ArmStates => new Map([...states, ['bad', { alpha: 1, beta: 1 + pulls, pulls }]]);
  const chosen = (pulls: number) =>
    included(
      selectPromptArms(candidates, fresh(pulls), {
        settings: { ...settings, min_pulls: 50 },
        random: seededRandom(7),
        tokenBudget: 250,
      }),
    );
  expect(chosen(49)).toEqual(['bad', 'seed']);
  expect(chosen(50)).toEqual(['seed', 'good']);
});

it.each([{ phase: 'passive' as const }, { baseline_rate: 1 }])('includes everything in a baseline run: %j', (more) => {
  const selection = select(more);
  expect(included(selection)).toEqual(['bad', 'seed', 'good']);
  expect(selection).toMatchObject({ isBaseline: true, usedTokens: 350 });
});

it('refuses an id given twice and a cost that is no whole number', () => {
  const options = { settings, random: seededRandom(7) };
  const twice = [candidates[0]!, candidates[0]!];
  expect(() => selectPromptArms(twice, states, options)).toThrow('twice');
  expect(() => selectPromptArms([{ armId: 'a', tokenCost: 0.5 }], states, options)).toThrow('candidates.0.tokenCost');
});
