import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS } from '../../src/learning/learner/retention.js';
import { along, type FeedbackFixture, feedbackFixture, item, taught } from './feedback-fixture.js';

let fixture: FeedbackFixture;
beforeEach(async () => {
  fixture = await feedbackFixture();
});
afterEach(() => fixture.close());

const EDGE = 'd:x|REQUIRES|d:a';
const withEdge = [item('d:a', { edges: [{ id: EDGE, share: 0.8 }] }), item('d:b')];
const record = (outcomes: Record<string, string>, query_id = 'q1', source = 's') =>
  fixture.feedback.record({ query_id, outcomes, source });
const prior = async (id: string, question = 'who wrote it?', axis = 0) =>
  (await fixture.interoception.itemPriors(question, along(axis), [id])).get(id) ?? 0;

describe('feedback', () => {
  it('is recorded against the query log and answered with its count', async () => {
    await fixture.ask('q1', withEdge);
    expect(await record({ 'd:a': 'accepted', 'd:b': 'rejected' })).toEqual({
      status: 'recorded',
      query_id: 'q1',
      outcome_count: 2,
      source: 's',
    });
  });

  it.each([
    ['an unknown query', 'nope', { 'd:a': 'accepted' }, 'query_not_found'],
    ['an item that was not returned', 'q1', { 'd:a': 'accepted', 'd:z': 'accepted' }, 'invalid_input'],
    ['an unknown outcome', 'q1', { 'd:a': 'accepted', 'd:b': 'great' }, 'invalid_input'],
    ['no outcomes', 'q1', {}, 'invalid_input'],
  ])('refuses %s and records nothing', async (_, query_id, outcomes, code) => {
    await fixture.ask('q1', withEdge);
    const before = await taught(fixture.store);
    await expect(record(outcomes as Record<string, string>, query_id)).rejects.toMatchObject({ code });
    expect(await taught(fixture.store)).toEqual(before);
    expect(await fixture.feedback.activity()).toMatchObject({ feedback_given: 0 });
  });

  it('moves edge factors by a fifth of the way to the target', async () => {
    await fixture.ask('q1', withEdge);
    await fixture.ask('q2', withEdge);
    await record({ 'd:a': 'accepted' });
    expect((await fixture.interoception.edgeFactors()).get(EDGE)).toBeCloseTo(1.2, 12);
    await record({ 'd:a': 'rejected' }, 'q2');
    expect((await fixture.interoception.edgeFactors()).get(EDGE)).toBeCloseTo(1.06, 12);
  });

  it('converges to the target instead of growing', async () => {
    for (let i = 0; i < 60; i += 1) {
      await fixture.ask(`q${i}`, withEdge);
      await record({ 'd:a': 'accepted' }, `q${i}`);
    }
    const factor = (await fixture.interoception.edgeFactors()).get(EDGE)!;
    expect(factor).toBeLessThanOrEqual(2);
    expect(factor).toBeGreaterThan(1.999);
  });

  it('decays toward 1 with a half-life of 30 days', async () => {
    await fixture.ask('q1', withEdge);
    await record({ 'd:a': 'accepted' });
    const version = await fixture.interoception.version();
    fixture.now += 30 * DAY_MS;
    expect(await fixture.interoception.version()).not.toBe(version);
    expect((await fixture.interoception.edgeFactors()).get(EDGE)).toBeCloseTo(1.1, 6);
    fixture.now += 3000 * DAY_MS;
    expect((await fixture.interoception.edgeFactors()).has(EDGE)).toBe(false);
  });

  it('takes the mean of the items that an edge brought up', async () => {
    await fixture.ask('q1', [
      item('d:a', { edges: [{ id: EDGE, share: 0.6 }] }),
      item('d:b', { edges: [{ id: EDGE, share: 0.2 }] }),
    ]);
    await record({ 'd:a': 'accepted', 'd:b': 'rejected' });
    const target = (0.6 * 2 + 0.2 * 0.5) / 0.8;
    expect((await fixture.interoception.edgeFactors()).get(EDGE)).toBeCloseTo(1 + 0.2 * (target - 1), 12);
  });

  it('leaves the same state as the second alone when it is replaced', async () => {
    const outcome = fc.constantFrom('accepted', 'partial', 'rejected');
    const step = fc.record({
      query: fc.constantFrom('q1', 'q2'),
      item: fc.constantFrom('d:a', 'd:b'),
      source: fc.constantFrom('s', 't'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, outcome, outcome), { minLength: 1, maxLength: 8 }), async (steps) => {
        const unique = [...new Map(steps.map((one) => [JSON.stringify(one[0]), one])).values()];
        const states = [];
        for (const twice of [true, false]) {
          const other = await feedbackFixture();
          await other.ask('q1', withEdge);
          await other.ask('q2', withEdge);
          for (const [{ query, item: id, source }, first] of twice ? unique : []) {
            await other.feedback.record({ query_id: query, outcomes: { [id]: first }, source });
          }
          for (const [{ query, item: id, source }, , second] of unique) {
            await other.feedback.record({ query_id: query, outcomes: { [id]: second }, source });
          }
          states.push([await taught(other.store), await other.feedback.activity()]);
          await other.close();
        }
        expect(states[0]).toEqual(states[1]);
      }),
      { numRuns: 25 },
    );
  });

  it('counts activity once, moves replaced outcomes, and keeps the totals', async () => {
    await fixture.ask('q1', withEdge);
    await fixture.ask('q2', withEdge);
    await record({ 'd:a': 'accepted' });
    await record({ 'd:a': 'rejected' });
    expect(await fixture.feedback.activity()).toEqual({
      queries_served: 2,
      feedback_given: 1,
      feedback_rate: 0.5,
      outcomes: { accepted: 0, partial: 0, rejected: 1 },
    });
    fixture.now += 91 * DAY_MS;
    expect(await fixture.feedback.prune()).toBe(2);
    expect(await fixture.feedback.activity()).toMatchObject({ queries_served: 2, feedback_given: 1 });
  });

  it('survives parallel feedback on many queries', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, i) => fixture.ask(`p${i}`, withEdge)));
    await Promise.all(Array.from({ length: 40 }, (_, i) => record({ 'd:a': 'accepted' }, `p${i}`)));
    expect((await fixture.interoception.edgeFactors()).get(EDGE)).toBeCloseTo(2 - 0.8 ** 40, 9);
    expect(await fixture.feedback.activity()).toMatchObject({ queries_served: 40, feedback_given: 40 });
  });
});

