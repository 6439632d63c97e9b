import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tools } from '../../src/mcp/tools.js';
import type { RouteRow } from '../../src/server/routes/row.js';
import { VARIANTS, type VariantName } from '../../src/server/variants.js';
import { startWorld, type World } from '../mcp/world.js';
import { json } from './harness.js';

const SIZE = 10 * 1024 * 1024 - 1024;

/** A JSON object of about ten megabytes around a text that repeats. */
function body(before: string, unit: string, after: string): string {
  return `${before}${unit.repeat(Math.floor((SIZE - before.length - after.length) / unit.length))}${after}`;
}

function manyKeys(): string {
  const members = Array.from({ length: 600_000 }, (_, i) => `"k${i}":${i}`);
  return `{${members.join(',')}}`.slice(0, SIZE);
}

/** What is wrong with a body, in the order in which it is looked at; nothing is wrong with the JSON of an object. */
type Kind = 'too many members' | 'malformed' | 'an empty object' | 'an object' | 'an object with a domain';

/** Rows that need no input, and so ignore members that they do not know; their parameters in the path name nothing. */
const WITHOUT_INPUT: Readonly<Record<string, number>> = {
  '/v1/rules': 200,
  '/v1/admin/reindex': 200,
  '/v1/interoception/reset': 200,
  '/v1/jobs/{job_id}/cancel': 404,
  '/v1/jobs/{job_id}/retry': 404,
  '/v1/sources/{source_id}/forget': 200,
  '/v1/sources/{source_id}/sync': 404,
};

/** Rows that need no input, and refuse members that they do not know. */
const CLOSED = ['/__gateway__/api/learning/reset'];

/** Rows that need a domain at most: there is none of this name. */
const WITH_A_DOMAIN: Readonly<Record<string, number>> = {
  '/v1/entities/resolve': 404,
  '/v1/rules': 404,
  '/v1/interoception/reset': 404,
};

function statusOf(row: RouteRow, kind: Kind): number {
  if (row.body === 'multipart') return 415;
  if (row.bodyLimit !== undefined || kind === 'too many members') return 413;
  if (kind === 'malformed') return 400;
  if (CLOSED.includes(row.path)) return kind === 'an empty object' ? 200 : 400;
  return (kind === 'an object with a domain' ? WITH_A_DOMAIN[row.path] : undefined) ?? WITHOUT_INPUT[row.path] ?? 400;
}

/**
 * Ten megabytes of each kind; every member that some row reads as text, list or object is named. The last is the member that is
 * large, where a route's own handling reads it: what lacks one is refused or emptied by who reads the body, for all routes.
 */
const HOSTILE: ReadonlyArray<readonly [name: string, make: () => string | Buffer, kind: Kind, member?: string]> = [
  ['keys of one object', manyKeys, 'too many members'],
  ['keys of nested objects', () => body('{"context":{"a":', '{"b":1},"c":', '1}}'), 'too many members'],
  ['open lists', () => body('{"context":', '[', ''), 'malformed'],
  ['an object in an object in an object', () => body('', '{"a":', ''), 'malformed'],
  [
    'one rule',
    () => body('{"domain":"h","concepts":[],"rules":[{"text":"', 'must not x ', '"}]}'),
    'an object with a domain',
    'rules',
  ],
  [
    'one description',
    () => body('{"domain":"h","concepts":[{"name":"n","description":"', 'word ', '"}]}'),
    'an object with a domain',
    'concepts',
  ],
  ['one name', () => body('{"domain":"h","concepts":[{"name":"', 'n', '"}]}'), 'an object with a domain', 'concepts'],
  ['a question', () => body('{"context":"', 'why ', '"}'), 'an object', 'context'],
  [
    'a learner context',
    () => body('{"learner":"l","candidates":[{"id":"a"}],"context":{"a":"', 'x', '"}}'),
    'an object',
    'learner',
  ],
  ['numbers', () => body('{"index_name":"i","vectors":[[', '1,', '1]]}'), 'too many members'],
  ['escapes', () => body('{"text":"', '\\u0000', '","domain":"h"}'), 'an object with a domain', 'text'],
  ['half surrogate pairs', () => body('{"context":"', '\\ud800', '"}'), 'an object', 'context'],
  ['white space', () => body('{', ' ', '}'), 'an empty object'],
  ['bytes that are not JSON', () => Buffer.alloc(SIZE, 0xff), 'malformed'],
];

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

const ROUTES = (Object.keys(VARIANTS) as VariantName[]).flatMap((variant) =>
  VARIANTS[variant].rows.filter(({ method }) => method === 'POST').map((row) => ({ variant, row })),
);

/** Kinds by name, with where each is sent. */
const SENT = HOSTILE.map(([name, , , member], kind) => ({
  name,
  routes: ROUTES.filter(
    ({ row }, place) => (place + kind) % 3 === 0 || (member !== undefined && member in row.operation.input.properties),
  ),
}));

/**
 * One function reads the bodies of all routes, so each route gets every third kind in turn, and each kind whose large member it
 * reads. hostile-kinds.test.ts sends every kind to every route, short enough to be handled; `npm run bench:hostile` sends all at
 * their full size.
 */
