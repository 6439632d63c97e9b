import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { type ComposedService, compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { LEARNING_BASE } from '../../src/server/gateway/rows.js';
import { parametersOf, type RouteRow } from '../../src/server/routes/row.js';
import { type Running, startServer } from '../../src/server/start.js';
import { documentOf, VARIANTS, type VariantName } from '../../src/server/variants.js';
import { rememberingLog } from './harness.js';

const directory = mkdtempSync(join(tmpdir(), 'svc-test-'));
const { log, lines } = rememberingLog();
const config = loadConfig({
  environment: {
    SVC_DATA_DIR: join(directory, 'data'),
    SVC_EMBEDDING: 'none',
    SVC_PORT: '0',
    SVC_PORT_B: '0',
    SVC_INGEST_ROOTS: directory,
    SVC_LOG_LEVEL: 'silent',
  },
});
let service: ComposedService;
let running: Running;

beforeAll(async () => {
  service = await compose(config);
  running = await startServer({ config, service, log, variants: ['a', 'b'] });
});
afterAll(async () => {
  await running.close();
  await service.close();
  rmSync(directory, { recursive: true });
});

async function call(variant: VariantName, method: string, path: string, body?: unknown) {
  const response = await fetch(`${running.urls[variant]}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type') ?? '', text };
}

it('warns once of a keys file that is not there, though each variant has an application', async () => {
  const { log, lines } = rememberingLog();
  const auth = { ...config.auth, keys_file: join(directory, 'absent.yaml') };
  const another = await startServer({ config: { ...config, auth }, service, log, variants: ['a', 'b'] });
  await another.close();
  const warnings = lines.filter(({ message }) => message.includes('SVC_KEYS_FILE'));
  expect(warnings).toHaveLength(1);
});

describe.each(['a', 'b'] as const)('the OpenAPI document of variant %s', (variant) => {
  const document = documentOf(variant, config);

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('is what the service answers', async () => {
    const { text } = await call(variant, 'GET', `${VARIANTS[variant].base}/openapi.json`);
    expect(JSON.parse(text)).toEqual(document);
  });
});

/** Good calls in an order in which each finds what it needs: method, path, body, expected status. */
const CALLS: Array<[method: string, path: string, body?: unknown, status?: number]> = [
  ['GET', '/v1/health'],
  ['GET', '/v1/ready'],
  ['GET', '/v1/status'],
  ['POST', '/v1/ingest', { source_path: join(directory, 'tea.md'), domain: 'notes' }],
  ['POST', '/v1/ingest/text', { text: 'Green tea comes from Japan.', domain: 'notes', name: 'origin' }],
  [
    'POST',
    '/v1/ingest/structured',
    {
      domain: 'notes/a b',
      concepts: [{ name: 'Tea' }, { name: 'Water', description: 'Boils.' }],
      edges: [{ source: 'Tea', target: 'Water', relation: 'requires' }],
      rules: [{ text: 'Tea needs water.', category: 'kitchen' }],
    },
  ],
  ['POST', '/v1/ingest/message', { text: 'I like green tea.', session_id: 's', role: 'user', domain: 'talk' }],
  ['GET', '/v1/domains'],
  ['GET', '/v1/stats'],
  ['GET', '/v1/documents?domain=notes&limit=10'],
  ['POST', '/v1/query', { context: 'Where does green tea come from?', mode: 'auto', top_k: 5 }],
  ['POST', '/v1/query', { context: 'green tea', mode: 'vec' }, 503],
  ['POST', '/v1/rules', { domains: ['notes/a b'] }],
  ['POST', '/v1/compare', { context: 'green tea' }],
  ['POST', '/v1/explore', { node_id: 'notes:absent' }, 404],
  ['POST', '/v1/feedback', { query_id: 'absent', outcomes: { x: 'accepted' } }, 404],
  ['POST', '/v1/learning/select', { learner: 'l', candidates: [{ id: 'a' }, { id: 'b', token_cost: 3 }], k: 1 }],
  ['POST', '/v1/learning/observe', { learner: 'l', arm_id: 'a', outcome: 'accepted' }],
  ['GET', '/v1/learning/l/posteriors?arm_ids=a,b'],
  ['GET', '/v1/learning/l/posteriors?context=%7B%22task%22%3A1%7D'],
  ['GET', '/v1/learning/l/metrics?window=10'],
  ['POST', '/v1/learning/sessions/start', { learner: 'l', session_name: 'n' }],
  ['POST', '/v1/learning/sessions/end', { session_id: 'absent' }, 404],
  ['POST', '/v1/learning/reset', { learner: 'l' }],
  ['GET', '/v1/sources'],
  ['POST', '/v1/sources/absent/sync', undefined, 404],
  ['DELETE', '/v1/sources/absent', undefined, 404],
  ['DELETE', '/v1/documents/absent', undefined, 404],
  ['DELETE', '/v1/domains/notes%2Fa%20b'],
  ['DELETE', '/v1/domains/absent', undefined, 404],
];

describe('variant a', () => {
  it.each(CALLS)('%s %s', async (...[method, path, body, expected = 200]) => {
    if (path === '/v1/ingest')
      writeFileSync(join(directory, 'tea.md'), '# Tea\n\nAlways brew green tea below 80 degrees.\n');
    const { status, text } = await call('a', method, path, body);
    expect([status, status === expected ? '' : text]).toEqual([expected, '']);
    const row = rowOf(VARIANTS.a.rows, method, path);
    const schema = status === 200 ? (row.shown?.output ?? row.operation.output) : { required: ['error', 'code'] };
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
    ajv.validate(JSON.parse(JSON.stringify(schema)), JSON.parse(text));
    expect(ajv.errors ?? []).toEqual([]);
  });
});

function rowOf(rows: readonly RouteRow[], method: string, path: string): RouteRow {
  const bare = path.split('?')[0]!;
  const matches = (row: RouteRow) => new RegExp(`^${row.path.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(bare);
  const found = rows.filter((row) => row.method === method && matches(row));
  return found.find((row) => row.path === bare) ?? found[0]!;
}

/** Hostile values for any member. */
const VALUES = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\0',
    'a'.repeat(5000),
    -1,
    0,
    1e308,
    1.5,
    [],
    {},
    [null],
    [[]],
    { $ne: 1 },
    '../..',
    '\ud800',
  ),
);

function queryOf(input: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    query.set(name, typeof value === 'string' ? wellFormed(value) : JSON.stringify(value));
  }
  return query;
}

