import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type LlmKind, openLlm } from '../../src/backends/llm/open.js';
import { structured, UnusableAnswer } from '../../src/backends/llm/structured-output.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { LlmEnrichment } from '../../src/projection/enrich-llm.js';
import { TemplateEnricher } from '../../src/projection/enrich-template.js';
import { EnrichmentPipeline } from '../../src/projection/enrichment.js';
import { explicitRule } from '../projection/rules.js';
import { type LlmServer, replyTo, serveLlm, silence, status, USAGE } from './llm-server.js';

const KINDS: LlmKind[] = ['openai', 'anthropic', 'ollama'];
const validate = new Ajv2020().compile<{ name: string }>({
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' } },
});
const request = { system: 'Answer in JSON.', prompt: 'Name?' };

let server: LlmServer;
afterEach(() => server?.close());

async function opened(
  kind: LlmKind,
  script: LlmServer['script'],
  options: { timeout?: number; attempts?: number } = {},
) {
  server = await serveLlm(kind, script);
  return openLlm({ kind, model: 'test-model', url: server.url, key: 'secret-key', ...options });
}

describe.each(KINDS)('a language model by %s', (kind) => {
  it('answers with text and tokens, and gets model, prompt and key', async () => {
    const llm = await opened(kind, ['Hello.']);
    expect(await llm.complete(request)).toEqual({ text: 'Hello.', usage: USAGE });
    const [sent] = server.requests;
    expect(sent!.path).toBe({ openai: '/v1/chat/completions', anthropic: '/v1/messages', ollama: '/api/chat' }[kind]);
    expect(sent!.body.model).toBe('test-model');
    expect(JSON.stringify(sent!.body)).toContain('Name?');
    expect(kind === 'anthropic' ? sent!.headers['x-api-key'] : sent!.headers.authorization).toBe(
      kind === 'anthropic' ? 'secret-key' : 'Bearer secret-key',
    );
  });

  it('waits as long as the server says on 429, and continues after 500', async () => {
    const llm = await opened(kind, [status(429, {}, { 'retry-after': '0' }), status(500), 'Hello.']);
    expect((await llm.complete(request)).text).toBe('Hello.');
    expect(server.requests).toHaveLength(3);
  });

  it('gives up on silence, and names the server but not the key', async () => {
    const llm = await opened(kind, [silence], { timeout: 100 });
    const error = await llm.complete(request).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'unavailable', retriable: true });
    expect(String(error)).toMatch(/language model server at 127\.0\.0\.1:\d+ did not answer within 0.1 s/);
    expect(String(error)).not.toContain('secret-key');
  });

  it('says that the answer has another shape', async () => {
    const llm = await opened(kind, [status(200, { surprise: true })]);
    await expect(llm.complete(request)).rejects.toThrow(`in a shape that ${kind} does not have`);
  });

  it('stops when the caller does', async () => {
    const llm = await opened(kind, [silence]);
    const stop = new AbortController();
    const answer = llm.complete({ ...request, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });
});

