import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStatic } from '../../src/backends/embedding/static/static.js';
import { type Random, seededRandom } from '../../src/core/random.js';
import { type EmbeddingServer, serveEmbeddings } from '../embedding/embedding-server.js';
import { noteStarts, type TimedStart, timedStart } from '../faults/starts.js';
import { post, type ServerProcess, startProcess } from '../service/process.js';
import { waitFor } from '../support/wait-for.js';
import { ownCollections } from './empty-qdrant.js';
import { FreshDatabases } from './fresh-databases.js';
import { neo4jEnvironment } from './neo4j.js';
import { type BreakingProxy, proxyTo } from './proxy.js';

const runs = Number(process.env.FAULT_RUNS ?? 2);
const seed = process.env.FAULT_SEED ?? 'faults';
const folder = mkdtempSync(join(tmpdir(), 'backend-faults-'));
const databases = new FreshDatabases(process.env.PG_URL ?? '');
let embeddings: EmbeddingServer;

beforeAll(async () => {
  process.stderr.write(`FAULT_SEED=${seed}, ${runs} runs of each\n`);
  embeddings = await serveEmbeddings(openStatic());
});
afterAll(async () => {
  await embeddings.close();
  await databases.dropAll();
  rmSync(folder, { recursive: true, force: true });
});

interface Behind {
  readonly proxy: BreakingProxy;
  readonly environment: Readonly<Record<string, string>>;
}

/** Each part of the service that lies elsewhere, behind a way that breaks. */
const BACKENDS: Readonly<Record<string, () => Promise<Behind>>> = {
  PostgreSQL: async () => {
    const environment = await databases.environment();
    const address = new URL(environment.DATABASE_URL!);
    const proxy = await proxyTo(address.href);
    address.host = proxy.place;
    return { proxy, environment: { ...environment, DATABASE_URL: address.href } };
  },
  Neo4j: async () => {
    const environment = await waitFor(neo4jEnvironment, { timeout: 90_000, interval: 500 });
    const proxy = await proxyTo(environment.SVC_NEO4J_URI!);
    return {
      proxy,
      environment: { ...environment, SVC_NEO4J_URI: `bolt://${proxy.place}`, SVC_FOLLOW_TIMEOUT_MS: '500' },
    };
  },
  Qdrant: async () => {
    const proxy = await proxyTo(process.env.QDRANT_URL!);
    return { proxy, environment: { SVC_VEC: 'qdrant', ...ownCollections(`http://${proxy.place}`) } };
  },
  'embedding server': async () => {
    const proxy = await proxyTo(embeddings.url);
    return {
      proxy,
      environment: {
        SVC_EMBEDDING: 'openai',
        SVC_EMBEDDING_URL: `http://${proxy.place}/v1`,
        SVC_EMBEDDING_MODEL: 'static',
      },
    };
  },
};

const PARTS = 5;
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Writes batches until it is told to stop; notes which were acknowledged. Whatever fails answers 503, never 500. */
function writer(url: string, run: number, acknowledged: Set<string>): { stop(): Promise<void> } {
  let stopped = false;
  const write = async (w: number): Promise<void> => {
    for (let i = 0; !stopped; i += 1) {
      const label = `batch ${run}-${w}-${i}`;
      const answer = await post(url, '/v1/ingest/structured', {
        domain: 'parts',
        source_id: label,
        concepts: Array.from({ length: PARTS }, (_, n) => ({ name: `${label} part ${n}`, description: 'A part.' })),
      });
      if (answer?.status === 200) acknowledged.add(label);
      else expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    }
  };
  const writing = Promise.all([0, 1, 2].map(write));
  return {
    stop: async () => {
      stopped = true;
      await writing;
    },
  };
}

/** Hangs or cuts off the backend for a while, at a random point of the work. */
async function fault(proxy: BreakingProxy, random: Random): Promise<void> {
  await pause(50 + random() * 800);
  proxy.become(random() < 0.5 ? 'silent' : 'refusing');
  await pause(50 + random() * 1200);
  proxy.become('open');
}

/** Every acknowledged batch is there, every batch that is there is whole, and no part is missing. */
async function verify({ url }: ServerProcess, acknowledged: ReadonlySet<string>): Promise<void> {
  await waitFor(async () => expect(await (await fetch(`${url}/v1/status`)).json()).toMatchObject({ status: 'ok' }), {
    timeout: 90_000,
    interval: 200,
  });
  const { documents } = (await (await fetch(`${url}/v1/documents?limit=10000`)).json()) as {
    documents: Array<{ label: string; concepts: number }>;
  };
  const found = new Map(documents.map(({ label, concepts }) => [label, concepts]));
  for (const label of acknowledged) expect([label, found.get(label)]).toEqual([label, PARTS]);
  for (const concepts of found.values()) expect(concepts).toBe(PARTS);
}

