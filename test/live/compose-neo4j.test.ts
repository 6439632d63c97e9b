import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.js';

interface ComposeService {
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck: { readonly test: readonly string[] };
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

/** `docker-compose config`: it needs no engine. */
function configured(environment: Readonly<Record<string, string>>) {
  const { NEO4J_PASSWORD: _password, SVC_API_KEYS: _keys, ...rest } = process.env;
  const run = spawnSync('docker-compose', ['-f', 'docker-compose.neo4j.yml', 'config'], {
    encoding: 'utf8',
    env: { ...rest, ...environment },
  });
  if (run.error !== undefined) throw new Error(`docker-compose is missing; run node scripts/setup.js: ${run.error}`);
  return run;
}

const SECRETS = { NEO4J_PASSWORD: 'correct horse', SVC_API_KEYS: 'one,two' };

describe('docker-compose.neo4j.yml', () => {
  it('is accepted: two services with health checks and volumes, the service after Neo4j, on this machine only', () => {
    const { status, stdout, stderr } = configured(SECRETS);
    expect([status, stderr]).toEqual([0, '']);
    const { services, volumes } = parse(stdout) as { services: Record<string, ComposeService>; volumes: object };
    expect(Object.keys(services).sort()).toEqual(['neo4j', 'svc']);
    for (const service of Object.values(services)) {
      expect(service.healthcheck.test.length).toBeGreaterThan(1);
      for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      for (const volume of service.volumes) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
    }
    expect(services.svc?.depends_on).toEqual({ neo4j: { condition: 'service_healthy' } });
    expect(services.neo4j?.environment.NEO4J_PLUGINS).toContain('graph-data-science');
  });

  it.each(Object.keys(SECRETS))('is refused without %s, by name; no default stands in', (name) => {
    const { [name as keyof typeof SECRETS]: _left, ...rest } = SECRETS;
    for (const environment of [rest, { ...rest, [name]: '' }]) {
      const { status, stderr } = configured(environment);
      expect(status).not.toBe(0);
      expect(stderr).toContain(name);
    }
  });

  it('takes the data directory of this machine where it is named', () => {
    const { services } = parse(configured({ ...SECRETS, SVC_DATA: './data' }).stdout) as {
      services: Record<string, ComposeService>;
    };
    expect(services.svc?.volumes).toEqual([expect.stringMatching(/^\/.*\/data:\/app\/data(:rw)?$/)]);
  });

  it('gives the service settings that it takes', () => {
    const { services } = parse(configured(SECRETS).stdout) as { services: Record<string, ComposeService> };
    const config = loadConfig({ environment: services.svc!.environment });
    expect(config.graph).toMatchObject({ kind: 'neo4j', neo4j_uri: 'bolt://neo4j:7687', neo4j_user: 'neo4j' });
    expect(config.graph.neo4j_password).toBe(SECRETS.NEO4J_PASSWORD);
    expect(services.neo4j?.environment.NEO4J_AUTH).toBe(`neo4j/${SECRETS.NEO4J_PASSWORD}`);
  });
});
