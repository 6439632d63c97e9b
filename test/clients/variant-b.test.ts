import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWorld, type World } from '../mcp/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

it('a client of variant B in Python builds its dataclasses of every answer', async () => {
  const child = spawn('python3', ['test/clients/variant-b.py', world.b], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, problems]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, Buffer.concat(problems).toString()]).toEqual([0, '']);
  const seen = JSON.parse(Buffer.concat(output).toString()) as { items: number; surfaced: number };
  expect(seen).toMatchObject({
    uploaded: 'cider.md',
    same_ids: true,
    explored: true,
    absent: null,
    rules: ['derived', 'explicit'],
    projection: 'rules',
    feedback: ['recorded', 'http'],
    domains: ['orchard'],
    status: 'ok',
    health: ['graph', 'store', 'text', 'vector'],
  });
  expect(seen.items).toBeGreaterThan(1);
  expect(seen.surfaced).toBeGreaterThan(0);
});
