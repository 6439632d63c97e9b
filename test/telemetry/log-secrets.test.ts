import { afterEach, expect, it } from '@jest/globals';
import { cleanUp, end, firstLine, start, temporaryDirectory } from '../cli/processes.js';

afterEach(cleanUp);

/** What must never stand in a log: keys, passwords in addresses, texts of documents, questions and rules. */
const PLANTED = {
  apiKey: 'planted-api-key-7f3a',
  wrongKey: 'planted-wrong-key-91bc',
  hmac: 'planted-hmac-secret-5d20',
  learningKey: 'planted-learning-key-33aa',
  learningPassword: 'planted-learning-password',
  document: 'planteddocumentword',
  question: 'plantedquestionword',
  rule: 'plantedruleword',
  reason: 'plantedreasonword',
  prompt: 'plantedpromptword',
  queryString: 'plantedquerystring',
} as const;

it('writes no planted secret into the log of a whole run, at its most talkative', async () => {
  const server = start('src/cli/main.ts', ['serve', '--variant', 'a', '--port', '0', '--json'], {
    SVC_DATA_DIR: temporaryDirectory(),
    SVC_LOG_LEVEL: 'trace',
    SVC_API_KEYS: PLANTED.apiKey,
    SVC_HMAC_SECRET: PLANTED.hmac,
    SVC_EMBEDDING: 'none',
    SVC_LEARNING_URL: `http://user:${PLANTED.learningPassword}@127.0.0.1:9`,
    SVC_LEARNING_KEY: PLANTED.learningKey,
    // Below a span every line carries its trace; nobody listens there.
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  });
  let log = '';
  server.stderr!.on('data', (chunk) => {
    log += String(chunk);
  });
  const url = (JSON.parse(await firstLine(server)) as { a: string }).a;
  const call = async (path: string, body: unknown, key: string = PLANTED.apiKey) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const text = `# ${PLANTED.document}\n\nYou must ${PLANTED.rule} before you ship.`;
  await call('/v1/ingest/text', { text, domain: 'd', name: 'n' });
  await call('/v1/ingest/structured', {
    domain: 'd',
    concepts: [{ name: 'A', description: PLANTED.document }],
    edges: [],
  });
  await call('/v1/ingest/message', { text: PLANTED.document, session_id: 's', role: 'user', domain: 'd' });
  await call(`/v1/query?note=${PLANTED.queryString}`, { context: PLANTED.question });
  await call('/v1/query', { context: PLANTED.question, top_k: 'many' });
  await call('/v1/query', `{"context": "${PLANTED.question}`);
  await call('/v1/rules', { domains: ['d'] });
  await call('/v1/feedback', { query_id: PLANTED.question, outcomes: { a: 'accepted' } });
  await call('/__gateway__/api/learning/reward', { arm_id: 'a', reason: PLANTED.reason });
  await call('/v1/traces', {
    resourceSpans: [
      {
        scopeSpans: [
          { spans: [{ traceId: 'x', attributes: [{ key: 'gen_ai.prompt', value: { stringValue: PLANTED.prompt } }] }] },
        ],
      },
    ],
  });
  expect(await call('/v1/query', { context: PLANTED.question }, PLANTED.wrongKey)).toBe(401);
  await end(server);
  const requests = log.split('\n').filter((line) => line.includes('"path":"/v1/query"'));
  expect(requests.length).toBe(4);
  for (const line of requests)
    expect(JSON.parse(line)).toMatchObject({ trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  for (const [what, secret] of Object.entries(PLANTED)) expect([what, log.includes(secret)]).toEqual([what, false]);
}, 120_000);
