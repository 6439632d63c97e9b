import fc from 'fast-check';
import { isErrorCode, statusOf } from '../../src/core/errors.js';
import { listing } from '../../src/mcp/tool-schema.js';
import { tools } from '../../src/mcp/tools.js';
import type { RouteRow } from '../../src/server/routes/row.js';
import { VARIANTS, type VariantName } from '../../src/server/variants.js';
import type { World } from '../../test/mcp/world.js';
import { DocumentedOperation } from '../../test/server/documented-operation.js';
import { type Schema, SchemaValues } from '../../test/server/schema-arbitrary.js';
import { mutated } from '../../test/server/schema-mutations.js';
import { type Answer, isOpenStream } from './judge.js';
import type { ToolCalls } from './sessions.js';

/** Something that takes generated requests: a route of a variant, a page, or a tool. */
export interface Target {
  readonly name: string;
  /** Requests to send, each a function; the same for a seed. */
  requests(count: number, seed: number): Array<() => Promise<Answer>>;
}

/** Paths that read a body beside the rows. */
const PAGES = [
  '/mcp',
  '/messages',
  '/v1/traces',
  '/v1/logs',
  '/__gateway__/api/learning/ingest',
  '/__gateway__/api/green/ingest',
];

/** Lists every row of both variants, the pages that take a body, and every tool. */
export function targetsOf(world: World, client: ToolCalls): Target[] {
  const rows = (['a', 'b'] as const).flatMap((variant) =>
    VARIANTS[variant].rows.flatMap((row) => [described(variant, row, world), rough(variant, row, world)]),
  );
  const pages = PAGES.map((path) => rough('a', { method: 'POST', path }, world));
  return [...rows, ...pages, ...tools.map((tool) => called(tool.name, listing(tool, 'svc').inputSchema, client))];
}

/** Requests that the OpenAPI document allows and forbids, half and half. */
function described(variant: VariantName, row: RouteRow, world: World): Target {
  const operation = new DocumentedOperation(variant, row);
  const forbidden = operation.forbidden();
  const cases = forbidden === undefined ? operation.allowed() : fc.oneof(operation.allowed(), forbidden);
  const name = `${variant} ${row.method} ${row.path}`;
  return {
    name,
    requests: (numRuns, seed) =>
      fc
        .sample(cases, { numRuns, seed })
        .map((sent) => () => answered(name, async () => operation.send(world[variant], sent))),
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'];
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/x-protobuf',
  'application/x-ndjson',
  'text/plain',
  '',
];

interface Rough {
  readonly method: string;
  readonly type: string;
  readonly accept: string;
  readonly encoding: string;
  readonly query: string;
  readonly place: string;
  readonly body: Uint8Array;
}

/** Requests that know nothing of the route but its path: any method, type, query and bytes. */
function rough(variant: VariantName, { method: usual, path }: Pick<RouteRow, 'method' | 'path'>, world: World): Target {
  const name = `${variant} ${usual} ${path}, roughly`;
  const segment = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    fc.constantFrom('%', '..', 'a b'),
  );
  const cases: fc.Arbitrary<Rough> = fc.record({
    method: fc.constantFrom(usual, usual, usual, ...METHODS),
    type: fc.constantFrom(...TYPES),
    accept: fc.constantFrom('*/*', 'application/json, text/event-stream', 'text/html'),
    encoding: fc.constantFrom('', '', '', 'gzip', 'deflate', 'nonsense'),
    query: fc.oneof(fc.constant(''), fc.string({ unit: 'binary-ascii', maxLength: 60 })),
    place: segment,
    body: fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
      fc
        .constantFrom(
          '{',
          '[',
          'null',
          '{"__proto__":{"a":1}}',
          '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
          '--x--',
        )
        .map((text) => Buffer.from(text)),
    ),
  });
  const send = async ({ method, type, accept, encoding, query, place, body }: Rough) => {
    const target = path.replace(/\{[^}]+\}/g, () => escaped(place));
    const sendsBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    const answer = await fetch(`${world[variant]}${target}${query === '' ? '' : `?${escaped(query)}`}`, {
      method,
      signal: AbortSignal.timeout(60_000),
      headers: {
        Accept: accept,
        ...(type === '' ? {} : { 'Content-Type': type }),
        ...(encoding === '' ? {} : { 'Content-Encoding': encoding }),
      },
      ...(sendsBody ? { body } : {}),
    });
    if (isOpenStream(method, answer)) {
      await answer.body?.cancel();
      return { status: answer.status, text: '' };
    }
    // An answer to HEAD has no body, whatever its status.
    const text = method === 'HEAD' ? '{"error":""}' : await answer.text();
    return { status: answer.status, text };
  };
  return {
    name,
    requests: (numRuns, seed) =>
      fc.sample(cases, { numRuns, seed }).map((sent) => () => answered(name, () => send(sent))),
  };
}

/** Percent-encodes; half a surrogate pair, which would throw, becomes a question mark. */
function escaped(text: string): string {
  return text === '%' ? '%' : encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'));
}

function called(tool: string, schema: unknown, client: ToolCalls): Target {
  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  const values = new SchemaValues({}).of(schema as Schema).filter(isObject);
  const cases = fc.oneof(values, mutated(values).filter(isObject));
  const name = `tool ${tool}`;
  const call = async (input: unknown) => {
    const { isError, content } = await client.call(`svc_${tool}`, input as Record<string, unknown>);
    if (isError !== true) return { status: 200, text: '' };
    const text = content[0]?.text ?? '';
    const { code } = JSON.parse(text) as { code?: unknown };
    return { status: isErrorCode(code) ? statusOf(code) : 500, text };
  };
  return {
    name,
    requests: (numRuns, seed) =>
      fc.sample(cases, { numRuns, seed }).map((input) => () => answered(name, () => call(input))),
  };
}

async function answered(target: string, send: () => Promise<Omit<Answer, 'target'>>): Promise<Answer> {
  try {
    return { target, ...(await send()) };
  } catch (error) {
    const { message, cause } = error as Error;
    return { target, status: 0, text: `${message} ${(cause as Error | undefined)?.message ?? ''}` };
  }
}
