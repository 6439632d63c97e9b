import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWorld, type World } from '../mcp/world.js';
import { pythonWithTools } from './python.js';

let world: World;
let python: string;
beforeAll(async () => {
  python = pythonWithTools();
  world = await startWorld();
});
afterAll(() => world?.close());

it('the recipe of an agent in Python writes, asks and lists rules', async () => {
  const child = spawn(python, ['docs/recipes/python_agent.py', world.a], { stdio: ['ignore', 'pipe', 'inherit'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  const text = Buffer.concat(output).toString();
  expect(text).toContain('Deploy: Bringing a version to production');
  expect(text).toContain('Rule: Never deploy on a Friday.');
});