describe(`a backend that hangs or is cut off, and comes back, ${runs} times`, () => {
  it.each(Object.keys(BACKENDS))(
    '%s: nothing that was acknowledged is lost, nothing is half written',
    async (name) => {
      const { proxy, environment } = await BACKENDS[name]!();
      const directory = join(folder, name.replaceAll(' ', '-'));
      const random = seededRandom(`${seed} ${name}`);
      const acknowledged = new Set<string>();
      const starts: TimedStart[] = [];
      for (let run = 0; run < runs; run += 1) {
        const start = await timedStart(directory, environment);
        const { server } = start;
        starts.push(start);
        // The start finds all of the runs before.
        await verify(server, acknowledged);
        const writing = writer(server.url, run, acknowledged);
        await fault(proxy, random);
        const before = acknowledged.size;
        // It goes on by itself.
        await waitFor(() => expect(acknowledged.size).toBeGreaterThan(before), { timeout: 90_000 });
        await writing.stop();
        await verify(server, acknowledged);
        expect(await doctorFinds(directory, environment)).toEqual([]);
        await server.stop();
      }
      noteStarts(name, starts);
      await proxy.stop();
    },
    3_600_000,
  );
});

const GROUPS = /^(store|ledger|text index|vectors|concept indexes|engines|neo4j|neo4j-text|qdrant)$/;

/** What `svc doctor` finds wrong while the service runs; it must have looked at ledger, text index and vectors. */
async function doctorFinds(directory: string, environment: Readonly<Record<string, string>>): Promise<object[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/program/main.js', 'doctor', '--json'], {
    env: { ...process.env, SVC_EMBEDDING: 'static', ...environment, SVC_DATA_DIR: directory, SVC_LOG_LEVEL: 'error' },
  });
  const { checks } = JSON.parse(stdout) as { checks: Array<{ name: string; state: string; found: string }> };
  const looked = checks.filter(({ name }) => GROUPS.test(name));
  expect(looked.length).toBeGreaterThanOrEqual(3);
  return looked.filter(({ state }) => state !== 'ok');
}

/** What the status calls each part. */
const CALLED: Readonly<Record<string, RegExp>> = {
  PostgreSQL: /store/,
  Neo4j: /graph|neo4j/,
  Qdrant: /vector|qdrant/,
  'embedding server': /embedding/,
};

describe('while a backend is away', () => {
  it.each(
    Object.keys(BACKENDS).flatMap((name) => (['refusing', 'silent'] as const).map((mode) => [name, mode] as const)),
  )(
    '%s %s: status answers 200 and names it, health and readiness answer in their way',
    async (name, mode) => {
      const { proxy, environment } = await BACKENDS[name]!();
      const directory = join(folder, `${name.replaceAll(' ', '-')}-${mode}`);
      const { url, stop } = await startProcess(directory, environment);
      await post(url, '/v1/ingest/structured', { domain: 'd', concepts: [{ name: 'Pump' }] });
      const asked = async (path: string) => {
        const response = await fetch(url + path);
        return { status: response.status, body: (await response.json()) as Record<string, unknown> };
      };
      const PATIENCE = { timeout: 60_000, interval: 200 };
      await waitFor(async () => expect((await asked('/v1/ready')).status).toBe(200), PATIENCE);
      proxy.become(mode);
      await waitFor(
        async () =>
          expect(await asked('/v1/status')).toMatchObject({
            status: 200,
            body: {
              status: 'degraded',
              problems: expect.arrayContaining([expect.stringMatching(CALLED[name]!)]),
            },
          }),
        PATIENCE,
      );
      expect((await asked('/v1/health')).status).toBe(200);
      // Without its embedding server it still answers by text and graph.
      expect(await asked('/v1/ready')).toMatchObject(
        name === 'embedding server' ? { status: 200, body: { status: 'degraded' } } : { status: 503 },
      );
      proxy.become('open');
      await waitFor(async () => expect((await asked('/v1/status')).body.status).toBe('ok'), PATIENCE);
      await waitFor(async () => expect((await asked('/v1/ready')).status).toBe(200), PATIENCE);
      await stop();
      await proxy.stop();
    },
    300_000,
  );
});
