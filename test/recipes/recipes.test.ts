import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stdioCommand } from '../mcp/connections.js';
import { startWorld, type World } from '../mcp/world.js';

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

  it('of Mastra lists the tools, or names what this installation lacks', async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const output = await run('mastra.ts', [world.a, KEY]);
    if (major < 22 || (major === 22 && minor < 13)) expect(output).toMatch(/^skipped: Mastra needs Node 22\.13, /);
    else if (!existsSync('node_modules/@mastra/mcp')) expect(output).toMatch(/^skipped: @mastra\/mcp is not installed/);
    else expect(output).toBe('34 tools\n');
  });
});
