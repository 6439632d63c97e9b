import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openStatic } from '../../src/backends/embedding/static/static.js';
import { type EmbeddingServer, serveEmbeddings, TOKENS_PER_TEXT } from '../embedding/embedding-server.js';
import { type LlmServer, serveLlm, USAGE } from '../llm/llm-server.js';
import { waitFor } from '../support/wait-for.js';
import { openService, type TestService } from './harness.js';

const PATIENCE = { timeout: 20_000 };

let embeddings: EmbeddingServer;
let llm: LlmServer;
let test: TestService;
beforeAll(async () => {
  embeddings = await serveEmbeddings(openStatic());
  llm = await serveLlm('anthropic', ['{"rules": [{"number": 1, "context": "Whenever tea is made."}]}']);
  test = await openService({
    SVC_EMBEDDING: 'openai',
    SVC_EMBEDDING_URL: embeddings.url,
    SVC_EMBEDDING_MODEL: 'text-embedding-3-small',
    SVC_LLM: 'anthropic',
    SVC_LLM_URL: llm.url,
    SVC_LLM_MODEL: 'claude-haiku-4-5',
  });
});
afterAll(async () => {
  await test.close();
  await llm.close();
  await embeddings.close();
});

interface Recorded {
  readonly provider: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly sessionId: string;
  readonly factorId: string;
  readonly totalCo2Grams: number;
}
const recorded = async (model: string): Promise<Recorded[]> =>
  (await test.get(`/__gateway__/api/green/traces?limit=1000&model=${model}`)).body.traces;

/** Texts that the embedding server embedded, and the tokens that are recorded of them. */
async function embeddedTokens(): Promise<readonly [requested: number, recorded: number]> {
  const requested = embeddings.received.reduce((sum, { texts }) => sum + texts.length * TOKENS_PER_TEXT, 0);
  const rows = await recorded('text-embedding-3-small');
  return [requested, rows.reduce((sum, { inputTokens }) => sum + inputTokens, 0)];
}

it('records what an ingest and a query cost in embeddings', async () => {
  const ingested = await test.post('/v1/ingest/structured', {
    domain: 'tea',
    concepts: [
      { name: 'Green tea', description: 'A tea from Japan.' },
      { name: 'Kettle', description: 'Boils water.' },
    ],
    edges: [{ source: 'Green tea', target: 'Kettle', relation_type: 'REQUIRES' }],
  });
  expect(ingested).toMatchObject({ status: 200 });
  const before = await waitFor(async () => {
    const [requested, counted] = await embeddedTokens();
    expect(requested).toBeGreaterThan(0);
    expect(counted).toBe(requested);
    return requested;
  }, PATIENCE);
  await test.post('/v1/query', { context: 'where does the tea come from' });
  await waitFor(async () => {
    const [requested, counted] = await embeddedTokens();
    expect(requested).toBeGreaterThan(before);
    expect(counted).toBe(requested);
  }, PATIENCE);
  const [row] = await recorded('text-embedding-3-small');
  expect(row).toMatchObject({
    provider: 'openai',
    outputTokens: 0,
    sessionId: 'own-calls',
    factorId: '*/unknown:small',
  });
  expect(row!.totalCo2Grams).toBeGreaterThan(0);
});

it('records what the enrichment of rules cost', async () => {
  const answer = await test.post('/v1/project', { persona: 'host', domains: ['tea'], llm: true });
  expect(answer).toMatchObject({ status: 200, body: { warnings: [] } });
  expect(llm.requests.length).toBeGreaterThan(0);
  await waitFor(async () => expect(await recorded('claude-haiku-4-5')).toHaveLength(llm.requests.length), PATIENCE);
  for (const row of await recorded('claude-haiku-4-5')) {
    expect(row).toMatchObject({
      provider: 'anthropic',
      inputTokens: USAGE.input_tokens,
      outputTokens: USAGE.output_tokens,
      sessionId: 'own-calls',
      factorId: 'anthropic/claude-haiku',
    });
  }
});