/** Lone surrogates cannot stand in a URL. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '?');
}

/** Never called here: they connect to hosts, or rewrite everything. */
const SPARED = new Set(['/v1/sources/connect', '/v1/admin/migrate-vec', '/api/v1/migrate/vec', '/api/v1/ingest']);

describe('every route', () => {
  const rows = (['a', 'b'] as const).flatMap((variant) =>
    VARIANTS[variant].rows
      .filter((row) => !SPARED.has(row.path))
      .map((row) => [`${row.method} ${row.path}`, variant, row] as const),
  );

  const numbers = rows.flatMap(([name, variant, row]) =>
    Object.entries((row.operation.input.properties ?? {}) as Record<string, { type?: string }>)
      .filter(([, schema]) => schema.type === 'integer' || schema.type === 'number')
      .map(([member]) => [name, variant, row, member] as const),
  );

  it.each(numbers)('%s survives numbers at the ends of the range (%#)', async (_name, variant, row, member) => {
    const path = row.path.replace(/\{[^}]+\}/g, 'x');
    for (const value of [1e308, -1e308, Number.MAX_SAFE_INTEGER, 2 ** 63]) {
      lines.length = 0;
      const query = row.method === 'POST' ? '' : `?${member}=${value}`;
      const body = row.method === 'POST' ? { [member]: value } : undefined;
      const { status } = await call(variant, row.method, `${path}${query}`, body);
      expect([member, value, lines.filter((line) => line.level === 'error')]).toEqual([member, value, []]);
      expect(status).not.toBe(500);
    }
  });

  it.each(rows)('%s answers JSON and never 500, whatever it is sent', async (_name, variant, row) => {
    const members = Object.keys((row.operation.input.properties ?? {}) as object);
    const input = fc.dictionary(fc.constantFrom(...members, 'unknown'), VALUES, { maxKeys: 6 });
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(input, text, async (sent, parameter) => {
        lines.length = 0;
        const path = parametersOf(row.path).reduce(
          (made, name) => made.replace(`{${name}}`, encodeURIComponent(wellFormed(parameter))),
          row.path,
        );
        const query = row.method === 'POST' ? '' : `?${queryOf(sent)}`;
        const answer = await call(variant, row.method, `${path}${query}`, row.method === 'POST' ? sent : undefined);
        const logged = JSON.stringify(lines.filter((line) => line.level === 'error'));
        expect([answer.status === 500 ? logged : '', answer.type]).toEqual(['', 'application/json; charset=utf-8']);
        if (answer.status >= 400)
          expect(JSON.parse(answer.text)).toMatchObject({
            error: expect.any(String),
            // The learning API of the gateway answers a sentence only.
            ...(row.path.startsWith(LEARNING_BASE) ? {} : { code: expect.any(String) }),
          });
      }),
      { numRuns: 40 },
    );
  });
});
