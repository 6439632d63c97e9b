import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanUp, temporaryDirectory } from '../cli/processes.js';
import { startProcess } from '../service/process.js';
import { type Collector, collector } from './collector.js';

afterEach(cleanUp);

const PARENT = 'b7ad6b7169203331';
const SAMPLED = '0af7651916cd43dd8448eb211c80319c';

/** Traces that a service with these settings sends: of a request that begins one, and of one whose caller samples. */
async function sent(environment: Readonly<Record<string, string>>, received: Collector): Promise<readonly boolean[]> {
  const server = await startProcess(temporaryDirectory(), { SVC_EMBEDDING: 'none', ...environment });
  const { url } = server;
  await (await fetch(`${url}/v1/domains`)).arrayBuffer();
  const traceparent = `00-${SAMPLED}-${PARENT}-01`;
  await (await fetch(`${url}/v1/stats`, { headers: { traceparent } })).arrayBuffer();
  // A service that stops sends what it has.
  await server.stop();
  const requests = received.spans.filter(({ kind }) => kind === 2);
  return [requests.some(({ traceId }) => traceId !== SAMPLED), requests.some(({ traceId }) => traceId === SAMPLED)];
}

describe('of requests without and with a caller that samples, spans are sent', () => {
  it.each([
    ['of both by default', [true, true], {}],
    ['of the caller alone with SVC_TRACING_SAMPLE=0', [false, true], { SVC_TRACING_SAMPLE: '0' }],
    ['of none with OTEL_TRACES_SAMPLER=always_off', [false, false], { OTEL_TRACES_SAMPLER: 'always_off' }],
    [
      'of the caller alone with OTEL_TRACES_SAMPLER=parentbased_traceidratio and 0',
      [false, true],
      { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
    ],
    [
      'of both where SVC_TRACING_SAMPLE=1 stands beside OTEL_TRACES_SAMPLER=always_off',
      [true, true],
      { OTEL_TRACES_SAMPLER: 'always_off', SVC_TRACING_SAMPLE: '1' },
    ],
    ['of none with OTEL_SDK_DISABLED=true', [false, false], { OTEL_SDK_DISABLED: 'true' }],
    ['of none with OTEL_TRACES_EXPORTER=none', [false, false], { OTEL_TRACES_EXPORTER: 'none', SVC_TRACING: '1' }],
  ] as const)(
    '%s',
    async (_name, expected, environment) => {
      const received = await collector();
      expect(await sent({ OTEL_EXPORTER_OTLP_ENDPOINT: received.url, ...environment }, received)).toEqual(expected);
      received.close();
    },
    120_000,
  );
});

describe('spans reach', () => {
  it.each(['http/json', 'http/protobuf'])(
    'a collector by %s',
    async (protocol) => {
      const received = await collector();
      await sent({ OTEL_EXPORTER_OTLP_ENDPOINT: received.url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol }, received);
      expect(received.spans.map(({ name }) => name)).toContain('GET /v1/stats');
      expect(received.paths).toContain('/v1/traces');
      received.close();
    },
    120_000,
  );

  it('the whole address of OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, which turns tracing on by itself', async () => {
    const received = await collector();
    await sent({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${received.url}/otlp/spans` }, received);
    expect(received.spans.map(({ name }) => name)).toContain('GET /v1/stats');
    expect(new Set(received.paths)).toEqual(new Set(['/otlp/spans']));
    received.close();
  }, 120_000);
});

describe('spans name the service', () => {
  it.each([
    ['svc', {}],
    ['named', { OTEL_SERVICE_NAME: 'named', OTEL_RESOURCE_ATTRIBUTES: 'service.name=other' }],
    ['other', { OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=staging' }],
  ])(
    '%s, with %j',
    async (name, environment) => {
      const received = await collector();
      await sent({ OTEL_EXPORTER_OTLP_ENDPOINT: received.url, ...environment }, received);
      const services = new Set(received.spans.map(({ service }) => service));
      const wheres = new Set(received.spans.map(({ resource }) => resource['deployment.environment.name']));
      expect([...services]).toEqual([name]);
      expect([...wheres]).toEqual([name === 'other' ? 'staging' : undefined]);
      received.close();
    },
    120_000,
  );
});