describe('item priors', () => {
  it('lift what was accepted and lower what was rejected, for the same question', async () => {
    await fixture.ask('q1', withEdge);
    await record({ 'd:a': 'accepted', 'd:b': 'rejected' });
    expect(await prior('d:a')).toBeGreaterThan(0.1);
    expect(await prior('d:b')).toBeLessThan(-0.1);
    expect(await prior('d:a', 'WHO  wrote it?', 1)).toBe(await prior('d:a'));
  });

  it('fade with the distance between the questions, down to nothing', async () => {
    await fixture.ask('q1', withEdge);
    await record({ 'd:a': 'accepted' });
    const near = await prior('d:a', 'another wording', 0.1);
    const farther = await prior('d:a', 'another wording', 0.3);
    expect(near).toBeGreaterThan(farther);
    expect(farther).toBeGreaterThan(0);
    expect(near).toBeLessThan(await prior('d:a'));
    expect(await prior('d:a', 'another wording', 1)).toBe(0);
  });

  it('compare words where there is no vector', async () => {
    await fixture.ask('q1', withEdge, { text: 'who wrote the long novel about whales' });
    await record({ 'd:a': 'accepted' });
    const amount = async (text: string) =>
      (await fixture.interoception.itemPriors(text, null, ['d:a'])).get('d:a') ?? 0;
    expect(await amount('who wrote that long novel about whales')).toBeGreaterThan(0);
    expect(await amount('how deep is the sea')).toBe(0);
  });

  it('are seen by another replica at once, and by a restart', async () => {
    const other = await feedbackFixture({ store: fixture.store });
    const theirs = async () =>
      (await other.interoception.itemPriors('who wrote it?', along(0), ['d:a'])).get('d:a') ?? 0;
    expect(await theirs()).toBe(0);
    await fixture.ask('q1', withEdge);
    await record({ 'd:a': 'accepted' });
    expect(await theirs()).toBe(await prior('d:a'));
    expect((await other.interoception.edgeFactors()).get(EDGE)).toBeCloseTo(1.2, 12);
  });

  it('do nothing when interoception is off, and feedback is recorded all the same', async () => {
    const off = await feedbackFixture({ settings: { enabled: false } });
    await off.ask('q1', withEdge);
    await off.feedback.record({ query_id: 'q1', outcomes: { 'd:a': 'accepted' } });
    expect((await off.interoception.itemPriors('who wrote it?', along(0), ['d:a'])).size).toBe(0);
    expect((await off.interoception.edgeFactors()).size).toBe(0);
    expect(await off.interoception.status()).toMatchObject({ backend: 'off', factors: { count: 0 } });
    expect(await off.feedback.activity()).toMatchObject({ feedback_given: 1 });
    await off.close();
  });
});

