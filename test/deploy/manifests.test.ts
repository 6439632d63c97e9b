import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as apps from 'kubernetes-models/apps/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { VARIABLES } from '../../src/config/variables.js';

interface Container {
  readonly env: ReadonlyArray<{ readonly name: string }>;
  readonly ports: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>;
  readonly securityContext: object;
  readonly [probe: string]: unknown;
}

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: resources of several kinds
  readonly spec?: any;
  readonly data?: Readonly<Record<string, string>>;
}

type Models = Readonly<Record<string, new (data: object) => { validate(): void }>>;
const MODELS: Readonly<Record<string, Models>> = {
  v1: core as unknown as Models,
  'apps/v1': apps as unknown as Models,
  'policy/v1': policy as unknown as Models,
};
const FOLDER = 'deploy/kubernetes';
const resources = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS() as Resource),
);
const ofKind = (kind: string): Resource => resources.find((one) => one.kind === kind)!;
/** Variables of the environment that the service reads. */
const known = new Set(
  Object.entries(VARIABLES).map(([name, variable]) => (variable.unprefixed === true ? name : `SVC_${name}`)),
);

describe('the Kubernetes manifests', () => {
  it.each(resources)('hold a valid $kind $metadata.name', (one) => {
    const models = MODELS[one.apiVersion]!;
    const { apiVersion: _version, kind, ...data } = one;
    expect(() => new models[kind]!(data).validate()).not.toThrow();
    // The schema does refuse what is wrong.
    expect(() => new models[kind]!({ ...data, metadata: { name: 7 } }).validate()).toThrow();
  });

  it('run stateless replicas, not as root, with three probes', () => {
    const { template, replicas } = ofKind('Deployment').spec;
    expect(replicas).toBeGreaterThan(1);
    expect(resources.map((one) => one.kind)).not.toContain('PersistentVolumeClaim');
    for (const volume of template.spec.volumes) expect(volume.emptyDir).toBeDefined();
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    const [container] = template.spec.containers as Container[];
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) expect(container![probe]).toBeDefined();
    expect(container!.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
    expect(ofKind('ConfigMap').data).toMatchObject({ SVC_STORE: 'postgres' });
    const drain = Number(ofKind('ConfigMap').data!.SVC_DRAIN_SECONDS);
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(drain);
  });

  it('keep the variables of the Service out of the environment: one of them is called as a setting', () => {
    const service = ofKind('Service').metadata.name.toUpperCase();
    expect(known).toContain(`${service}_PORT`);
    expect(ofKind('Deployment').spec.template.spec.enableServiceLinks).toBe(false);
  });

  it('name settings that there are, and ports that fit', () => {
    const [container] = ofKind('Deployment').spec.template.spec.containers as Container[];
    const names = [...Object.keys(ofKind('ConfigMap').data!), ...container!.env.map(({ name }) => name)];
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const ports = container!.ports.map(({ name }) => name);
    for (const { targetPort } of ofKind('Service').spec.ports) expect(ports).toContain(targetPort);
  });
});

describe('docker-compose.yml', () => {
  it('names settings that there are', () => {
    const file = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
      services: Record<string, { environment: Record<string, string> }>;
    };
    for (const replica of ['svc-1', 'svc-2']) {
      const names = Object.keys(file.services[replica]!.environment);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    }
  });
});

describe('.github/workflows/ci.yml', () => {
  it('runs the two commands of the README', () => {
    const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8')) as {
      jobs: { verify: { steps: Array<{ run?: string }> } };
    };
    const commands = jobs.verify.steps.flatMap(({ run }) => /npm run (\S+)/.exec(run ?? '')?.[1] ?? []);
    expect(commands).toEqual(['quickstart', 'verify']);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const readme = readFileSync('README.md', 'utf8');
    for (const command of commands) {
      expect(scripts[command]).toBeDefined();
      expect(readme).toContain(`npm run ${command}`);
    }
  });
});
