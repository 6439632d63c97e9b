import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ComposedService, compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { type Running, startServer } from '../../src/server/start.js';
import { createLogger } from '../../src/telemetry/logger.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-metrics-'));
let service: ComposedService;
let running: Running;
let text = '';

beforeAll(async () => {
  const config = loadConfig({
    environment: { SVC_DATA_DIR: folder, SVC_PORT: '0', SVC_LOG_LEVEL: 'silent', SVC_EMBEDDING: 'none' },
  });
  service = await compose(config);
  running = await startServer({ config, service, log: createLogger('silent'), variants: ['a'] });
  const post = (path: string, body: unknown) =>
    fetch(`${running.urls.a}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/v1/ingest/structured', {
    domain: 'a-secret-domain',
    concepts: [{ name: 'Saturn', description: 'A planet with rings.' }],
    edges: [],
  });
  for (let i = 0; i < 3; i += 1) await post('/v1/query', { context: 'Saturn' });
  await post('/v1/feedback', { query_id: 'unknown', outcomes: { a: 'accepted' } });
  await post('/v1/learning/observe', { learner: 'a-secret-learner', arm_id: 'a', outcome: 'accepted' });
  for (const path of ['/nothing-1', '/nothing-2']) await fetch(`${running.urls.a}${path}`, { method: 'PURGE' });
  text = await (await fetch(`${running.urls.a}/metrics`)).text();
}, 120_000);
afterAll(async () => {
  await running.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The value of a series by its name and labels, in any order. */
function value(name: string, labels: Record<string, string> = {}): number | undefined {
  const line = text
    .split('\n')
    .find(
      (one) =>
        (one.startsWith(`${name}{`) || one.startsWith(`${name} `)) &&
        Object.entries(labels).every(([label, of]) => one.includes(`${label}="${of}"`)),
    );
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

it('counts and measures requests by route, operations and calls of ports', () => {
  expect(value('svc_http_requests_total', { method: 'POST', route: '/v1/query', status: '200' })).toBe(3);
  expect(value('svc_http_request_duration_seconds_count', { route: '/v1/query' })).toBe(3);
  expect(value('svc_http_requests_total', { method: 'other', route: 'none', status: '404' })).toBe(2);
  expect(value('svc_operation_duration_seconds_count', { operation: 'query', outcome: 'ok' })).toBe(3);
  expect(value('svc_operation_duration_seconds_count', { operation: 'feedback', outcome: 'query_not_found' })).toBe(1);
  for (const port of ['graph', 'text', 'store']) {
    expect([port, value('svc_port_duration_seconds_count', { port, outcome: 'ok' })]).toEqual([
      port,
      expect.any(Number),
    ]);
  }
});

it('shows queues, the size of the graph, learners and the process', () => {
  expect(value('svc_queue_depth', { queue: 'intake' })).toBe(0);
  expect(value('svc_queue_depth', { queue: 'jobs' })).toBe(0);
  expect(value('svc_graph_size', { kind: 'concepts' })).toBe(1);
  expect(value('svc_learner_observations')).toBe(1);
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(0);
});

it('is valid text of Prometheus: every series has one type before it and appears once', () => {
  const seen = new Set<string>();
  const typed = new Set<string>();
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('# TYPE ')) {
      const name = line.split(' ')[2]!;
      expect(typed.has(name)).toBe(false);
      typed.add(name);
    } else if (!line.startsWith('#') && line !== '') {
      expect(line).toMatch(/^[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})? -?(\d|NaN|[+]Inf|\.)/);
      const series = line.slice(0, line.lastIndexOf(' '));
      expect([series, seen.has(series)]).toEqual([series, false]);
      seen.add(series);
      const family = series.split('{')[0]!.replace(/_(bucket|sum|count)$/, '');
      expect([series, typed.has(family) || typed.has(series.split('{')[0]!)]).toEqual([series, true]);
    }
  }
});

it('leaks no name of a domain, a learner or an unknown path', () => {
  expect(text).not.toMatch(/secret|nothing|PURGE/);
});

it('has every series that the dashboard for Grafana reads', () => {
  const dashboard = readFileSync('docs/grafana-dashboard.json', 'utf8');
  const names = new Set(
    [
      ...dashboard.matchAll(
        /\b(svc_[a-z_]+|co2_grams_total|water_ml_total|tokens_total|nodejs_[a-z_]+|process_[a-z_]+)\b/g,
      ),
    ].map(([name]) => name),
  );
  expect(names.size).toBeGreaterThan(8);
  for (const name of names) {
    const family = name.replace(/_(bucket|sum|count)$/, '');
    expect([name, text.includes(`# TYPE ${family} `) || text.includes(`# TYPE ${name} `)]).toEqual([name, true]);
  }
});
