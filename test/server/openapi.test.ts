import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROTECTED } from '../../scripts/pinned.js';
import { SvcError } from '../../src/core/errors.js';
import { VERSION } from '../../src/core/version.js';
import { documentationPages } from '../../src/server/docs.js';
import { errorBodyAt } from '../../src/server/gateway/surface.js';
import { openapi } from '../../src/server/openapi.js';
import { isRow } from '../../src/server/route.js';
import { documentOf } from '../../src/server/variants.js';
import { json, ROUTES, type Serving, serving } from './harness.js';

const rows = ROUTES.filter(isRow);
const document = openapi(rows, { title: 'Test', version: '1', name: 'svc' });
interface Shown {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}
type Operations = Record<string, Record<string, Record<string, unknown>>>;
const paths = document.paths as Operations;

describe('the OpenAPI document', () => {
  it('has each row once, with summary, responses and errors', () => {
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((m) => `${m} ${path}`),
    );
    expect(described.sort()).toEqual(rows.map((row) => `${row.method.toLowerCase()} ${row.path}`).sort());
    for (const methods of Object.values(paths)) {
      for (const operation of Object.values(methods)) {
        expect(operation.summary).toMatch(/\w/);
        expect(Object.keys(operation.responses as object)).toContain('400');
      }
    }
  });

  it('shows members with a default as optional, in bodies and query strings', () => {
    const body = paths['/v1/echo']!.post!.requestBody as {
      required: boolean;
      content: Record<string, { schema: { required: string[] } }>;
    };
    expect(body.required).toBe(true);
    expect(body.content['application/json']!.schema.required).toEqual(['text']);
    const parameters = paths['/v1/echo']!.get!.parameters as Array<{ name: string; required: boolean; in: string }>;
    expect(parameters.filter((one) => one.required).map((one) => one.name)).toEqual(['text']);
    expect(parameters.map((one) => one.name)).toContain('domains');
  });

  it.each(['/v1/query', '/__gateway__/api/learning/reward', '/__gateway__/api/green/targets'])(
    'shows the errors of %s as they are sent',
    (path) => {
      const { paths: served, components } = documentOf('a', PROTECTED) as unknown as {
        paths: Record<string, { post: { responses: Record<string, { content: Record<string, { schema: Shown }> }> } }>;
        components: { schemas: Record<string, Shown> };
      };
      const { schema } = served[path]!.post.responses['400']!.content['application/json']!;
      const shown = schema.$ref === undefined ? schema : components.schemas.Error!;
      const sent = errorBodyAt(path, new SvcError('invalid_input', 'Wrong.', { member: 'a' })) as Record<
        string,
        string
      >;
      expect(Object.keys(shown.properties!)).toEqual(Object.keys(sent));
      if (sent.code !== undefined) expect(shown.properties!.code!.description).toContain(sent.code);
    },
  );

  it('shows path parameters in the path only', () => {
    const { parameters, requestBody } = paths['/v1/things/{thing_id}/sync']!.post! as {
      parameters: unknown[];
      requestBody: { content: Record<string, { schema: { properties: object } }> };
    };
    expect(parameters).toMatchObject([{ name: 'thing_id', in: 'path', required: true }]);
    expect(requestBody.content['application/json']!.schema.properties).toEqual({});
  });

  it('shows the file part of an upload, not where it is spooled', () => {
    const { content } = paths['/v1/upload']!.post!.requestBody as {
      content: Record<string, { schema: Record<string, object> }>;
    };
    const { schema } = content['multipart/form-data']!;
    expect(Object.keys(schema.properties!)).toEqual(['file', 'domain', 'copies']);
    expect(schema.required).toEqual(['file', 'domain']);
  });

  it('names no credentials where none are configured', () => {
    expect(document.security).toBeUndefined();
    expect(JSON.stringify(document)).not.toContain('"401"');
    expect(JSON.stringify(document)).not.toContain('"429"');
  });

  it('asks for one of the credentials that are configured, except where the row is open', () => {
    const signed = openapi(rows, {
      title: 'Test',
      version: '1',
      name: 'svc',
      credentials: { apiKeys: true, signature: true },
      isLimited: true,
    });
    expect(signed.security).toEqual([{ apiKey: [] }, { signature: [], signatureTimestamp: [] }]);
    const { get } = (signed.paths as Operations)['/v1/health']!;
    expect(get!.security).toEqual([]);
    expect(Object.keys(get!.responses as object)).not.toContain('401');
    expect(Object.keys((signed.paths as Operations)['/v1/echo']!.post!.responses as object)).toEqual(
      expect.arrayContaining(['401', '413', '429', '431']),
    );
  });

  it('carries the version of the package', () => {
    expect(VERSION).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version);
  });
});

describe('the browsable page', () => {
  let server: Serving;
  beforeAll(async () => {
    const routes = [...ROUTES, ...documentationPages(document, '/v1')];
    server = await serving({ SVC_API_KEYS: 'k' }, { routes });
  });
  afterAll(() => server.close());

  it('loads nothing from elsewhere, and everything it names exists', async () => {
    const response = await fetch(`${server.url}/docs`);
    const page = await response.text();
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(page).not.toMatch(/https?:\/\//);
    const named = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1]!);
    expect(named).toHaveLength(4);
    for (const path of named) {
      const asset = await fetch(new URL(path, response.url));
      expect([path, asset.status]).toEqual([path, 200]);
      expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });

  it.each(['/docs/package.json', '/docs/..%2Fpackage.json', '/docs/constructor'])('does not serve %s', async (path) => {
    expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  });

  it('keeps the document itself behind authentication', async () => {
    expect((await fetch(`${server.url}/v1/openapi.json`)).status).toBe(401);
    const response = await fetch(`${server.url}/v1/openapi.json`, { headers: { Authorization: 'Bearer k' } });
    expect((await json(response)).openapi).toBe('3.1.0');
  });
});