describe('retention', () => {
  it('keeps what feedback taught when its query goes', async () => {
    await fixture.ask('q1', withEdge);
    await record({ 'd:a': 'accepted' });
    fixture.now += 91 * DAY_MS;
    const before = [await prior('d:a'), (await fixture.interoception.edgeFactors()).get(EDGE)];
    await fixture.feedback.prune();
    expect([await prior('d:a'), (await fixture.interoception.edgeFactors()).get(EDGE)]).toEqual(before);
    await expect(record({ 'd:a': 'rejected' })).rejects.toMatchObject({ code: 'query_not_found' });
    await fixture.ask('q2', withEdge);
    await record({ 'd:a': 'accepted' }, 'q2');
    expect((await fixture.interoception.edgeFactors()).get(EDGE)).toBeCloseTo(1 + 0.2 * 2 ** (-91 / 30) * 0.8 + 0.2, 9);
  });

  it('drops factors that have faded', async () => {
    await fixture.ask('q1', withEdge);
    await record({ 'd:a': 'accepted' });
    fixture.now += 400 * DAY_MS;
    await fixture.feedback.prune();
    expect(await taught(fixture.store)).toMatchObject({ edges: [], items: [] });
  });
});

describe('inspection and reset', () => {
  const both = [
    item('d:a', { source_id: 's1', edges: [{ id: EDGE, share: 0.5 }] }),
    item('d:b', { source_id: 's2', edges: [{ id: EDGE, share: 0.5 }] }),
    item('e:c', { domain: 'e', source_id: 's3', edges: [{ id: 'e:x|USES|e:c', share: 1 }] }),
  ];

  it('shows the strongest factors and the feedback behind them', async () => {
    await fixture.ask('q1', both);
    await record({ 'd:a': 'accepted', 'e:c': 'rejected' });
    const report = await fixture.interoception.report();
    expect(report.enabled).toBe(true);
    expect(report.factors).toMatchObject({ count: 2, max: 1.2, min: 0.9 });
    expect(report.edges[0]).toMatchObject({
      edge_id: EDGE,
      source_id: 'd:x',
      relation_type: 'REQUIRES',
      target_id: 'd:a',
      events: 1,
      why: [{ query_id: 'q1', query: 'who wrote it?', source: 's', target: 2 }],
    });
    expect(report.items.map((row) => row.item_id)).toEqual(['d:a', 'e:c']);
    expect(report.items[0]).toMatchObject({ query: 'who wrote it?', why: [{ outcome: 'accepted' }] });
  });

  it('forgets everything', async () => {
    await fixture.ask('q1', both);
    await record({ 'd:a': 'accepted', 'e:c': 'rejected' });
    expect(await fixture.interoception.reset()).toMatchObject({ status: 'reset', edges: 2, items: 2 });
    expect((await fixture.interoception.edgeFactors()).size).toBe(0);
    expect(await prior('d:a')).toBe(0);
    expect(await taught(fixture.store)).toMatchObject({ edges: [], items: [], feedback: [] });
  });

  it('forgets one domain, and leaves the other as if alone', async () => {
    await fixture.ask('q1', both);
    await record({ 'd:a': 'accepted', 'd:b': 'rejected', 'e:c': 'rejected' });
    expect(await fixture.interoception.reset({ domain: 'd' })).toMatchObject({ feedback: 2, edges: 1, items: 2 });
    const alone = await feedbackFixture();
    await alone.ask('q1', both);
    await alone.feedback.record({ query_id: 'q1', outcomes: { 'e:c': 'rejected' }, source: 's' });
    expect(await taught(fixture.store)).toEqual(await taught(alone.store));
    await alone.close();
  });

  it('forgets one ingest source, and leaves what the others taught of a shared edge', async () => {
    await fixture.ask('q1', both);
    await record({ 'd:a': 'accepted', 'd:b': 'rejected' });
    await fixture.interoception.reset({ source_id: 's1' });
    expect((await fixture.interoception.edgeFactors()).get(EDGE)).toBeCloseTo(0.9, 12);
    expect(await prior('d:a')).toBe(0);
    expect(await prior('d:b')).toBeLessThan(0);
    await expect(fixture.interoception.reset({ source_id: 's1', domain: 'd' })).rejects.toThrow(/not both/);
  });
});
