import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listing } from '../../src/mcp/tool-schema.js';
import { tools } from '../../src/mcp/tools.js';
import { BAD_CALLS, GOOD_CALLS, type Json, type Round, WITHOUT_INPUT } from './calls.js';
import { CONNECTIONS, type ToolClient } from './connections.js';
import { type DeclaredMembers, missing, undeclared } from './results.js';
import { SPECIFIED } from './specification.js';
import { startWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

describe('the calls of these tests', () => {
  it('name each tool once on either path', () => {
    const names = tools.map((tool) => tool.name).sort();
    expect(GOOD_CALLS.map((call) => call.tool).sort()).toEqual(names);
    expect([...BAD_CALLS.map((call) => call.tool), ...WITHOUT_INPUT].sort()).toEqual(names);
  });
});

describe.each(CONNECTIONS)('%s', (name, connect) => {
  let client: ToolClient;
  let round: Round;
  beforeAll(async () => {
    client = await connect(world);
    round = { world, tag: String(CONNECTIONS.findIndex(([other]) => other === name)) };
    // Both clients validate structured content against the output schemas that they received.
    expect((await client.list()).map((tool) => tool.name)).toEqual(tools.map((tool) => `svc_${tool.name}`));
  });
  afterAll(() => client?.close());

  it.each(GOOD_CALLS.map((call) => [call.tool, call] as const))('%s succeeds', async (tool, call) => {
    const answer = await client.call(`svc_${tool}`, call.input(round));
    expect([answer.isError ?? false, answer.isError ? answer.content[0]?.text : '']).toEqual([false, '']);
    expect(answer.content).toHaveLength(1);
    expect(JSON.parse(answer.content[0]!.text!)).toEqual(answer.structuredContent);
    expect(missing(answer.structuredContent, SPECIFIED.find(([name]) => name === tool)![2])).toEqual([]);
    const { outputSchema } = listing(tools.find((one) => one.name === tool)!, 'svc');
    expect(undeclared(answer.structuredContent, outputSchema as DeclaredMembers)).toEqual([]);
    call.check?.(answer.structuredContent!, round);
  });

  it.each(BAD_CALLS.map((call) => [call.tool, call] as const))('%s fails as JSON', async (tool, call) => {
    const answer = await client.call(`svc_${tool}`, call.input);
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toBeUndefined();
    expect(answer.content).toHaveLength(1);
    const body = JSON.parse(answer.content[0]!.text!) as Json;
    expect(body.code).toBe(call.code);
    expect(typeof body.error).toBe('string');
  });
});
