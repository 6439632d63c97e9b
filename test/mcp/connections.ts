import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  SSEClientTransport as SseV2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { programArguments } from '../support/program.js';
import type { Json } from './calls.js';
import type { World } from './world.js';

export interface CallResult {
  readonly isError?: boolean;
  readonly content: ReadonlyArray<{ readonly type: string; readonly text?: string }>;
  readonly structuredContent?: Json;
}

export interface CallMore {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string }) => void;
  readonly meta?: Json;
}

/** A connected protocol client, whichever library and transport. */
export interface ToolClient {
  list(): Promise<
    ReadonlyArray<{ name: string; inputSchema: Json; outputSchema?: Json; annotations?: Json; description?: string }>
  >;
  call(name: string, input: Json, more?: CallMore): Promise<CallResult>;
  close(): Promise<void>;
}

const WHO = { name: 'test', version: '1' };
export const STATELESS = '2026-07-28';

/** How an agent starts the tools on a data directory. */
export function stdioCommand(dataDirectory: string, environment: Record<string, string> = {}) {
  return {
    command: process.execPath,
    args: [...programArguments(), 'mcp-serve', '--data-dir', dataDirectory],
    env: { PATH: process.env.PATH ?? '', SVC_EMBEDDING: 'static', SVC_LOG_LEVEL: 'silent', ...environment },
  };
}

interface AnyClient {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: unknown }>;
  callTool(...parameters: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

async function connected(client: AnyClient, transport: unknown, v1: boolean): Promise<ToolClient> {
  await client.connect(transport);
  return {
    list: async () => (await client.listTools()).tools as never,
    call: async (name, input, { meta, ...options } = {}) => {
      const request = { name, arguments: input, ...(meta === undefined ? {} : { _meta: meta }) };
      const answer = v1 ? client.callTool(request, undefined, options) : client.callTool(request, options);
      return (await answer) as CallResult;
    },
    close: () => client.close(),
  };
}

export function v1(transport: unknown): Promise<ToolClient> {
  return connected(new ClientV1(WHO) as unknown as AnyClient, transport, true);
}

/** `revision`: the stateless one where it is pinned, else the session era. */
export function v2(transport: unknown, revision?: string): Promise<ToolClient> {
  const options = revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } };
  return connected(new ClientV2(WHO, options) as unknown as AnyClient, transport, false);
}

export const httpV1 = (url: string, headers: Record<string, string> = {}) =>
  v1(new HttpV1(new URL(url), { requestInit: { headers } }));
export const httpV2 = (url: string, revision?: string, headers: Record<string, string> = {}) =>
  v2(new HttpV2(new URL(url), { requestInit: { headers } }), revision);

/** Every combination of client library, transport and revision that exists. */
export const CONNECTIONS: ReadonlyArray<readonly [string, (world: World) => Promise<ToolClient>]> = [
  ['v1 client, stdio', (world) => v1(new StdioV1(stdioCommand(world.dataDirectory)))],
  ['v1 client, /mcp', (world) => httpV1(`${world.a}/mcp`)],
  ['v1 client, /sse', (world) => v1(new SseV1(new URL(`${world.a}/sse`)))],
  ['v2 client, stdio, session era', (world) => v2(new StdioV2(stdioCommand(world.dataDirectory)))],
  ['v2 client, stdio, stateless revision', (world) => v2(new StdioV2(stdioCommand(world.dataDirectory)), STATELESS)],
  ['v2 client, /mcp, session era', (world) => httpV2(`${world.a}/mcp`)],
  ['v2 client, /mcp, stateless revision', (world) => httpV2(`${world.a}/mcp`, STATELESS)],
  ['v2 client, /sse', (world) => v2(new SseV2(new URL(`${world.a}/sse`)))],
];

/** One of each way that a server holds a client; for tests that take their time. */
export const WAYS = CONNECTIONS.filter(([name]) =>
  ['v1 client, stdio', 'v1 client, /mcp', 'v2 client, /mcp, stateless revision', 'v1 client, /sse'].includes(name),
);
