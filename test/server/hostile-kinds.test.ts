import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOSTILE_JSON } from '../../bench/hostile/bodies.js';
import { rpcRequests, telemetryRequests } from '../../bench/hostile/pages.js';
import { tools } from '../../src/mcp/tools.js';
import { VARIANTS, type VariantName } from '../../src/server/variants.js';
import { startWorld, type World } from '../mcp/world.js';

/** Bytes of a request here: less than what is refused by its size alone, so that everything behind it sees the input. */
const SIZE = 24 * 1024;
/** Requests under way at once. */
const TOGETHER = 8;
const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

interface Sent {
  /** What it is sent to, as a failure names it. */
  readonly to: string;
  readonly url: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns what is wrong with the answer to a request: a fault of the service, or an answer that is no JSON. */
async function problemOf({ to, url, body, headers = HEADERS }: Sent): Promise<string[]> {
  const answer = await fetch(url, { method: 'POST', headers, body: body as never });
  const text = await answer.text();
  if (answer.status >= 500) return [`${to}: ${answer.status} ${text.slice(0, 300)}`];
  // A failure of a tool is a result; `internal` is a fault all the same.
  if (text.includes('\\"code\\":\\"internal\\"')) return [`${to}: ${text.slice(0, 300)}`];
  const [, event] = /^data: (.+)$/m.exec(text) ?? [];
  const json = answer.headers.get('content-type')?.startsWith('text/event-stream') ? (event ?? '') : text;
  const isBinary = answer.headers.get('content-type')?.includes('protobuf') === true;
  if (!isBinary && !(answer.status === 202 && text === '')) JSON.parse(json);
  return [];
}

/** Sends requests, some at a time, and asks for health beside each. */
async function expectAnswers(requests: readonly Sent[]): Promise<void> {
  const problems: string[] = [];
  const waiting = [...requests];
  const work = async (): Promise<void> => {
    for (let sent = waiting.pop(); sent !== undefined; sent = waiting.pop()) {
      const [found, health] = await Promise.all([problemOf(sent), fetch(`${world.a}/v1/health`)]);
      problems.push(...found, ...(health.status === 200 ? [] : [`health beside ${sent.to}: ${health.status}`]));
      await health.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  expect(problems).toEqual([]);
}

describe.each(Object.entries(HOSTILE_JSON))('hostile input of the kind "%s"', (_kind, make) => {
  it('is answered by every route and every tool, and health meanwhile', async () => {
    const body = make(SIZE);
    const routes = (Object.keys(VARIANTS) as VariantName[]).flatMap((variant) =>
      VARIANTS[variant].rows
        .filter(({ method, body: takes }) => method === 'POST' && takes !== 'multipart')
        .map(({ path }) => ({ to: path, url: `${world[variant]}${path.replace(/\{[^}]+\}/g, 'h')}`, body })),
    );
    const calls = tools.map(({ name }) => {
      const params = `{"name":"svc_${name}","arguments":${body}}`;
      const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
      return { to: name, url: `${world.a}/mcp`, body: message };
    });
    await expectAnswers([...routes, ...calls]);
    // What one kind wrote makes no work for the next.
    await fetch(`${world.a}/v1/domains/h`, { method: 'DELETE' });
  });
});

it('hostile messages and telemetry are answered, and health meanwhile', async () => {
  const requests = [...rpcRequests(SIZE), ...telemetryRequests(SIZE)];
  await expectAnswers(
    requests.map(({ kind, path, headers, body }) => ({
      to: `${kind} to ${path}`,
      url: `${world.a}${path}`,
      body,
      headers,
    })),
  );
});
