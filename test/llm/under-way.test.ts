import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type LlmKind, type LlmOptions, openLlm } from '../../src/backends/llm/open.js';
import type { Llm } from '../../src/backends/llm/port.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { openConfiguredLlm } from '../../src/compose/rules-out.js';
import { loadConfig } from '../../src/config.js';
import { LlmEnrichment } from '../../src/projection/enrich-llm.js';
import { TemplateEnricher } from '../../src/projection/enrich-template.js';
import { EnrichmentPipeline } from '../../src/projection/enrichment.js';
import { explicitRule } from '../projection/rules.js';
import { openService } from '../service/harness.js';
import { waitFor } from '../support/wait-for.js';
import { type LlmServer, replyTo, serveLlm, silence, status } from './llm-server.js';

let server: LlmServer;
let llm: Llm | undefined;
afterEach(async () => {
  await llm?.close();
  await server.close();
});

async function opened(kind: LlmKind, script: LlmServer['script'], options: Partial<LlmOptions> = {}): Promise<Llm> {
  server = await serveLlm(kind, script);
  llm = openLlm({ kind, model: 'm', url: server.url, ...options });
  return llm;
}

const rules = (count: number) =>
  Array.from({ length: count }, (_, i) => explicitRule({ id: `rule:${i}`, text: `Rule ${i}.` }));
const request = { system: 's', prompt: 'p' };

describe('requests under way', () => {
  it.each([1, 3])('are never more than %i at once, and all are answered', async (concurrency) => {
    const open: ServerResponse[] = [];
    let most = 0;
    const hold = (response: ServerResponse) => {
      open.push(response);
      most = Math.max(most, open.length);
    };
    const model = await opened('openai', [hold], { concurrency });
    const answers = Array.from({ length: 10 }, () => model.complete(request));
    for (let answered = 0; answered < 10; ) {
      // The server waits until as many as may be are there.
      const wanted = Math.min(concurrency, 10 - answered);
      await waitFor(() => expect(open.length).toBe(wanted), { timeout: 10_000, interval: 5 });
      replyTo(open.shift()!, 'openai', 'ok');
      answered += 1;
    }
    expect((await Promise.all(answers)).map(({ text }) => text)).toEqual(Array.from({ length: 10 }, () => 'ok'));
    expect(most).toBe(concurrency);
  });

  it('hold their place while they wait for a server that says when to come back', async () => {
    const asked: string[] = [];
    const step = (name: string, next: (response: ServerResponse) => void) => (response: ServerResponse) => {
      asked.push(`${name} ${server.prompts.at(-1)!.prompt}`);
      next(response);
    };
    const ok = (response: ServerResponse) => replyTo(response, 'openai', 'ok');
    const busy = status(429, {}, { 'retry-after': '1' });
    const model = await opened('openai', [step('busy', busy), step('answered', ok)], { concurrency: 1 });
    await Promise.all(['one', 'two'].map((prompt) => model.complete({ ...request, prompt })));
    expect(asked).toEqual(['busy one', 'answered one', 'answered two']);
  });
});

describe('members that not every model takes', () => {
  it.each([
    ['openai', 'max_completion_tokens', { model: 'm', max_completion_tokens: 2000 }],
    ['openai', 'none', { model: 'm' }],
    ['anthropic', 'none', { model: 'm', max_tokens: 2000 }],
    ['ollama', 'none', { model: 'm', options: { num_predict: 2000 }, stream: false }],
  ] as const)('stay out of requests where settings say so: %s, %s', async (kind, tokenLimit, expected) => {
    const model = await opened(kind, ['ok'], { sendTemperature: false, tokenLimit });
    await model.complete(request);
    const { messages, system, ...sent } = server.requests[0]!.body;
    expect([messages, system]).not.toEqual([undefined, undefined]);
    expect(sent).toEqual(expected);
  });

  it('follow SVC_LLM_SEND_TEMPERATURE and SVC_LLM_TOKEN_LIMIT', async () => {
    server = await serveLlm('openai', ['ok']);
    const environment = {
      SVC_LLM: 'openai',
      SVC_LLM_URL: server.url,
      SVC_LLM_MODEL: 'm',
      SVC_LLM_SEND_TEMPERATURE: 'off',
      SVC_LLM_TOKEN_LIMIT: 'max_completion_tokens',
    };
    const store = await openSqlite(':memory:');
    await openConfiguredLlm(loadConfig({ environment }), store)!.complete(request);
    expect(server.requests[0]!.body).toMatchObject({ max_completion_tokens: 2000 });
    expect(Object.keys(server.requests[0]!.body)).not.toContain('temperature');
    await store.close();
  });
});

describe('an enrichment backend', () => {
  it.each(['openai', 'anthropic', 'ollama'] as const)('takes a model and max_tokens of its own: %s', async (kind) => {
    const enrichment = new LlmEnrichment(await opened(kind, ['{"rules": []}']), { model: 'other', max_tokens: 77 });
    await enrichment.enrichBatch(rules(1), 'ops');
    const { body } = server.requests[0]!;
    expect(body.model).toBe('other');
    expect(kind === 'ollama' ? (body.options as { num_predict: number }).num_predict : body.max_tokens).toBe(77);
  });
});

describe('a projection that a model enriches', () => {
  it('hands the reason of a failed batch over, and goes on by templates', async () => {
    const failures: Array<[string, string]> = [];
    const pipeline = new EnrichmentPipeline(new TemplateEnricher(), {
      backend: new LlmEnrichment(await opened('openai', [status(400, { error: { message: 'no such model' } })])),
      onFailure: (error, domain) => failures.push([domain, (error as Error).message]),
    });
    expect(await pipeline.enrich(rules(2))).toHaveLength(2);
    expect(failures).toEqual([['ops', expect.stringContaining('no such model')]]);
  });

  it('ends when its caller goes, and asks and falls back no more', async () => {
    const stop = new AbortController();
    const backend = new LlmEnrichment(await opened('openai', [silence]), { signal: stop.signal });
    const pipeline = new EnrichmentPipeline(new TemplateEnricher(), { backend, batch: 1, signal: stop.signal });
    const enriched = pipeline.enrich(rules(5));
    await waitFor(() => expect(server.requests).toHaveLength(1), { timeout: 10_000 });
    stop.abort(new Error('gone'));
    await expect(enriched).rejects.toThrow('gone');
    expect(pipeline.stats).toEqual({ succeeded: 0, failed: 0 });
    expect(server.requests).toHaveLength(1);
  });

  it('says in its warnings why the model failed', async () => {
    server = await serveLlm('openai', [status(400, { error: { message: 'no such model' } })]);
    const test = await openService({ SVC_LLM: 'openai', SVC_LLM_MODEL: 'm', SVC_LLM_URL: server.url });
    const rule = { text: 'Rinse the filter.' };
    await test.post('/v1/ingest/structured', { domain: 'ops', concepts: [{ name: 'Filter' }], rules: [rule] });
    const { status: code, body } = await test.post('/v1/project', { persona: 'p', llm: true });
    expect([code, body.rule_count]).toEqual([200, 1]);
    expect(body.warnings).toEqual([
      expect.stringMatching(/^1 rule was enriched by templates, since the model failed: .*no such model/),
    ]);
    await test.close();
  }, 60_000);
});
