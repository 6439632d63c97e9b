import { afterEach, describe, expect, it } from '@jest/globals';
import { edgeId, type GraphEdge } from '../../src/core/model.js';
import { Credit } from '../../src/learning/credit/credit.js';
import { forgetNodes } from '../../src/learning/feedback/forget-nodes.js';
import { INTEROCEPTION } from '../../src/learning/feedback/interoception-settings.js';
import { along, type FeedbackFixture, type FixtureOptions, feedbackFixture, item, taught } from './feedback-fixture.js';

const EDGES = [
  ['d:a', 'd:b'],
  ['d:a', 'd:gone'],
  ['d:b', 'd:gone'],
  ['e:a', 'e:b'],
].map(
  ([source = '', target = '']): GraphEdge => ({
    id: edgeId(source, 'REQUIRES', target),
    source_id: source,
    target_id: target,
    relation_type: 'REQUIRES',
    confidence: 1,
    properties: {},
  }),
);
const credit = () =>
  new Credit({
    getEdges: async ({ domain } = {}) => EDGES.filter((edge) => edge.source_id.startsWith(`${domain}:`)),
    getDomain: async (name) => ({
      ...{ name, description: '', concept_count: 3, rule_count: 0, passages: 0 },
      edge_count: EDGES.length,
    }),
    version: async () => 1,
  });

let opened: FeedbackFixture[] = [];
afterEach(async () => {
  await Promise.all(opened.map((fixture) => fixture.close()));
  opened = [];
});
async function open(options: FixtureOptions = {}): Promise<FeedbackFixture> {
  const fixture = await feedbackFixture({ credit: credit(), creditWeight: 0.5, ...options });
  opened.push(fixture);
  return fixture;
}

const EDGE = 'd:a|REQUIRES|d:b';
const ITEMS = [
  item('d:gone', { source_id: 's1', edges: [{ id: EDGE, share: 0.6 }] }),
  item('d:b', { source_id: 's2', edges: [{ id: EDGE, share: 0.3 }] }),
  item('e:b', { domain: 'e', source_id: 's3' }),
];

type Ratings = ReadonlyArray<readonly [query: string, outcomes: Record<string, string>]>;

async function rate(fixture: FeedbackFixture, ratings: Ratings): Promise<void> {
  for (const [query_id, outcomes] of ratings) {
    await fixture.ask(query_id, ITEMS);
    await fixture.feedback.record({ query_id, outcomes, source: 's' });
  }
}

async function forget(fixture: FeedbackFixture, ids: readonly string[]): Promise<void> {
  await fixture.store.write(({ db }) => forgetNodes(db, ids, { settings: INTEROCEPTION, now: fixture.now }));
}

/** What another question hears of the nodes. */
async function priors(fixture: FeedbackFixture): Promise<Map<string, number>> {
  const ids = ['d:a', 'd:b', 'd:gone', 'e:a', 'e:b'];
  return new Map(await fixture.interoception.itemPriors('something else entirely', along(1), ids));
}

/** Expects that two services rank alike and hold the same rows. */
async function expectAlike(one: FeedbackFixture, other: FeedbackFixture): Promise<void> {
  expect(await priors(one)).toEqual(await priors(other));
  expect(await one.interoception.edgeFactors()).toEqual(await other.interoception.edgeFactors());
  expect(await taught(one.store)).toEqual(await taught(other.store));
  const armsOf = async ({ store }: FeedbackFixture) =>
    (await store.db.selectFrom('learner_arm').select('arm_id').orderBy('arm_id').execute()).map((row) => row.arm_id);
  expect(await armsOf(one)).toEqual(await armsOf(other));
}

