import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openService, type TestService } from '../service/harness.js';
import { waitFor } from '../support/wait-for.js';
import { type LlmServer, replyTo, serveLlm, silence, status, USAGE } from './llm-server.js';

/** One section of the document for each way to behave; each is a chunk of its own. */
const TOPICS = {
  Prose: 'Prosium',
  Truncated: 'Truncite',
  Wrong: 'Wrongium',
  Mended: 'Mendium',
  Busy: 'Busyite',
  Broken: 'Brokium',
  Silent: 'Silentium',
  Late: 'Lateium',
  Good: 'Goodium',
} as const;
type Topic = keyof typeof TOPICS;

const sentence = (name: string) => `${name} uses Basalt in every mine of the northern province.`;
const section = (topic: Topic) =>
  `# ${topic}\n\n${sentence(TOPICS[topic])} ${'The miners write down what they find each day of the year. '.repeat(5)}`;

function answerFor(name: string): string {
  return JSON.stringify({
    concepts: [
      { name, type: 'product', description: `${name} is dug in the north.` },
      { name: 'Basalt', type: 'concept' },
    ],
    relations: [{ source: name, relation: 'uses', target: 'Basalt', quote: sentence(name), confidence: 0.9 }],
    rules: [],
  });
}

type Step = (response: ServerResponse, attempts: number) => void;

