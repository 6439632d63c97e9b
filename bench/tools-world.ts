import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { programArguments } from '../test/support/program.js';

/** `svc serve` in a process of its own on a fresh directory, with the static model. */
export interface Served {
  readonly a: string;
  readonly directory: string;
  close(): Promise<void>;
}

const CLI = programArguments();

function environment(directory: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    SVC_DATA_DIR: directory,
    SVC_EMBEDDING: 'static',
    SVC_LOG_LEVEL: 'silent',
    SVC_PORT: '0',
    SVC_PORT_B: '0',
  };
}

export async function serve(): Promise<Served> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-bench-tools-'));
  const child = spawn(process.execPath, [...CLI, 'serve', '--json'], {
    env: environment(directory),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const a = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error('The service ended before it served.')));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const url = /"a":\s*"([^"]+)"/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  return {
    a,
    directory,
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const WHO = { name: 'bench', version: '1' };
const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

/** A connected client for each way in which an agent reaches the tools. */
export const WAYS: Readonly<Record<string, (served: Served) => Promise<Client>>> = {
  stdio: async ({ directory }) => {
    const client = new Client(WHO);
    const env = environment(directory);
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [...CLI, 'mcp-serve'], env }));
    return client;
  },
  '/mcp, session': async ({ a }) => {
    const client = new Client(WHO);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${a}/mcp`)));
    return client;
  },
  '/mcp, stateless': async ({ a }) => {
    const client = new Client(WHO, MODERN);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${a}/mcp`)));
    return client;
  },
  '/sse': async ({ a }) => {
    const client = new Client(WHO);
    await client.connect(new SSEClientTransport(new URL(`${a}/sse`)));
    return client;
  },
};

export async function call(client: Client, name: string, input: Record<string, unknown>) {
  const answer = (await client.callTool({ name, arguments: input }, { timeout: 600_000 })) as {
    isError?: boolean;
    content: Array<{ text?: string }>;
    structuredContent?: Record<string, unknown>;
  };
  if (answer.isError === true) throw new Error(`${name}: ${answer.content[0]?.text ?? ''}`);
  return answer.structuredContent ?? {};
}
