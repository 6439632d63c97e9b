import { afterEach, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RouteRow } from '../../src/server/routes/row.js';
import { variantA } from '../../src/server/routes/variant-a.js';
import { variantB } from '../../src/server/routes/variant-b.js';
import { vectorRows } from '../../src/server/routes/vectors.js';
import { cleanUp, end, finished, firstLine, startSvc, temporaryDirectory } from '../cli/processes.js';
import { serveLlm, status } from '../llm/llm-server.js';
import { collector } from './collector.js';
import { CONNECTION, PLANTED, plantedInput } from './planted.js';

afterEach(cleanUp);

it('writes no planted secret into the log and the spans of a whole run, at its most talkative', async () => {
  const received = await collector();
  // A server that quotes what it was sent in its errors, as some do.
  const llm = await serveLlm('openai', [
    `{"concepts": [{"name": "${PLANTED.answer}"}], "relations": [], "rules": [{"text": "${PLANTED.rule}"}]}`,
    status(400, { error: { message: `cannot read ${PLANTED.prompt} ${PLANTED.document}` } }),
  ]);
  const directory = temporaryDirectory();
  const server = startSvc(['serve', '--variant', 'all', '--port', '0', '--port-b', '0', '--json'], {
    SVC_DATA_DIR: directory,
    SVC_LOG_LEVEL: 'trace',
    SVC_API_KEYS: PLANTED.apiKey,
    SVC_HMAC_SECRET: PLANTED.hmac,
    SVC_EMBEDDING: 'none',
    SVC_LEARNING_URL: `http://user:${PLANTED.learningPassword}@127.0.0.1:9`,
    SVC_LEARNING_KEY: PLANTED.learningKey,
    SVC_LLM: 'openai',
    SVC_LLM_URL: llm.url,
    SVC_LLM_MODEL: 'm',
    SVC_LLM_KEY: PLANTED.llmKey,
    // Below a span every line carries its trace.
    OTEL_EXPORTER_OTLP_ENDPOINT: received.url,
  });
  let log = '';
  server.stderr!.on('data', (chunk) => {
    log += String(chunk);
  });
  const { a: url, b } = JSON.parse(await firstLine(server)) as { a: string; b: string };
  const call = async (path: string, body: unknown, key: string = PLANTED.apiKey) => {
    const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
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
  await call('/v1/sources/connect', { source_id: 'shop', connection_string: CONNECTION });
  await everyRow(url, [...variantA, ...vectorRows], call);
  await everyRow(b, variantB, call);
  await uploads(url, b);
  await everyTool(url);
  // A command forwards to the service; what it prints itself is for its caller.
  const command = startSvc(['query', PLANTED.question, '--data-dir', directory, '--json']);
  expect((await finished(command)).stderr).not.toContain(PLANTED.question);
  expect(await call('/v1/query', { context: PLANTED.question }, PLANTED.wrongKey)).toBe(401);
  await end(server);
  await llm.close();
  received.close();
  expect(llm.requests.length).toBeGreaterThan(1);
  const spans = JSON.stringify(received.spans);
  for (const name of ['operation query', 'llm complete', 'operation source_connect', 'store write']) {
    expect(spans).toContain(`"${name}"`);
  }
  for (const [what, secret] of Object.entries(PLANTED)) expect([what, spans.includes(secret)]).toEqual([what, false]);
  const requests = log.split('\n').filter((line) => line.includes('"path":"/v1/query"'));
  expect(requests.length).toBeGreaterThanOrEqual(4);
  for (const line of requests)
    expect(JSON.parse(line)).toMatchObject({ trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  for (const [what, secret] of Object.entries(PLANTED)) expect([what, log.includes(secret)]).toEqual([what, false]);
}, 300_000);

type Call = (path: string, body: unknown) => Promise<number>;

/** Each route that takes a body, with planted texts in every member: most answer 400, and none a secret. */
async function everyRow(base: string, rows: readonly RouteRow[], call: Call): Promise<void> {
  for (const { method, path, operation } of rows) {
    if (method !== 'POST' || /delete|reindex|migrate|reset/.test(path)) continue;
    const address = `${base}${path.replace(/\{\w+\}/g, 'x')}?note=${PLANTED.queryString}`;
    const status = await call(address, plantedInput(operation.input));
    expect([path, status]).not.toEqual([path, 500]);
    await call(address, `{"text": "${PLANTED.document}`);
  }
}

/** The same through the tools. */
async function everyTool(base: string): Promise<void> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${PLANTED.apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit }) as never);
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(30);
  for (const { name, inputSchema } of tools) {
    if (/delete|reindex|migrate|reset/.test(name)) continue;
    await client.callTool({ name, arguments: plantedInput(inputSchema as never) }).catch(() => undefined);
  }
  await client.callTool({ name: 'svc_query', arguments: { context: PLANTED.question } });
  await client.close();
}

/** Files that parse, and files that do not, as uploads and as jobs. */
async function uploads(a: string, b: string): Promise<void> {
  for (const [address, member] of [
    [`${b}/api/v1/ingest`, 'file'],
    [`${a}/v1/jobs/ingest`, 'files'],
  ] as const) {
    for (const name of ['note.md', 'broken.pdf', 'broken.docx']) {
      const form = new FormData();
      form.set('domain', 'd');
      form.set(member, new Blob([`# ${PLANTED.upload}\n\nYou must ${PLANTED.rule}.`]), name);
      const headers = { Authorization: `Bearer ${PLANTED.apiKey}` };
      await (await fetch(address, { method: 'POST', headers, body: form })).arrayBuffer();
    }
  }
}
