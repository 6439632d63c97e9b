import { expect } from '@jest/globals';
import { DATABASES, writeSqlite } from '../fixtures/databases/databases.js';
import { DOCUMENTS, reachText, snapshot, type TestService } from '../service/harness.js';

const QUESTIONS = ['Who designed the Aldra Tower?', 'fishing boats', 'What must the keepers light?', 'tea', 'orders'];
const SESSION = 'harbour talk';

async function sent(test: TestService, path: string, body: unknown) {
  const answer = await test.post(path, body);
  expect([path, answer.status, answer.status < 300 ? null : answer.body]).toEqual([path, answer.status, null]);
  return answer.body;
}

/** Makes every kind of write that a service offers. */
export async function fill(test: TestService): Promise<void> {
  for (const key of Object.keys(DOCUMENTS) as Array<keyof typeof DOCUMENTS>)
    await sent(test, '/v1/ingest/text', reachText(key));
  await sent(test, '/v1/ingest/structured', {
    domain: 'tea',
    concepts: [
      { name: 'Green tea', description: 'Leaves 🍵 in “water”, \\ and \n a line' },
      { name: 'Water' },
      { name: 'Grn tea', properties: { size: 9_007_199_254_740_991, share: 0.1 } },
    ],
    edges: [{ source: 'Green tea', target: 'Water', relation: 'REQUIRES', confidence: 1 / 3 }],
    rules: [{ text: 'Never boil Green tea.' }],
  });
  for (const [i, text] of ['I moored at Skarn Island.', 'Tomorrow I sail to Port Helm.', 'Forget this.'].entries()) {
    const message = { domain: 'reach', session_id: SESSION, message_id: `m${i}`, text, speaker: 'Ada' };
    await sent(test, '/v1/ingest/message', { ...message, timestamp: `2026-03-0${i + 1}T10:00:00Z` });
  }
  await database(test);
  await edits(test);
  await learned(test);
  await vectors(test);
  const paths = [
    test.file('a.md', '# Lamp\n\nThe Lamp burns oil.'),
    test.file('b.md', '# Oil\n\nOil is kept in jars.'),
  ];
  const { job_id } = await sent(test, '/v1/jobs/ingest', { domain: 'files', paths });
  for (let state = ''; state !== 'completed'; ) state = (await test.get(`/v1/jobs/${job_id}`)).body.state;
  await sent(test, '/v1/project', { persona: 'keeper', domains: ['reach'] });
  await test.service.checkpoints.make();
  const call = { model: 'openai/gpt-4o', inputTokens: 1234, outputTokens: 56, timestamp: 1_770_000_000_000 };
  await sent(test, '/__gateway__/api/green/ingest', [{ ...call, traceId: 'trace 1' }]);
  await sent(test, '/__gateway__/api/green/targets', {
    ...{
      name: 'less',
      baseYear: 2025,
      baseYearEmissionsGrams: 12.5,
      targetYear: 2030,
      targetReductionPercent: 50,
      pathway: '1.5C',
    },
  });
  await sent(test, '/__gateway__/api/learning/reward', { arm_id: 'tool:a:b', outcome: 'accepted', reason: 'late' });
}

async function database(test: TestService): Promise<void> {
  const shop = DATABASES.find(({ name }) => name === 'shop')!;
  await sent(test, '/v1/sources/connect', { source_id: 'shop', connection_string: writeSqlite(shop, test.files) });
  await sent(test, '/v1/sources/shop/sync', {});
}

async function edits(test: TestService): Promise<void> {
  const nodes = await test.service.graph.findNodes({ domain: 'tea', limit: 10 });
  const idOf = (name: string) => nodes.find((node) => node.name === name)!.id;
  await sent(test, '/v1/entities/merge', { domain: 'tea', from_id: idOf('Grn tea'), into_id: idOf('Green tea') });
  const change = { domain: 'tea', type: 'change_concept', id: idOf('Water'), description: 'Wet.' };
  await sent(test, '/v1/edits', change);
  const { edit_id } = await sent(test, '/v1/edits', { ...change, description: 'Dry.' });
  await test.delete(`/v1/edits/${edit_id}`);
  await sent(test, '/v1/edits', { domain: 'reach', type: 'remove_message', session_id: SESSION, message_id: 'm2' });
}

