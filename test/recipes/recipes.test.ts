import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stdioCommand } from '../mcp/connections.js';
import { startWorld, type World } from '../mcp/world.js';

interface Trace {
  readonly model: string;
  readonly timestamp: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
}

/** What the providers' usage APIs answer, grouped by model, and OpenAI's by batch too. */
const OPENAI_RESULT = { object: 'organization.usage.completions.result', model: 'gpt-4o-mini-2024-07-18' };
const USAGE = {
  'openai.json': {
    object: 'page',
    data: [
      {
        object: 'bucket',
        start_time: 1_730_419_200,
        end_time: 1_730_505_600,
        results: [
          { ...OPENAI_RESULT, input_tokens: 141_201, input_cached_tokens: 2000, output_tokens: 9756, batch: false },
          { ...OPENAI_RESULT, input_tokens: 1000, output_tokens: 10, batch: true },
        ],
      },
    ],
  },
  'anthropic.json': [
    {
      data: [
        {
          starting_at: '2025-08-01T00:00:00Z',
          ending_at: '2025-08-02T00:00:00Z',
          results: [
            {
              uncached_input_tokens: 1500,
              cache_creation: { ephemeral_1h_input_tokens: 1000, ephemeral_5m_input_tokens: 500 },
              cache_read_input_tokens: 200,
              output_tokens: 500,
              server_tool_use: { web_search_requests: 10 },
              model: 'claude-sonnet-4-20250514',
            },
          ],
        },
      ],
    },
  ],
};

const KEY = 'recipe-key';
let world: World;
beforeAll(async () => {
  world = await startWorld({ SVC_API_KEYS: KEY });
});
afterAll(() => world?.close());

/** Runs a recipe as its reader would; returns what it prints. */
async function run(file: string, args: string[], environment: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', `docs/recipes/${file}`, ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, problems]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0)
    throw new Error(`${file} ended with ${String(code)}: ${Buffer.concat(problems).toString().slice(-2000)}`);
  return Buffer.concat(output).toString();
}

describe('the recipe', () => {
  it('of an agent on stdio ingests, asks and rates', async () => {
    const { command, args, env } = stdioCommand(world.dataDirectory);
    const output = await run('stdio-agent.ts', [command, ...args], env);
    expect(output).toContain('Redis answers reads of the shop');
    expect(output).toContain('Rule: Always set a time to live on cache entries.');
  });

  it('of an agent over HTTP with a key selects and observes', async () => {
    expect(await run('http-agent.ts', [world.a, KEY])).toBe('34 tools\nselected short\n');
  });

  it('of the library in process finds what it added', async () => {
    expect(await run('in-process.ts', [])).toBe(
      'Where are product pages cached?\nRedis is an in-memory store. The shop caches product pages in it.\n',
    );
  });

  it('of LangChain.js searches a named index with a filter', async () => {
    expect(await run('langchain.ts', [world.a, KEY])).toBe('Black tea steeps for four minutes.\n');
  });

  it('of usage exports makes rows of them that count once, cached tokens apart', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'svc-usage-'));
    const rows: string[] = [];
    for (const [name, pages] of Object.entries(USAGE)) {
      writeFileSync(join(directory, name), JSON.stringify(pages));
      rows.push(await run('usage-exports.ts', [join(directory, name), 'us-east-1']));
    }
    rmSync(directory, { recursive: true });
    const base = `${world.a}/__gateway__/api/green`;
    const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/x-ndjson' };
    const send = async () => (await fetch(`${base}/ingest`, { method: 'POST', headers, body: rows.join('') })).json();
    expect(await send()).toEqual({ accepted: 3, duplicates: 0 });
    expect(await send()).toEqual({ accepted: 0, duplicates: 3 });
    const { traces } = (await (await fetch(`${base}/traces`, { headers })).json()) as { traces: Trace[] };
    const counts = traces.map((trace) => [trace.model, trace.inputTokens, trace.outputTokens, trace.cacheReadTokens]);
    expect(counts.sort()).toEqual([
      ['claude-sonnet-4-20250514', 3000, 500, 200],
      ['gpt-4o-mini-2024-07-18', 1000, 10, 0],
      ['gpt-4o-mini-2024-07-18', 139_201, 9756, 2000],
    ]);
    expect(traces.map(({ timestamp }) => new Date(timestamp).toISOString().slice(0, 10)).sort()).toEqual([
      '2024-11-01',
      '2024-11-01',
      '2025-08-01',
    ]);
  });

  it('of Mastra lists the tools, or names what this installation lacks', async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const output = await run('mastra.ts', [world.a, KEY]);
    if (major < 22 || (major === 22 && minor < 13)) expect(output).toMatch(/^skipped: Mastra needs Node 22\.13, /);
    else if (!existsSync('node_modules/@mastra/mcp')) expect(output).toMatch(/^skipped: @mastra\/mcp is not installed/);
    else expect(output).toBe('34 tools\n');
  });
});
