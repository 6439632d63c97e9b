import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tools } from '../../src/mcp/tools.js';
import { BAD_CALLS, GOOD_CALLS, type Json, type Round } from '../mcp/calls.js';
import { type CallResult, stdioCommand } from '../mcp/connections.js';
import { startWorld, type World } from '../mcp/world.js';
import { pythonWithTools } from './python.js';

let world: World;
let python: string;
beforeAll(async () => {
  python = pythonWithTools();
  world = await startWorld();
});
afterAll(() => world?.close());

/** What later calls take from the answers of earlier ones. */
const REMEMBER: Readonly<Record<string, Record<string, string>>> = {
  query: { queryId: 'query_id', itemId: 'items.0.id' },
  learning_session_start: { sessionId: 'session_id' },
};

async function run(way: Json, calls: Json[]): Promise<{ tools: string[]; answers: CallResult[] }> {
  const child = spawn(python, ['test/live/python-client.py'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const [output, problems]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk));
  child.stdin.end(JSON.stringify({ way, calls }));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(Buffer.concat(problems).toString().slice(-3000));
  return JSON.parse(Buffer.concat(output).toString()) as { tools: string[]; answers: CallResult[] };
}

const WAYS: ReadonlyArray<readonly [string, () => Json]> = [
  ['stdio', () => ({ kind: 'stdio', ...stdioCommand(world.dataDirectory) })],
  ['/mcp', () => ({ kind: 'http', url: `${world.a}/mcp` })],
  ['/sse', () => ({ kind: 'sse', url: `${world.a}/sse` })],
];

describe.each(WAYS)('the official Python client on %s', (name, way) => {
  it('calls every tool, on the success and on the failure path', async () => {
    const round: Round = {
      world,
      tag: `py-${name.replace(/\W/g, '')}`,
      queryId: '@@queryId',
      itemId: '@@itemId',
      sessionId: '@@sessionId',
    };
    const good = GOOD_CALLS.map((call) => ({
      tool: `svc_${call.tool}`,
      input: call.input(round),
      remember: REMEMBER[call.tool] ?? {},
    }));
    const bad = BAD_CALLS.map((call) => ({ tool: `svc_${call.tool}`, input: call.input }));
    // The client itself validates structured content against the output schemas.
    const { tools: listed, answers } = await run(way(), [...good, ...bad]);
    expect(listed).toEqual(tools.map((tool) => `svc_${tool.name}`));
    for (const [i, call] of [...GOOD_CALLS, ...BAD_CALLS].entries()) {
      const answer = answers[i]!;
      const body = JSON.parse(answer.content[0]!.text!) as Json;
      const wanted = 'code' in call ? call.code : undefined;
      expect([call.tool, body.code]).toEqual([call.tool, wanted]);
      expect([call.tool, answer.isError ?? false]).toEqual([call.tool, wanted !== undefined]);
      if (wanted === undefined) expect(answer.structuredContent).toEqual(body);
    }
  });
});
