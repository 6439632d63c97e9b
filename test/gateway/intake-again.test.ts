import { afterEach, expect, it } from '@jest/globals';
import { send, spansOf } from './otlp.js';
import { type GatewayWorld, gatewayWorld, NOON, post } from './world.js';

let world: GatewayWorld;
afterEach(() => world.close());

const chat = () =>
  spansOf({
    name: 'chat',
    start: NOON,
    end: NOON + 1000,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 400,
    },
  });

it('rewards the arm that an evaluation names, once', async () => {
  world = await gatewayWorld();
  const attributes = [
    { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0.25 } },
    { key: 'svc.learning.arm_id', value: { stringValue: 'tool:a:b' } },
  ];
  const logRecords = [{ eventName: 'gen_ai.evaluation.result', timeUnixNano: `${NOON}000000`, attributes }];
  const log = { resourceLogs: [{ scopeLogs: [{ logRecords }] }] };
  for (let i = 0; i < 2; i += 1) {
    expect((await world.call('/v1/logs', post(log))).body).toEqual({ partialSuccess: {} });
  }
  expect((await world.learning('/posteriors')).body).toMatchObject([
    { armId: 'tool:a:b', alpha: 1.25, beta: 1.75, pulls: 1 },
  ]);
});

it('counts the rows of a refused body as rejected', async () => {
  world = await gatewayWorld();
  const row = { traceId: 't', model: 'gpt-4o', inputTokens: 1 };
  for (const rows of [[row, { ...row, inputTokens: -1 }], [row, 5], [row]]) {
    await world.call('/__gateway__/api/green/ingest', post(rows));
  }
  const { body } = await world.green('/intake');
  expect(body).toMatchObject({ received: 5, accepted: 1, duplicates: 0, rejected: 4 });
});

it('takes the calls of telemetry that is sent again once the emissions module is enabled, and its runs once', async () => {
  world = await gatewayWorld({ environment: { SVC_GREEN_ENABLED: 'off' } });
  await send(world.url, chat());
  await send(world.url, chat());
  const spans = chat();
  await send(world.url, spans);
  const of = async (at: GatewayWorld) => {
    const runs = (await at.learning('/traces')).body.traces as Array<{ usage: unknown }>;
    return runs.map(({ usage }) => usage);
  };
  const once = { input: 600, output: 100, total: 1100 };
  expect(await of(world)).toEqual([once, once, once]);
  const on = await gatewayWorld({ store: world.store });
  try {
    await send(on.url, spans);
    await send(on.url, spans);
    expect((await on.green('/traces')).body.traces).toHaveLength(1);
    expect(await of(on)).toEqual([once, once, once]);
  } finally {
    await on.close();
  }
  // What was taken as a whole counts no second time when the module is off again.
  await send(world.url, spans);
  expect(await of(world)).toEqual([once, once, once]);
});
