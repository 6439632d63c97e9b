import { afterEach, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { protobufOf, spansOf } from './otlp.js';
import { type GatewayWorld, gatewayWorld, NOON, post } from './world.js';

/** Records that the intake lets wait. */
const QUEUE = 20_000;

let world: GatewayWorld;
let store: Store;
afterEach(async () => {
  await world.close();
  await store.close();
});

/** A store whose writes wait until they are let through. */
function blockedStore(real: Store): { store: Store; release: () => void } {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const blocked: Store = Object.create(real, {
    write: { value: async (...given: Parameters<Store['write']>) => gate.then(() => real.write(...given)) },
  }) as Store;
  return { store: blocked, release };
}

const calls = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => ({ traceId: `${name}${i}`, model: 'gpt-4o', inputTokens: 1 }));

it('answers 429 with Retry-After over HTTP while the queue is full, and loses nothing of what it took', async () => {
  store = await openSqlite(':memory:');
  const { store: blocked, release } = blockedStore(store);
  world = await gatewayWorld({ store: blocked });
  const full = world.green('/ingest', post(calls(QUEUE, 'a')));
  const deadline = Date.now() + 60_000;
  while ((await world.green('/intake')).body.queued < QUEUE && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const spans = spansOf({
    name: 'chat',
    start: NOON,
    end: NOON + 1,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 1,
    },
  });
  const otlp: RequestInit = {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-protobuf' },
    body: protobufOf(spans) as never,
  };
  const refused = [
    await world.green('/ingest', post(calls(1, 'b'))),
    await world.learning('/ingest', post(calls(1, 'b'))),
    await world.call('/v1/traces', otlp),
  ];
  for (const answer of refused) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
    expect(answer.body.error).toMatch(/^The intake is full/);
  }
  expect(refused[0]!.body.code).toBe('RATE_LIMITED');
  release();
  expect((await full).body).toEqual({ accepted: QUEUE, duplicates: 0 });
  // What was refused was not taken in: sent again, it is new.
  expect((await world.green('/ingest', post(calls(1, 'b')))).body).toEqual({ accepted: 1, duplicates: 0 });
  expect((await world.call('/v1/traces', otlp)).status).toBe(200);
  expect((await world.green('/summary')).body.traceCount).toBe(QUEUE + 2);
});
