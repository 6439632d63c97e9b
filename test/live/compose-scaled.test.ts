import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: object;
}

/** `docker-compose config`: it needs no engine. */
function configured(environment: Readonly<Record<string, string>>) {
  const { NEO4J_PASSWORD: _neo4j, POSTGRES_PASSWORD: _postgres, SVC_API_KEYS: _keys, ...rest } = process.env;
  const run = spawnSync('docker-compose', ['-f', 'docker-compose.yml', 'config'], {
    encoding: 'utf8',
    env: { ...rest, ...environment },
  });
  if (run.error !== undefined) throw new Error(`docker-compose is missing; run node scripts/setup.js: ${run.error}`);
  return run;
}

const SECRETS = { NEO4J_PASSWORD: 'correct horse', POSTGRES_PASSWORD: 'battery', SVC_API_KEYS: 'one,two' };

it('docker-compose.yml is accepted: two replicas after their engines, on this machine only', () => {
  const { status, stdout, stderr } = configured(SECRETS);
  expect([status, stderr]).toEqual([0, '']);
  const { services, volumes } = parse(stdout) as { services: Record<string, ComposeService>; volumes: object };
  expect(Object.keys(services).sort()).toEqual([
    'jaeger',
    'neo4j',
    'postgres',
    'prometheus',
    'qdrant',
    'svc-1',
    'svc-2',
  ]);
  for (const replica of ['svc-1', 'svc-2']) {
    const healthy = { condition: 'service_healthy' };
    expect(services[replica]!.depends_on).toEqual({ postgres: healthy, neo4j: healthy, qdrant: healthy });
    expect(services[replica]!.environment).toMatchObject({
      SVC_STORE: 'postgres',
      SVC_VEC: 'qdrant',
      SVC_GRAPH: 'neo4j',
    });
    // Ready needs a key.
    expect(services[replica]!.healthcheck!.test.join()).toContain('authorization');
  }
  const ports = Object.values(services).flatMap((service) => service.ports ?? []);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  expect(new Set(ports).size).toBe(ports.length);
  const named = Object.values(services)
    .flatMap((service) => service.volumes ?? [])
    .map((one) => one.split(':')[0]!);
  expect(named.filter((name) => !name.startsWith('/') && !(name in volumes))).toEqual([]);
});

it.each(Object.keys(SECRETS))('docker-compose.yml says what to set without %s', (missing) => {
  const { status, stderr } = configured({ ...SECRETS, [missing]: '' });
  expect([status === 0, stderr]).toEqual([false, expect.stringContaining(missing)]);
});
