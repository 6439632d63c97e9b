import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { holderOf } from '../../src/data-directory.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, end, finished, firstLine, startSvc, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let data: string;

beforeEach(() => {
  data = temporaryDirectory();
  process.env.SVC_DATA_DIR = data;
  process.env.SVC_EMBEDDING = 'none';
  process.env.SVC_LOG_LEVEL = 'warn';
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

/** A real server in a process of its own, its addresses, and the process. */
async function serve(...args: string[]) {
  const child = startSvc(['serve', '--port', '0', '--port-b', '0', '--json', ...args]);
  const urls = JSON.parse(await firstLine(child)) as { a: string; b: string };
  return { ...urls, child };
}

async function post(url: string, body: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

/** Several processes start one after another; a busy machine takes its time. */
const LONG = 300_000;

describe('svc serve', () => {
  it(
    'serves both variants, takes calls of other commands, and ends with 0 on SIGTERM',
    async () => {
      const server = await serve();
      expect(await (await fetch(`${server.a}/v1/health`)).json()).toEqual({ status: 'ok' });
      expect(await (await fetch(`${server.b}/api/v1/health`)).json()).toEqual({ status: 'ok' });

      // A file outside of the server's roots: the command's own permissions count.
      const file = join(temporaryDirectory(), 'tea.txt');
      writeFileSync(file, 'Green tea comes from Japan.');
      const { files } = await svcJson('ingest', file, '--domain', 'notes');
      expect(files[0].result.passages).toBe(1);
      const refused = await post(`${server.a}/v1/ingest`, { source_path: file, domain: 'notes' });
      expect(refused.status).toBe(403);

      const found = (await (await post(`${server.a}/v1/query`, { context: 'green tea' })).json()) as {
        items: unknown[];
      };
      expect(found.items.length).toBeGreaterThan(0);
      const doctor = await svcJson('doctor');
      const foundOf = (name: string) => doctor.checks.find((check: { name: string }) => check.name === name)?.found;
      expect(foundOf('lock')).toContain(`held by serve, process ${server.child.pid}`);
      // The service that runs compares what it holds.
      expect(foundOf('text index')).toMatch(/^holds the ledger's \d+ records$/);

      const absent = await svc('explore', 'notes:none', '--json');
      expect([absent.code, JSON.parse(absent.stderr).code]).toEqual([1, 'node_not_found']);

      expect(await end(server.child)).toBe(0);
      expect(holderOf(data)).toBeNull();
      expect((await svcJson('documents')).documents).toHaveLength(1);
    },
    LONG,
  );

  it(
    'warns of a variable that no setting reads, since a misspelt key leaves the service open',
    async () => {
      const child = startSvc(['serve', '--port', '0', '--port-b', '0', '--json'], { SVC_API_KEY: 'hunter2' });
      let log = '';
      child.stderr!.on('data', (chunk) => {
        log += String(chunk);
      });
      await firstLine(child);
      expect(await end(child)).toBe(0);
      expect(log).toContain('SVC_API_KEY is set, and no setting reads it; did you mean SVC_API_KEYS?');
      expect(log).not.toContain('hunter2');
    },
    LONG,
  );

  it(
    'refuses a second service on the directory with a sentence',
    async () => {
      const server = await serve();
      const second = await finished(startSvc(['serve', '--port', '0']));
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(`A service already runs on ${data}, process ${server.child.pid}`);
      expect((await fetch(`${server.a}/v1/health`)).status).toBe(200);
    },
    LONG,
  );

  it(
    'still knows everything after kill -9, and starts again at once',
    async () => {
      const first = await serve();
      const answer = await post(`${first.a}/v1/ingest/text`, {
        text: 'Green tea comes from Japan.',
        domain: 'notes',
        name: 'tea',
      });
      expect(answer.status).toBe(200);
      await end(first.child, 'SIGKILL');
      const second = await serve();
      const documents = (await (await fetch(`${second.a}/v1/documents`)).json()) as {
        documents: Array<{ label: string }>;
      };
      expect(documents.documents.map((one) => one.label)).toEqual(['tea']);
    },
    LONG,
  );

  it(
    'leaves variant B out where its port is taken, unless it was asked for',
    async () => {
      const first = await serve();
      const port = new URL(first.b).port;
      const env = { SVC_DATA_DIR: temporaryDirectory(), SVC_PORT_B: port };
      const child = startSvc(['serve', '--port', '0', '--json'], env);
      let warned = '';
      child.stderr?.on('data', (chunk) => {
        warned += String(chunk);
      });
      const urls = JSON.parse(await firstLine(child)) as { a: string };
      expect(Object.keys(urls)).toEqual(['a']);
      const sentence = `Port ${port} on 127.0.0.1 is taken, so variant B is left out. Set SVC_PORT_B to a free port, or to 0 for any, and start again.`;
      expect(await (await fetch(`${urls.a}/v1/status`)).json()).toMatchObject({ status: 'ok', left_out: [sentence] });
      const where = ['--data-dir', env.SVC_DATA_DIR];
      expect(await svcJson('status', ...where)).toMatchObject({ left_out: [sentence] });
      const { checks } = await svcJson('doctor', ...where);
      expect(checks).toContainEqual({ name: 'port', state: 'warning', found: sentence });
      await end(child);
      expect(warned).toContain(sentence);
      const insisting = await finished(startSvc(['serve', '--variant', 'b'], env));
      expect([insisting.code, insisting.stderr]).toEqual([1, expect.stringContaining(`Port ${port}`)]);
      const both = await finished(startSvc(['serve', '--port', '0', '--port-b', port], env));
      expect([both.code, both.stderr]).toEqual([1, expect.stringContaining(`Port ${port}`)]);
    },
    LONG,
  );

  it(
    'serves the gateway by itself',
    async () => {
      const child = startSvc(['serve', '--port', '0', '--json', '--variant', 'gateway']);
      const urls = JSON.parse(await firstLine(child)) as { gateway: string };
      expect(Object.keys(urls)).toEqual(['gateway']);
      const statusOf = async (path: string) => (await fetch(`${urls.gateway}${path}`)).status;
      const api = '/__gateway__/api';
      for (const path of [`${api}/green/summary`, `${api}/learning/summary`, '/v1/health', '/metrics', '/docs']) {
        expect([path, await statusOf(path)]).toEqual([path, 200]);
      }
      expect((await post(`${urls.gateway}/v1/traces`, { resourceSpans: [] })).status).toBe(200);
      expect((await post(`${urls.gateway}/v1/query`, { context: 'tea' })).status).toBe(404);
      expect(await statusOf('/v1/status')).toBe(404);
      const document = (await (await fetch(`${urls.gateway}/__gateway__/openapi.json`)).json()) as {
        info: { title: string };
      };
      expect(document.info.title).toBe('Knowledge retrieval service, gateway');
      expect(await end(child)).toBe(0);
    },
    LONG,
  );

  it(
    'does not open itself to the network without protection',
    async () => {
      const refused = await finished(startSvc(['serve', '--host', '0.0.0.0', '--port', '0']));
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--allow-open')]);
      expect(holderOf(data)).toBeNull();
    },
    LONG,
  );

  it(
    'answers to the name of its settings',
    async () => {
      process.env.SVC_NAME = 'acme';
      process.env.ACME_API_KEYS = 'k';
      const { a } = await serve();
      const response = await fetch(`${a}/v1/status`);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="acme"']);
    },
    LONG,
  );
});
