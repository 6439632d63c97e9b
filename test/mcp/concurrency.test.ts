import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from './calls.js';
import { type ToolClient, WAYS } from './connections.js';
import { startWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

describe.each(WAYS)('twenty writes at once by the %s', (name, connect) => {
  let client: ToolClient;
  const tag = String(WAYS.findIndex(([other]) => other === name));
  const twenty = Array.from({ length: 20 }, (_, i) => i);
  const call = async (tool: string, input: Json) => {
    const answer = await client.call(`svc_${tool}`, input);
    if (answer.isError === true) throw new Error(answer.content[0]?.text);
    return answer.structuredContent!;
  };
  beforeAll(async () => {
    client = await connect(world);
  });
  afterAll(() => client?.close());

  it('keeps every concept, rule and edge', async () => {
    const domain = `together ${tag}`;
    await Promise.all(
      twenty.map((i) =>
        call('ingest_structured', {
          domain,
          concepts: [{ name: `Part ${i}` }],
          edges: [{ source: `Part ${i}`, target: `Part ${(i + 1) % 20}`, relation_type: 'REQUIRES' }],
          rules: [{ text: `Check Part ${i}.` }],
        }),
      ),
    );
    const { domains } = await call('domains', {});
    expect((domains as Json[]).find((one) => one.name === domain)).toMatchObject({ concept_count: 20, edge_count: 20 });
    const { rules } = await call('rules', { domains: [domain], include_derived: false });
    expect(rules).toHaveLength(20);
  });

  it('keeps every observation', async () => {
    const learner = `together-${tag}`;
    await Promise.all(twenty.map(() => call('learning_observe', { learner, arm_id: 'one', outcome: 'accepted' })));
    const { posteriors } = await call('learning_posteriors', { learner });
    expect((posteriors as Record<string, Json>).one).toMatchObject({ pulls: 20, total_reward: 20 });
  });

  it('keeps every vector', async () => {
    const index_name = `together-${tag}`;
    await Promise.all(twenty.map((i) => call('vector_upsert', { index_name, vectors: [[1, i]], ids: [`v${i}`] })));
    expect(await call('vector_describe_index', { index_name })).toMatchObject({ count: 20 });
    const { results } = await call('vector_query', { index_name, query_vector: [1, 1], top_k: 50 });
    expect(new Set((results as Json[]).map((one) => one.id)).size).toBe(20);
  });
});