describe('a language model server that behaves badly', () => {
  let server: LlmServer;
  let test: TestService;
  let directory: string;
  /** Requests by topic. */
  const attempts = new Map<Topic, number>();
  let answered = 0;
  // biome-ignore lint/suspicious/noExplicitAny: the answer of a route
  let body: any;

  beforeAll(async () => {
    const reply = (text: string) => (response: ServerResponse) => {
      answered += 1;
      replyTo(response, 'openai', text);
    };
    const behaviour: Record<Topic, Step> = {
      Prose: reply(`Sure! Here is the JSON:\n\n${answerFor('Prosium')}\n\nI hope that helps.`),
      Truncated: reply(answerFor('Truncite').replace(/,"confidence".*$/, '')),
      Wrong: reply('{"entities": ["Wrongium"], "triples": []}'),
      Mended: (response, times) => reply(times === 1 ? '{"answer": 42}' : answerFor('Mendium'))(response),
      Busy: (response, times) =>
        times === 1 ? status(429, {}, { 'retry-after': '0' })(response) : reply(answerFor('Busyite'))(response),
      Broken: status(500),
      Silent: silence,
      Late: (response) => {
        setTimeout(() => response.end('{}'), 20_000).unref();
      },
      Good: reply(answerFor('Goodium')),
    };
    server = await serveLlm('openai', [
      (response) => {
        const { prompt } = server.prompts.at(-1)!;
        const topic = (Object.keys(TOPICS) as Topic[]).find((one) => prompt.includes(TOPICS[one]))!;
        attempts.set(topic, (attempts.get(topic) ?? 0) + 1);
        behaviour[topic](response, attempts.get(topic)!);
      },
    ]);
    directory = mkdtempSync(join(tmpdir(), 'llm-'));
    const config = join(directory, 'config.yaml');
    writeFileSync(
      config,
      'llm: { attempts: 2, timeout_seconds: 1, input_price: 2, output_price: 4, extraction: { chunk_chars: 500 } }\n',
    );
    test = await openService({
      SVC_CONFIG: config,
      SVC_LLM: 'openai',
      SVC_LLM_MODEL: 'bad-model',
      SVC_LLM_URL: server.url,
      SVC_LLM_KEY: 'secret-key',
    });
    // As `svc serve` does: the first call must not wait for the tables.
    test.service.gateway.prepare();
    const text = (Object.keys(TOPICS) as Topic[]).map(section).join('\n\n');
    const answer = await test.post('/v1/ingest/text', { text, domain: 'mines', name: 'mines', format: 'markdown' });
    expect(answer.status).toBe(200);
    body = answer.body;
  }, 60_000);
  afterAll(async () => {
    await test.close();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('costs one warning for each chunk that got no usable answer, and never the ingest', () => {
    const failed = body.warnings.filter((warning: string) => warning.includes('was read without the model'));
    expect(failed).toHaveLength(4);
    expect(failed[0]).toMatch(
      /^Chunk 3 \("Wrong"\) was read without the model: .*did not answer with the requested JSON/,
    );
    expect(failed[1]).toMatch(/^Chunk 6 \("Broken"\) .*overloaded or failing \(500/);
    expect(failed[2]).toMatch(/^Chunk 7 \("Silent"\) .*did not answer within 1 s/);
    expect(failed[3]).toMatch(/^Chunk 8 \("Late"\) .*did not answer within 1 s/);
    expect(JSON.stringify(body.warnings)).not.toContain('secret-key');
  });

  it('takes the relations of the good answers from the model, those of the bad ones from the text', async () => {
    const edges = await test.service.graph.getEdges({ domain: 'mines' });
    const names = new Map((await test.service.graph.findNodes({ domain: 'mines' })).map(({ id, name }) => [id, name]));
    const found = new Map(edges.map((edge) => [names.get(edge.source_id), edge]));
    for (const [topic, name] of Object.entries(TOPICS)) {
      expect([topic, found.get(name)?.relation_type]).toEqual([topic, 'USES']);
      const withoutModel = ['Wrong', 'Broken', 'Silent', 'Late'].includes(topic);
      // The truncated answer was cut off before its confidence.
      const confidence = withoutModel ? 0.6 : topic === 'Truncated' ? 0.8 : 0.9;
      expect([topic, found.get(name)?.confidence]).toEqual([topic, confidence]);
      expect(found.get(name)?.properties.evidence).toBe(sentence(name));
    }
  });

  it('asks again where that may help, and no more often than configured', () => {
    expect(Object.fromEntries(attempts)).toEqual({
      Prose: 1,
      Truncated: 1,
      Wrong: 2,
      Mended: 2,
      Busy: 2,
      Broken: 2,
      Silent: 1,
      Late: 1,
      Good: 1,
    });
  });

  it('counts the tokens of every answer in the emissions module, with their cost', async () => {
    expect(answered).toBe(8);
    const calls = await waitFor(async () => {
      const traces = (await test.get('/__gateway__/api/green/traces?limit=100')).body.traces;
      expect(traces).toHaveLength(answered);
      return traces;
    });
    const sum = (member: string) =>
      calls.reduce((total: number, call: Record<string, number>) => total + call[member]!, 0);
    expect(sum('inputTokens')).toBe(answered * USAGE.input_tokens);
    expect(sum('outputTokens')).toBe(answered * USAGE.output_tokens);
    const cost = (2 * USAGE.input_tokens + 4 * USAGE.output_tokens) / 1e6;
    expect(sum('costUsd')).toBeCloseTo(answered * cost, 12);
  });

  it('asks for the failed chunks alone when the document comes again, and for nothing once it is whole', async () => {
    const text = (Object.keys(TOPICS) as Topic[]).map(section).join('\n\n');
    const input = { text, domain: 'mines', name: 'mines', format: 'markdown' };
    const before = server.requests.length;
    const again = await test.post('/v1/ingest/text', input);
    expect(again.body.warnings.filter((warning: string) => warning.includes('without the model'))).toHaveLength(4);
    const topics = server.prompts.slice(before).map(({ prompt }) => /# ?|(\w+)\n\n/.exec(prompt)?.[1]);
    expect(new Set(topics)).toEqual(new Set(['Wrong', 'Broken', 'Silent', 'Late']));
    server.script = [
      (response) => {
        const { prompt } = server.prompts.at(-1)!;
        replyTo(response, 'openai', answerFor(Object.values(TOPICS).find((name) => prompt.includes(name))!));
      },
    ];
    expect((await test.post('/v1/ingest/text', input)).body.warnings).toEqual([]);
    const whole = server.requests.length;
    expect((await test.post('/v1/ingest/text', input)).body.unchanged).toBe(true);
    expect(server.requests).toHaveLength(whole);
  });
});

describe('a language model that does not answer', () => {
  it('is not called for ever: the rest is read without it, with one warning', async () => {
    const server = await serveLlm('openai', [status(401)]);
    const test = await openService({ SVC_LLM: 'openai', SVC_LLM_MODEL: 'm', SVC_LLM_URL: server.url });
    try {
      const text = Array.from({ length: 60 }, (_, i) => `# Part ${i}\n\n${`Stone ${i} uses Basalt. `.repeat(80)}`).join(
        '\n\n',
      );
      const { body } = await test.post('/v1/ingest/text', { text, domain: 'd', name: 'long', format: 'markdown' });
      expect(body.passages).toBe(60);
      expect(server.requests.length).toBeLessThan(12);
      expect(body.warnings.at(-1)).toMatch(/failed 5 times in a row; \d+ more chunks were read without it/);
    } finally {
      await test.close();
      await server.close();
    }
  }, 30_000);
});