describe('a server that says when to come back', () => {
  it.each([
    ['in seconds', '3600'],
    ['as a date', new Date(Date.now() + 3_600_000).toUTCString()],
  ])('is not asked again before that: %s beyond the longest wait', async (_name, retryAfter) => {
    const llm = await opened('openai', [status(429, { error: { message: 'quota' } }, { 'retry-after': retryAfter })]);
    await expect(llm.complete(request)).rejects.toMatchObject({
      code: 'unavailable',
      retriable: true,
      message: expect.stringMatching(/is overloaded \(429: quota\); try again in 3\d{3} s, as it asks\.$/),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('gets the next request after the seconds that it asks for', async () => {
    const asked: number[] = [];
    const noted = (step: (response: ServerResponse) => void) => (response: ServerResponse) => {
      asked.push(performance.now());
      step(response);
    };
    const llm = await opened('openai', [
      noted(status(429, {}, { 'retry-after': '1' })),
      noted((response) => replyTo(response, 'openai', 'Hello.')),
    ]);
    expect((await llm.complete(request)).text).toBe('Hello.');
    // Without the header it would be 250 ms; a busy machine only makes it longer.
    expect(asked[1]! - asked[0]!).toBeGreaterThan(900);
  });
});

describe('the address of a language model', () => {
  it.each([
    ['/', '/v1/chat/completions'],
    ['/v1', '/v1/chat/completions'],
    ['/proxy/v1/', '/proxy/v1/chat/completions'],
    ['/v1/chat/completions', '/v1/chat/completions'],
    ['/v1beta/openai', '/v1beta/openai/chat/completions'],
    ['/api/paas/v4/', '/api/paas/v4/chat/completions'],
    ['/inference/chat/completions', '/inference/chat/completions'],
    ['/deployments/d?api-version=1', '/deployments/d/chat/completions?api-version=1'],
  ])('may hold %s', async (path, sent) => {
    server = await serveLlm('openai', ['ok']);
    await openLlm({ kind: 'openai', model: 'm', url: server.url + path }).complete(request);
    expect(server.requests[0]!.path).toBe(sent);
  });

  it.each([
    ['anthropic', '/v1', '/v1/messages'],
    ['anthropic', '/api/anthropic', '/api/anthropic/v1/messages'],
    ['anthropic', '/proxy/messages', '/proxy/messages'],
    ['ollama', '/api', '/api/chat'],
    ['ollama', '/proxy', '/proxy/api/chat'],
    ['ollama', '/proxy/api/chat', '/proxy/api/chat'],
  ] as const)('of %s may hold %s', async (kind, path, sent) => {
    server = await serveLlm(kind, ['ok']);
    await openLlm({ kind, model: 'm', url: server.url + path }).complete(request);
    expect(server.requests[0]!.path).toBe(sent);
  });

  it.each(['ftp://x', 'not an address', 'http://user:pass@host'])('is refused: %s', (url) => {
    expect(() => openLlm({ kind: 'openai', model: 'm', url })).toThrow(/^SVC_LLM_URL must/);
  });
});

describe('structured output', () => {
  it.each([
    ['plain JSON', '{"name": "Ada"}'],
    ['prose around it', 'Sure! Here you are:\n{"name": "Ada"}\nAnything else?'],
    ['a code fence', '```json\n{"name": "Ada"}\n```'],
    ['trailing commas and single quotes', "{'name': 'Ada',}"],
    ['a cut-off end', '{"name": "Ada'],
  ])('reads %s', async (_name, text) => {
    const llm = await opened('openai', [text]);
    expect(await structured(llm, request, validate)).toEqual({ value: { name: 'Ada' }, usage: USAGE, attempts: 1 });
  });

  it('asks once more where the schema does not fit, says why, and counts both', async () => {
    const llm = await opened('openai', ['{"name": 7}', '{"name": "Ada"}']);
    expect(await structured(llm, request, validate)).toEqual({
      value: { name: 'Ada' },
      usage: { input_tokens: 22, output_tokens: 14 },
      attempts: 2,
    });
    expect(JSON.stringify(server.requests[1]!.body)).toContain('/name must be string');
  });

  it('gives up after the second useless answer, with what both cost', async () => {
    const llm = await opened('openai', ['I would rather not.']);
    const error = await structured(llm, request, validate).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnusableAnswer);
    expect(error).toMatchObject({ code: 'unavailable', usage: { input_tokens: 22, output_tokens: 14 } });
  });
});

describe('enrichment by a language model', () => {
  const rules = [explicitRule({ text: 'Rinse the filter.' }), explicitRule({ text: 'Never run the pump dry.' })];

  it('fills in what the rules lack', async () => {
    const llm = await opened('ollama', [
      JSON.stringify({
        rules: [
          { number: 2, context: 'Before start.', tags: ['Pump'] },
          { number: 1, rationale: 'Dust.' },
        ],
      }),
    ]);
    expect(await new LlmEnrichment(llm).enrichBatch(rules, 'ops')).toEqual([
      { rule: rules[0], rationale: 'Dust.', tags: ['ops', 'general'] },
      { rule: rules[1], context: 'Before start.', tags: ['ops', 'general', 'pump'] },
    ]);
  });

  it('keeps answers by content: the same rules are asked for once', async () => {
    const store = await openSqlite(':memory:');
    const llm = await opened('openai', ['{"rules": [{"number": 1, "context": "Always."}]}']);
    const enrichment = new LlmEnrichment(llm, { store });
    const rules = [explicitRule({ text: 'Rinse the filter.' })];
    const first = await enrichment.enrichBatch(rules, 'ops');
    expect(await enrichment.enrichBatch(rules, 'ops')).toEqual(first);
    expect(server.requests).toHaveLength(1);
    await enrichment.enrichBatch(rules, 'other');
    expect(server.requests).toHaveLength(2);
    await store.close();
  });

  it('leaves the batch to the templates where the model fails', async () => {
    const llm = await opened('ollama', [status(400)]);
    const pipeline = new EnrichmentPipeline(new TemplateEnricher(), { backend: new LlmEnrichment(llm) });
    expect(await pipeline.enrich(rules)).toHaveLength(2);
    expect(pipeline.stats).toEqual({ succeeded: 0, failed: 2 });
  });
});
