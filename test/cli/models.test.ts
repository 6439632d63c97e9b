import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LlmServer, serveLlm } from '../llm/llm-server.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
const ANSWER = JSON.stringify({
  concepts: [
    { name: 'IMU', type: 'organisation' },
    { name: 'International Mining Union', type: 'organisation', description: 'A union of miners.' },
    { name: 'Helm', type: 'place' },
  ],
  relations: [
    { source: 'International Mining Union', relation: 'meets in', target: 'Helm', quote: 'Union (IMU) meets in Helm.' },
    { source: 'IMU', relation: 'pays', target: 'Helm', quote: 'The IMU pays Helm.' },
  ],
  rules: [],
});
let server: LlmServer;
let file: string;

/** Titles of the columns of the first table of an output. */
const titles = (output: string) =>
  output
    .split('\n')
    .find((line) => line.includes('File'))!
    .split('│')
    .slice(1, -1)
    .map((title) => title.trim());

beforeAll(async () => {
  server = await serveLlm('ollama', [ANSWER]);
  const documents = temporaryDirectory();
  file = join(documents, 'union.txt');
  writeFileSync(file, 'The International Mining Union (IMU) meets in Helm. The IMU pays Helm.\n');
  Object.assign(process.env, {
    SVC_DATA_DIR: temporaryDirectory(),
    SVC_EMBEDDING: 'none',
    SVC_INGEST_ROOTS: documents,
    SVC_LLM: 'ollama',
    SVC_LLM_MODEL: 'tiny',
    SVC_LLM_URL: server.url,
  });
});
afterAll(async () => {
  process.env = before;
  await server.close();
  await cleanUp();
});

describe('the command line with a language model', () => {
  it('tells calls and tokens before an ingest, and asks nothing', async () => {
    const human = await svc('ingest', file, '--domain', 'unions', '--dry-run');
    expect([human.code, human.stderr]).toEqual([0, '']);
    expect(human.stdout).toMatch(/ollama-tiny: 1 calls \(0 cached\), about \d+ tokens in and \d+ out\./);
    expect(titles(human.stdout)).toEqual(['File', 'Passages', 'Chunks', 'Cached', 'Calls', 'Tokens in', 'Tokens out']);
    const { totals, files } = await svcJson('ingest', file, '--domain', 'unions', '--dry-run');
    expect(totals).toMatchObject({ model: 'ollama-tiny', calls: 1, cached: 0, cost_usd: null });
    expect(files[0].plan).toMatchObject({ passages: 1, chunks: 1, unchanged: false });
    expect(server.requests).toHaveLength(0);
    expect((await svcJson('documents')).documents).toEqual([]);
  });

  it('tells the cost of each file where prices are set', async () => {
    const config = join(temporaryDirectory(), 'config.yaml');
    writeFileSync(config, 'llm: { input_price: 1000, output_price: 2000 }\n');
    process.env.SVC_CONFIG = config;
    try {
      const { stdout } = await svc('ingest', file, '--domain', 'unions', '--dry-run');
      expect(titles(stdout).at(-1)).toBe('Cost');
      const { totals } = await svcJson('ingest', file, '--domain', 'unions', '--dry-run');
      const cost = `$${((totals.input_tokens * 1000 + totals.output_tokens * 2000) / 1e6).toFixed(4)}`;
      expect(stdout.split(cost)).toHaveLength(3);
    } finally {
      delete process.env.SVC_CONFIG;
    }
  });

  it('ingests by the model, and plans nothing for what is unchanged', async () => {
    const { files } = await svcJson('ingest', file, '--domain', 'unions');
    // Three concepts, and the name that the passage opens with, article and all.
    expect(files[0].result).toMatchObject({ concepts: 4, edges: 2, warnings: [] });
    const { totals } = await svcJson('ingest', file, '--domain', 'unions', '--dry-run');
    expect(totals).toMatchObject({ calls: 0, cost_usd: null });
    const { stdout } = await svc('ingest', file, '--domain', 'unions', '--dry-run');
    expect(titles(stdout).at(-1)).toBe('State');
    expect(stdout).toMatch(/unchanged/);
    expect(stdout).not.toContain('$');
  });

  it('resolves, lists and undoes merges', async () => {
    const { merges } = await svcJson('entities', 'resolve', 'unions');
    expect(merges).toMatchObject([{ from_name: 'IMU', into_name: 'International Mining Union', method: 'acronym' }]);
    const listed = await svc('entities', 'merges', '--domain', 'unions');
    expect(listed.stdout).toContain(merges[0].merge_id);
    const shown = await svcJson('entities', 'undo', merges[0].merge_id, '--dry-run');
    expect(shown).toMatchObject({ status: 'dry_run', merge_id: merges[0].merge_id, undone_at: null });
    const undone = await svcJson('entities', 'undo', merges[0].merge_id);
    expect(undone.undone_at).not.toBeNull();
    expect(await svcJson('entities', 'undo', merges[0].merge_id)).toEqual(undone);
    expect((await svcJson('entities', 'resolve', 'unions')).merges).toEqual([]);
  });
});
