import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { Feedback } from '../../src/learning/feedback/feedback.js';
import { Interoception } from '../../src/learning/feedback/interoception.js';
import { Retrieval } from '../../src/retrieval/retrieval.js';
import { inRatedOrder } from '../../src/retrieval/score/rated-order.js';

const TURNS = [
  ['Ines', 'Conference: DeliverCon in Rotterdam, 12 to 14 May. We have two tickets.'],
  ['Lena', 'I would like to go'],
  ['Ines', 'Fine: Lena and Yusuf go to DeliverCon.'],
  ['Yusuf', "I can't go to Rotterdam, my sister marries on 13 May"],
  ['Ines', 'Congratulations! Marek, do you want the second DeliverCon ticket?'],
  ['Marek', 'Yes, gladly'],
  ['Ines', 'Settled, Lena and Marek.'],
] as const;
const QUESTION = 'Who goes to DeliverCon in Rotterdam?';
const DAY = 86_400_000;

let world: World;
let now = Date.parse('2026-03-01T09:00:00Z');
let feedback: Feedback;
let interoception: Interoception;
beforeAll(async () => {
  world = await openWorld('static');
  for (const [i, [speaker, text]] of TURNS.entries()) {
    await world.ingest.message({
      ...{ text, speaker, role: 'user', domain: 'chat', session_id: 's', message_id: `${i}` },
      timestamp: new Date(Date.parse('2026-02-06T09:50:00Z') + i * 60_000).toISOString(),
    });
  }
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  now = Date.parse('2026-03-01T09:00:00Z');
  const clock = () => now;
  feedback = new Feedback(world.store, { clock });
  interoception = new Interoception(world.store, { clock });
  await interoception.reset();
});

const ask = (context: string) =>
  new Retrieval({ ...world.parts, adjustments: interoception, querylog: feedback }).query({
    context,
    domains: ['chat'],
    top_k: 7,
  });

/** Rates the last item as what answers and the first one as what does not, for some rounds; returns their ids. */
async function rate(rounds: number): Promise<{ readonly good: string; readonly bad: string }> {
  const first = await ask(QUESTION);
  const [bad, good] = [first.items[0]!.id, first.items.at(-1)!.id];
  for (let round = 0; round < rounds; round += 1) {
    const { query_id } = await ask(QUESTION);
    await feedback.record({ query_id, outcomes: { [good]: 'accepted', [bad]: 'rejected' } });
  }
  return { good, bad };
}

const places = async (context: string, ...ids: string[]): Promise<number[]> => {
  const { items } = await ask(context);
  return ids.map((id) => items.findIndex((item) => item.id === id));
};

describe('what was accepted for a question', () => {
  it('stands before what was rejected for it when it is asked again, after two rounds at the latest', async () => {
    const { good, bad } = await rate(2);
    const [above, below] = await places(QUESTION, good, bad);
    expect(above).toBeLessThan(below!);
    const { items } = await ask(QUESTION);
    expect(items.map(({ score }) => score)).toEqual([...items.map(({ score }) => score)].sort((a, b) => b - a));
  });

  it('is not yet before it after one round: a rating may be a slip', async () => {
    const { good, bad } = await rate(1);
    const [above, below] = await places(QUESTION, good, bad);
    expect(above).toBeGreaterThan(below!);
  });

  it('is no more before it when both ratings are long past', async () => {
    const { good, bad } = await rate(2);
    now += 90 * DAY;
    const [above, below] = await places(QUESTION, good, bad);
    expect(above).toBeGreaterThan(below!);
  });

  it('says nothing so firm of another question, however alike', async () => {
    const other = 'Who travels to the DeliverCon conference in Rotterdam?';
    const before = await ask(other);
    const { good } = await rate(2);
    const { items } = await ask(other);
    const score = (answer: typeof before) => answer.items.find(({ id }) => id === good)!.score;
    const logit = (share: number) => Math.log(share / (1 - share));
    const bound = 2 * Math.log(1.36) * world.parts.ranker.prior;
    expect(logit(score({ ...before, items })) - logit(score(before))).toBeLessThanOrEqual(bound + 0.01);
  });

  it('stays where it is without a rating of the other', async () => {
    const first = await ask(QUESTION);
    const good = first.items.at(-1)!.id;
    await feedback.record({ query_id: first.query_id, outcomes: { [good]: 'accepted' } });
    const { items } = await ask(QUESTION);
    expect(items[0]!.id).toBe(first.items[0]!.id);
  });
});

describe('the order of rated items', () => {
  const item = (id: string, total: number) => ({
    node: { id },
    score: 0,
    baseline: { total, graph: 0, parts: { forward: 0, shared: 0, pagerank: 0, chain: 0 }, besides: 0 },
  });
  const totals = (ratings: Record<string, number>, ...items: Array<ReturnType<typeof item>>): number[] =>
    inRatedOrder(items, new Map(Object.entries(ratings))).map(({ baseline }) => baseline!.total);

  it('raises by five log odds at most, and needs two ratings of either', () => {
    expect(totals({ bad: 0.82, good: 1.36 }, item('bad', 1), item('good', -3))).toEqual([1, 1.001]);
    expect(totals({ bad: 0.82, good: 1.36 }, item('bad', 6), item('good', -9))).toEqual([6, -9]);
    expect(totals({ bad: 0.9, good: 1.36 }, item('bad', 1), item('good', 0))).toEqual([1, 0]);
    expect(totals({ bad: 0.82, good: 1.2 }, item('bad', 1), item('good', 0))).toEqual([1, 0]);
  });
});