describe.each(Object.keys(VARIANTS) as VariantName[])('variant %s', (name) => {
  it.each(HOSTILE)('answers ten megabytes of %s, and health meanwhile', async (kindName, make, kind) => {
    const url = name === 'a' ? world.a : world.b;
    const sent = make();
    const before = await json(await fetch(`${url}${VARIANTS[name].base}/domains`));
    const routes = SENT.find((one) => one.name === kindName)!.routes.filter(({ variant }) => variant === name);
    expect(routes).not.toEqual([]);
    for (const { row } of routes) {
      const { path } = row;
      const target = path.replace(/\{[^}]+\}/g, 'h');
      const [answer, health] = await Promise.all([
        fetch(`${url}${target}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: sent }),
        fetch(`${url}${VARIANTS[name].base}/health`),
      ]);
      expect([path, health.status]).toEqual([path, 200]);
      expect([path, answer.status]).toEqual([path, statusOf(row, kind)]);
      const { error } = await json(answer);
      expect([path, typeof error]).toEqual([path, answer.status === 200 ? 'undefined' : 'string']);
    }
    expect(await json(await fetch(`${url}${VARIANTS[name].base}/domains`))).toEqual(before);
  });
});

it('every kind is sent to many routes, and every route gets several kinds', () => {
  const kindsOf = (row: RouteRow) => SENT.filter(({ routes }) => routes.some((one) => one.row === row)).length;
  expect(Math.min(...SENT.map(({ routes }) => routes.length))).toBeGreaterThanOrEqual(16);
  expect(Math.min(...ROUTES.map(({ row }) => kindsOf(row)))).toBeGreaterThanOrEqual(4);
});

/** Pages that read JSON beside the rows, with the headers that they ask for. */
const PAGES = ['/mcp', '/messages?sessionId=none', '/v1/traces', '/v1/logs', '/__gateway__/api/green/ingest'];
/**
 * One of each cost: what is refused by its length, what is cleaned, what is looked at as a whole. All tools get their arguments
 * from one function, so each gets one of them in turn, and those whose large member it reads.
 */
const IN_TOOLS = ['one rule', 'escapes', 'half surrogate pairs'];
const TOOL_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

describe('pages and tools', () => {
  it.each(HOSTILE)('answer ten megabytes of %s, and health meanwhile', async (_name, make) => {
    const sent = make();
    for (const path of PAGES) {
      const [answer, health] = await Promise.all([
        fetch(`${world.a}${path}`, { method: 'POST', headers: TOOL_HEADERS, body: sent }),
        fetch(`${world.a}/v1/health`),
      ]);
      expect([path, health.status]).toEqual([path, 200]);
      // OTLP takes a request without any of its lists as one that is empty.
      expect([path, [200, 400, 404, 413]]).toEqual([path, expect.arrayContaining([answer.status])]);
      expect(typeof (await json(answer))).toBe('object');
    }
  });

  it.each(tools.map(({ name, parameters }, place) => [name, parameters, place] as const))(
    'answers ten megabytes in the arguments of %s, and health meanwhile',
    async (name, parameters, place) => {
      const inTurn = IN_TOOLS[place % IN_TOOLS.length];
      const kinds = HOSTILE.filter(
        ([kind, , , member]) => kind === inTurn || (IN_TOOLS.includes(kind) && parameters.includes(member!)),
      );
      expect(kinds).not.toEqual([]);
      for (const [, make] of kinds) {
        const params = `{"name":"svc_${name}","arguments":${String(make())}}`;
        const [answer, health] = await Promise.all([
          fetch(`${world.a}/mcp`, {
            method: 'POST',
            headers: TOOL_HEADERS,
            body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
          }),
          fetch(`${world.a}/v1/health`),
        ]);
        expect(health.status).toBe(200);
        expect(answer.status).toBe(200);
        expect(await answer.text()).toContain('"jsonrpc"');
      }
    },
  );

  it.each([
    ['id', { id: 'i'.repeat(1001), method: 'ping' }],
    ['method', { id: 1, method: 'm'.repeat(1001) }],
    ['params.name', { id: 1, method: 'tools/call', params: { name: 'n'.repeat(1001), arguments: {} } }],
  ])('refuses a message whose %s is long, alone and in a batch', async (member, message) => {
    for (const body of [{ jsonrpc: '2.0', ...message }, [{ jsonrpc: '2.0', ...message }]]) {
      const answer = await fetch(`${world.a}/mcp`, {
        method: 'POST',
        headers: TOOL_HEADERS,
        body: JSON.stringify(body),
      });
      const details = { member, limit: 1000 };
      expect([answer.status, await json(answer)]).toEqual([
        413,
        expect.objectContaining({ code: 'too_large', details: expect.objectContaining(details) }),
      ]);
    }
  });

  it('refuses a batch of more than a hundred messages', async () => {
    const batch = Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const answer = await fetch(`${world.a}/mcp`, {
      method: 'POST',
      headers: TOOL_HEADERS,
      body: JSON.stringify(batch),
    });
    expect([answer.status, await json(answer)]).toEqual([413, expect.objectContaining({ code: 'too_large' })]);
  });
});

describe('folders of uploads', () => {
  it('of a killed process are removed at the next start, those of a living one stay', async () => {
    const before = process.env.TMPDIR;
    const folder = mkdtempSync(join(tmpdir(), 'svc-stale-'));
    process.env.TMPDIR = folder;
    try {
      // No process has this number: it is above the largest that Linux gives.
      mkdirSync(join(folder, 'svc-upload-99999999-dead'));
      mkdirSync(join(folder, `svc-upload-${process.ppid}-alive`));
      mkdirSync(join(folder, 'somebody-else'));
      const started = await startWorld({ SVC_EMBEDDING: 'none' });
      const left = readdirSync(folder).filter((name) => !name.startsWith('svc-world-'));
      await started.close();
      expect(left.sort()).toEqual(['somebody-else', `svc-upload-${process.ppid}-alive`]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
