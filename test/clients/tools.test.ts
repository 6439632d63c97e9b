import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GOOD_CALLS, type GoodCall, type Json, type Round } from '../mcp/calls.js';
import { startWorld, type World } from '../mcp/world.js';
import {
  ArmState,
  DerivedRuleItem,
  DomainInfo,
  EdgeItem,
  Interoception,
  NodeItem,
  QueryItem,
  record,
  records,
} from './records.js';

/** A client that knows JSON-RPC and nothing else: one POST for a call, answers as plain JSON or as one event. */
class JsonRpcClient {
  private id = 0;
  private session: string | null = null;

  constructor(private readonly url: string) {}

  async start(): Promise<void> {
    await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'records', version: '1' },
    });
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  async call(tool: string, input: Json): Promise<Json> {
    const result = (await this.request('tools/call', { name: `svc_${tool}`, arguments: input })) as {
      isError?: boolean;
      content: Array<{ text: string }>;
    };
    if (result.isError === true) throw new Error(`${tool}: ${result.content[0]!.text}`);
    return JSON.parse(result.content[0]!.text) as Json;
  }

  async request(method: string, params: Json): Promise<unknown> {
    this.id += 1;
    const answer = (await this.post({ jsonrpc: '2.0', id: this.id, method, params })) as {
      result?: unknown;
      error?: { code: number; message: string };
    };
    if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    return answer.result;
  }

  private async post(body: Json): Promise<unknown> {
    const answer = await fetch(this.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(this.session === null ? {} : { 'Mcp-Session-Id': this.session }),
      },
      body: JSON.stringify(body),
    });
    this.session ??= answer.headers.get('mcp-session-id');
    const text = await answer.text();
    if (text === '') return undefined;
    const event = /^data: (.*)$/m.exec(text);
    return JSON.parse(event === null ? text : event[1]!);
  }
}

let world: World;
let client: JsonRpcClient;
let round: Round;
const called = new Set<string>();
beforeAll(async () => {
  world = await startWorld();
  client = new JsonRpcClient(`${world.a}/mcp`);
  await client.start();
  round = { world, tag: 'records' };
});
afterAll(() => world?.close());

/** Builds the records that a client makes of a tool's answer. */
const BUILDS: Readonly<Record<string, (answer: Json) => unknown>> = {
  query: ({ items }) => records(QueryItem, items),
  domains: ({ domains }) => records(DomainInfo, domains),
  status: ({ interoception }) => record(Interoception, interoception),
  explore: ({ node, edges, neighbors, rules }) => [
    record(NodeItem, node),
    records(EdgeItem, edges),
    records(NodeItem, neighbors),
    records(DerivedRuleItem, rules),
  ],
  rules: ({ rules }) => records(DerivedRuleItem, rules),
  compare: ({ vec_only, graph_enhanced }) => [
    records(QueryItem, (vec_only as Json).items),
    records(QueryItem, (graph_enhanced as Json).items),
  ],
  vector_create_index: exact('status index_name'),
  vector_describe_index: exact('dimension count metric'),
  vector_delete_index: exact('status index_name'),
  vector_upsert: exact('ids'),
  vector_update: exact('status count'),
  vector_delete: exact('status id'),
  vector_delete_many: exact('status count'),
  vector_list_indexes: ({ indexes }) => {
    for (const name of indexes as unknown[]) expect(typeof name).toBe('string');
  },
  feedback: exact('status query_id outcome_count source'),
  source_connect: exact('status source_id tables table_names'),
  source_disconnect: exact('status source_id'),
  source_list: ({ sources }) => (sources as Json[]).forEach(exact('source_id tables')),
  source_ingest_graph: exact('source_id concepts edges rules'),
  learning_select: exact('selected_arms excluded_arms is_baseline scores token_budget used_tokens'),
  learning_observe: exact('arm_id alpha beta mean pulls'),
  learning_posteriors: ({ posteriors }) => Object.values(posteriors as Json).map((arm) => record(ArmState, arm)),
  learning_session_start: exact('session_id learner'),
  learning_session_end: exact('session_id learner selected_arms outcomes started_at ended_at'),
  learning_reset: exact('learner deleted status'),
  stats: exact('knowledge learning activity health'),
};

/** Expects exactly these members. */
function exact(members: string): (answer: Json) => void {
  return (answer) => expect(Object.keys(answer).sort()).toEqual(members.split(' ').sort());
}

describe('a client of the tools over JSON-RPC', () => {
  it('finds the 34 tools', async () => {
    const { tools } = (await client.request('tools/list', {})) as { tools: Array<{ name: string }> };
    expect(tools).toHaveLength(34);
    expect(tools.every(({ name }) => name.startsWith('svc_'))).toBe(true);
  });

  it.each(GOOD_CALLS.map((call, i) => [`${i + 1}: ${call.tool}`, call] as [string, GoodCall]))(
    'builds its records of call %s',
    async (_name, { tool, input, check }) => {
      const answer = await client.call(tool, input(round));
      check?.(answer, round);
      BUILDS[tool]?.(answer);
      called.add(tool);
    },
  );

  it('called every tool', () => {
    expect(called.size).toBe(34);
  });

  it('gets -32602 for a tool that does not exist', async () => {
    await expect(client.request('tools/call', { name: 'svc_nothing', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });
});
