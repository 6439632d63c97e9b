import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openLlm } from '../../src/backends/llm/open.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { documentPassages, textDocument } from '../../src/ingest/document.js';
import { type ModelExtracted, ModelExtraction } from '../../src/ingest/extract/model/model-extraction.js';
import { type LlmServer, replyTo, serveLlm } from './llm-server.js';

interface Recorded {
  readonly title: string;
  readonly text: string;
  readonly answer: unknown;
  /** Counted by another program, from the passage and the answer alone. */
  readonly expected: Readonly<Record<'concepts' | 'edges' | 'malformed' | 'unknown_endpoint' | 'unquoted', number>>;
}

const RECORDED = readFileSync(join(import.meta.dirname, '../fixtures/musique/recorded-answers.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

const alike = (text: string) => text.replace(/\s+/g, ' ').trim();

describe('extraction from recorded answers', () => {
  let server: LlmServer;
  let store: Store;
  let extraction: ModelExtraction;
  const extracted: ModelExtracted[] = [];

  const passagesOf = async ({ title, text }: Recorded) =>
    documentPassages(await textDocument({ domain: 'musique', format: 'text', name: title, text }));

  beforeAll(async () => {
    server = await serveLlm('openai', [
      (response) => {
        const { prompt } = server.prompts.at(-1)!;
        const recorded = RECORDED.find(({ text }) => alike(prompt).includes(alike(text).slice(0, 150)));
        replyTo(response, 'openai', JSON.stringify(recorded?.answer));
      },
    ]);
    store = await openSqlite(':memory:');
    extraction = new ModelExtraction(openLlm({ kind: 'openai', model: 'recorded', url: server.url }), store, {
      minConfidence: 0.5,
      chunkChars: 100_000,
      maxTokens: 4000,
      concurrency: 4,
      price: { input: 1, output: 2 },
    });
    for (const recorded of RECORDED) extracted.push(await extraction.extract(await passagesOf(recorded)));
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await store.close();
  });

  it('asks once for each passage', () => {
    expect(RECORDED).toHaveLength(50);
    expect(server.requests).toHaveLength(50);
  });

  it('finds the concepts and edges that the answers and passages hold, and counts what it leaves out', () => {
    const found = extracted.map(({ concepts, edges, warnings }) => {
      const left = (reason: string) => Number(new RegExp(`(\\d+) ${reason}`).exec(warnings.join(' '))?.[1] ?? 0);
      return {
        concepts: concepts.length,
        edges: edges.length,
        malformed: left('that were malformed'),
        unknown_endpoint: left('that name a concept'),
        unquoted: left('whose quote'),
      };
    });
    expect(found).toEqual(RECORDED.map(({ expected }) => expected));
  });

  it('gives every edge evidence that the passage holds, between concepts that were extracted', () => {
    let edges = 0;
    for (const [i, { concepts, edges: found }] of extracted.entries()) {
      const names = new Set(concepts.map(({ name }) => name));
      const { title, text } = RECORDED[i]!;
      for (const { source, target, properties } of found) {
        edges += 1;
        expect(names).toContain(source);
        expect(names).toContain(target);
        expect(alike(`${title} ${text}`)).toContain(alike(String(properties?.evidence)));
      }
    }
    expect(edges).toBe(RECORDED.reduce((sum, { expected }) => sum + expected.edges, 0));
  });

  it('plans no call for what was answered before, and takes the kept answers', async () => {
    const passages = await passagesOf(RECORDED[0]!);
    const plan = await extraction.plan(passages);
    expect(plan).toEqual({ chunks: 1, cached: 1, calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 });
    const { edges } = await extraction.extract(passages);
    expect(edges).toEqual(extracted[0]!.edges);
    expect(server.requests).toHaveLength(50);
  });

  it('plans the requests to another model', async () => {
    const other = new ModelExtraction(openLlm({ kind: 'openai', model: 'other', url: server.url }), store, {
      minConfidence: 0.5,
      chunkChars: 100_000,
      maxTokens: 4000,
      concurrency: 4,
      price: { input: 1, output: 2 },
    });
    const plan = await other.plan(await passagesOf(RECORDED[0]!));
    expect(plan).toMatchObject({ chunks: 1, cached: 0, calls: 1 });
    // Within a factor of three of what was sent and answered, at four characters a token.
    const first = server.prompts[0]!;
    const sent = (first.system.length + first.prompt.length) / 4;
    const answered = JSON.stringify(RECORDED[0]!.answer).length / 4;
    expect(plan.input_tokens / sent).toBeGreaterThan(1 / 3);
    expect(plan.input_tokens / sent).toBeLessThan(3);
    expect(plan.output_tokens / answered).toBeGreaterThan(1 / 3);
    expect(plan.output_tokens / answered).toBeLessThan(3);
    expect(plan.cost_usd).toBeCloseTo((plan.input_tokens + 2 * plan.output_tokens) / 1e6, 9);
    expect(server.requests).toHaveLength(50);
  });
});