describe('a reset of interoception with credit on', () => {
  const all: Ratings = [
    ['q1', { 'd:gone': 'accepted', 'd:b': 'rejected', 'e:b': 'accepted' }],
    ['q2', { 'd:gone': 'partial' }],
  ];

  it('leaves scores as before any feedback, and says how many ratings it deleted', async () => {
    const fixture = await open();
    await rate(fixture, all);
    expect((await priors(fixture)).size).toBe(5);
    expect(await fixture.interoception.reset()).toMatchObject({ feedback: 4 });
    await expectAlike(fixture, await open());
    expect(await fixture.store.db.selectFrom('feedback_credit').selectAll().execute()).toEqual([]);
    // What is rated then counts as if it were the first.
    await rate(fixture, [['q3', { 'd:b': 'accepted' }]]);
    const fresh = await open();
    await rate(fresh, [['q3', { 'd:b': 'accepted' }]]);
    await expectAlike(fixture, fresh);
  });

  it('takes back the credit of a domain and leaves that of the other as if alone', async () => {
    const fixture = await open();
    await rate(fixture, all);
    await fixture.interoception.reset({ domain: 'd' });
    const alone = await open();
    await rate(alone, [['q1', { 'e:b': 'accepted' }]]);
    await expectAlike(fixture, alone);
  });

  it('takes back the credit that ratings of one ingest source gave to any node', async () => {
    const fixture = await open();
    await rate(fixture, all);
    await fixture.interoception.reset({ source_id: 's1' });
    const without = await open();
    await rate(without, [['q1', { 'd:b': 'rejected', 'e:b': 'accepted' }]]);
    await expectAlike(fixture, without);
  });
});

describe('forgetting nodes', () => {
  it('takes back what ratings of them taught of edges and gave to nodes that stay', async () => {
    const fixture = await open();
    await rate(fixture, [
      ['q1', { 'd:gone': 'accepted', 'd:b': 'rejected' }],
      ['q2', { 'd:gone': 'accepted' }],
      ['q3', { 'd:b': 'accepted' }],
    ]);
    await forget(fixture, ['d:gone']);
    const without = await open();
    await rate(without, [
      ['q1', { 'd:b': 'rejected' }],
      ['q3', { 'd:b': 'accepted' }],
    ]);
    await expectAlike(fixture, without);
    // Feedback that is replaced afterwards finds its own share only.
    for (const one of [fixture, without]) {
      await one.feedback.record({ query_id: 'q1', outcomes: { 'd:b': 'partial' }, source: 's' });
    }
    await expectAlike(fixture, without);
  });

  it('leaves no factor or credit where all that taught them is gone', async () => {
    const fixture = await open();
    await rate(fixture, [['q1', { 'd:gone': 'accepted' }]]);
    await forget(fixture, ['d:gone']);
    await expectAlike(fixture, await open());
  });

  it('takes back whole what an earlier release gave, which kept no shares by item', async () => {
    const fixture = await open();
    await rate(fixture, [['q1', { 'd:gone': 'accepted' }]]);
    const { db } = fixture.store;
    const { deltas } = await db.selectFrom('feedback_credit').select('deltas').executeTakeFirstOrThrow();
    const [shares] = Object.values(JSON.parse(deltas) as Record<string, unknown>);
    await db
      .updateTable('feedback_credit')
      .set({ deltas: JSON.stringify(shares) })
      .execute();
    await forget(fixture, ['d:gone']);
    await expectAlike(fixture, await open());
  });

  it('teaches no edges while interoception is off', async () => {
    const fixture = await open({ settings: { enabled: false } });
    await rate(fixture, [['q1', { 'd:gone': 'accepted', 'd:b': 'rejected' }]]);
    await fixture.store.write(({ db }) =>
      forgetNodes(db, ['d:gone'], { settings: { ...INTEROCEPTION, enabled: false }, now: fixture.now }),
    );
    expect(await fixture.store.db.selectFrom('edge_factor').selectAll().execute()).toEqual([]);
  });
});

it('counts a question once in the share of rated ones, also where it is rated again after a reset', async () => {
  const fixture = await open();
  await fixture.ask('q2', ITEMS);
  for (let time = 0; time < 3; time += 1) {
    await rate(fixture, time === 0 ? [['q1', { 'd:b': 'accepted' }]] : []);
    await fixture.feedback.record({ query_id: 'q1', outcomes: { 'd:b': 'accepted' }, source: 's' });
    await fixture.interoception.reset(time === 1 ? { domain: 'd' } : {});
  }
  expect((await fixture.feedback.activity()).feedback_rate).toBe(0.5);
});
