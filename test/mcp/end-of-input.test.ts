import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { serveToolsOnStdio } from '../../src/mcp/stdio.js';
import { tools } from '../../src/mcp/tools.js';
import { svcJson } from '../cli/captured.js';
import { cleanUp, finished, temporaryDirectory } from '../cli/processes.js';
import { stdioCommand } from './connections.js';

afterEach(cleanUp);

const HELLO = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];
const call = (id: number, name: string, input: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});
const lines = (messages: readonly object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');
const idsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => JSON.parse(line) as { id: number })
    .map(({ id }) => id);

describe('tools over standard input and output, when the input ends', () => {
  it('answer and do what was read, in a process of their own', async () => {
    const directory = temporaryDirectory();
    const { command, args, env } = stdioCommand(directory, { SVC_EMBEDDING: 'none' });
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const result = finished(child);
    const text = 'Green tea comes from Japan.';
    const ingest = call(3, 'svc_ingest_text', { text, domain: 'notes', name: 'tea' });
    child.stdin.end(lines([...HELLO, call(2, 'svc_domains'), ingest]));
    const { code, stdout } = await result;
    expect([code, idsOf(stdout)]).toEqual([0, [1, 2, 3]]);
    const { documents } = await svcJson('documents', '--data-dir', directory);
    expect(documents).toMatchObject([{ label: 'tea' }]);
  }, 120_000);

  it.each([
    ['the input ends', (stdin: PassThrough) => void stdin.end()],
    ['the server is told to finish', (_: PassThrough, finish: () => void) => finish()],
  ])('wait for work that takes a while, a batch too, and not for what is cancelled: %s', async (_, end) => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    let written = '';
    stdout.on('data', (chunk) => {
      written += String(chunk);
    });
    const dispatch = async (_tool: unknown, { text }: Record<string, unknown>) => {
      if (text === 'never') await new Promise(() => undefined);
      await sleep(300);
      return { domains: [] };
    };
    const server = serveToolsOnStdio({ name: 'svc', version: '1', tools, dispatch }, () => undefined, {
      stdin,
      stdout,
    });
    stdin.write(lines(HELLO));
    stdin.write(lines([call(2, 'svc_ingest_text', { text: 'never', domain: 'd' })]));
    stdin.write(`${JSON.stringify([call(3, 'svc_domains'), call(4, 'svc_domains')])}\n`);
    stdin.write(lines([{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }]));
    await sleep(100);
    end(stdin, server.finish);
    await server.ended;
    await server.close();
    expect(idsOf(written)).toEqual([1, 3, 4]);
  });
});