async function learned(test: TestService): Promise<void> {
  const arms = { learner: 'prompts', context: { kind: 'code' } };
  await sent(test, '/v1/learning/select', { ...arms, candidates: [{ id: 'a' }, { id: 'b' }] });
  await sent(test, '/v1/learning/observe', { ...arms, arm_id: 'a', outcome: 'accepted', idempotency_key: 'once' });
  await sent(test, '/v1/learning/sessions/start', { learner: 'prompts', session_name: 'one' });
  for (const context of QUESTIONS.slice(0, 3)) {
    const { query_id, items } = await sent(test, '/v1/query', { context, domains: ['reach'] });
    const outcomes = Object.fromEntries(
      items.map(({ id }: { id: string }, i: number) => [id, i === 0 ? 'accepted' : 'rejected']),
    );
    await sent(test, '/v1/feedback', { query_id, outcomes, source: 'keeper' });
  }
}

async function vectors(test: TestService): Promise<void> {
  await sent(test, '/v1/vectors', { index_name: 'colours', dimension: 3, metric: 'euclidean' });
  await sent(test, '/v1/vectors', { index_name: 'bare', dimension: 2 });
  const numbers = Array.from({ length: 60 }, (_, i) => i);
  await sent(test, '/v1/vectors/colours/upsert', {
    ids: numbers.map((i) => `colour ${i}`),
    vectors: numbers.map((i) => [i / 7, 1 / (i + 1), -i]),
    metadata: numbers.map((i) => ({ size: i, made: { where: i % 2 === 0 ? 'hier' : 'là' } })),
    documents: numbers.map((i) => `Document ${i}`),
  });
  await sent(test, '/v1/vectors/colours/update', { id: 'colour 3', metadata: { size: 0.1 } });
}

/** What a service tells of its records. */
export async function recordsOf(test: TestService): Promise<Record<string, unknown>> {
  const records: Record<string, unknown> = {};
  const get = async (path: string) => {
    const { status, body } = await test.get(path);
    expect([path, status]).toEqual([path, 200]);
    records[path] = body;
    return body;
  };
  for (const path of [
    '/v1/queries',
    '/v1/documents',
    '/v1/edits',
    '/v1/entities/merges',
    `/v1/sessions/${encodeURIComponent(SESSION)}/messages?domain=reach`,
    '/v1/learning/prompts/posteriors',
    '/v1/vectors',
    '/v1/vectors/colours',
    '/v1/sources',
    '/v1/sources/shop/sync',
    '/__gateway__/api/green/traces',
    '/__gateway__/api/green/targets',
    '/__gateway__/api/learning/posteriors',
  ])
    await get(path);
  for (const { job_id } of (await get('/v1/jobs')).jobs) await get(`/v1/jobs/${job_id}/files`);
  for (const { name } of (await get('/v1/domains')).domains) records[name] = await snapshot(test, name);
  // The kind of the store is what a move changes.
  records['/v1/interoception'] = { ...(await get('/v1/interoception')), backend: null };
  records.checkpoints = await test.service.checkpoints.list();
  records.rules = (await test.post('/v1/rules', {})).body;
  return records;
}

/** What a service answers to questions, which it notes. */
export async function answersOf(test: TestService): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const context of QUESTIONS) {
    for (const mode of ['auto', 'vec', 'graph']) {
      const { query_id: _, ...body } = await sent(test, '/v1/query', { context, mode });
      answers[`${mode}: ${context}`] = body;
    }
  }
  const near = { query_vector: [1, 0.5, -3], top_k: 20, include_vector: true, filter: { size: { $lt: 30 } } };
  answers.nearest = await sent(test, '/v1/vectors/colours/query', near);
  return answers;
}

/** Expects the same of both but for the last digits of numbers: engines add floats in different orders. */
export function expectClose(found: unknown, wanted: unknown): void {
  expect(rounded(found, wanted)).toEqual(wanted);
}

/** Returns what was found, with numbers that are close to the wanted ones replaced by them. */
function rounded(found: unknown, wanted: unknown): unknown {
  if (typeof found === 'number' && typeof wanted === 'number')
    return Math.abs(found - wanted) <= 1e-5 * Math.max(1, Math.abs(wanted)) && !Number.isInteger(wanted)
      ? wanted
      : found;
  if (Array.isArray(found) && Array.isArray(wanted)) return found.map((one, i) => rounded(one, wanted[i]));
  if (typeof found !== 'object' || found === null || typeof wanted !== 'object' || wanted === null) return found;
  const other = wanted as Record<string, unknown>;
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, rounded(value, other[name])]));
}
