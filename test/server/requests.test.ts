import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { json, post, type Serving, serving } from './harness.js';

let server: Serving;
beforeAll(async () => {
  server = await serving({ SVC_MAX_BODY_BYTES: '20000' });
});
afterAll(() => server.close());

const at = (path: string) => `${server.url}${path}`;

describe('a request', () => {
  it('is validated, filled with defaults and answered', async () => {
    const response = await post(at('/v1/echo'), { text: 'a', unknown: 1 });
    expect(response.status).toBe(200);
    expect(await json(response)).toEqual({
      got: { text: 'a', top_k: 20, domains: [], loud: false },
      authenticated: false,
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('takes null for an optional member as absent', async () => {
    const response = await post(at('/v1/echo'), { text: 'a', top_k: null, context: null });
    expect((await json(response)).got).toMatchObject({ top_k: 20 });
  });

  it('is answered with the status and shape of its row', async () => {
    const response = await post(at('/v1/ping'), {});
    expect([response.status, await json(response)]).toEqual([201, { pong: 'ok' }]);
  });

  it('answers HEAD like GET, without a body', async () => {
    const response = await fetch(at('/v1/health'), { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it.each([
    ['both encodings of a list: repeated', '/v1/echo?text=a&domains=x&domains=y%2Cz', { domains: ['x', 'y,z'] }],
    ['both encodings of a list: commas', '/v1/echo?text=a&domains=x,y%2Cz', { domains: ['x', 'y', 'z'] }],
    ['an empty list', '/v1/echo?text=a&domains=', { domains: [] }],
    ['empty values as absent', '/v1/echo?text=a&top_k=&loud=&context=&domains=', { top_k: 20, loud: false }],
    ['booleans in any case', '/v1/echo?text=a&loud=True', { loud: true }],
    ['numbers and booleans', '/v1/echo?text=a&top_k=7&loud=true', { top_k: 7, loud: true }],
    ['an object as JSON', '/v1/echo?text=a&context=%7B%22a%22%3A1%7D', { context: { a: 1 } }],
    ['digits of a text', '/v1/echo?text=12', { text: '12' }],
    ['plus as a space', '/v1/echo?text=a+b', { text: 'a b' }],
  ])('reads the query string: %s', async (_name, path, expected) => {
    expect((await json(await fetch(at(path)))).got).toMatchObject(expected);
  });

  it.each(['domain=x&domain=y', 'domain=x&domain=x&domains=z'])(
    'refuses one domain in the place of domains that is given twice: %s',
    async (query) => {
      const response = await fetch(at(`/v1/echo?text=a&${query}`));
      expect([response.status, await json(response)]).toEqual([
        400,
        {
          error: 'domain is given 2 times; give it once, or send domains once for each of them.',
          code: 'invalid_input',
          details: { member: 'domain' },
        },
      ]);
    },
  );

  it('takes one domain in the query string in the place of domains', async () => {
    expect((await json(await fetch(at('/v1/echo?text=a&domain=x')))).got).toMatchObject({ domains: ['x'] });
  });

  it('refuses an empty value where the member is required, and where the call changes something', async () => {
    for (const [method, path, member] of [
      ['GET', '/v1/echo?text=', 'text'],
      ['DELETE', '/v1/things?kind=', 'kind'],
    ] as const) {
      const response = await fetch(at(path), { method });
      expect([response.status, (await json(response)).details]).toEqual([400, { member }]);
    }
  });

  it('does not coerce members of a JSON body', async () => {
    const response = await post(at('/v1/echo'), { text: 'a', top_k: '7' });
    expect(response.status).toBe(400);
    expect((await json(response)).error).toContain('top_k');
  });

  it.each([
    ['a slash', 'a%2Fb', 'a/b'],
    ['a space', 'a%20b', 'a b'],
    ['a percent sign', '100%25', '100%'],
    ['what looks encoded twice', 'a%252Fb', 'a%2Fb'],
    ['other scripts', '%E6%9D%B1', '東'],
    ['a colon', 'd:1', 'd:1'],
    ['a plus, which is no space in a path', 'a+b', 'a+b'],
  ])('decodes path parameters once: %s', async (_name, encoded, expected) => {
    const response = await fetch(at(`/v1/things/${encoded}`), { method: 'DELETE' });
    expect(await json(response)).toEqual({ thing_id: expected });
  });

  it.each(['%', '%zz', '%ff'])('refuses the malformed escape %s', async (encoded) => {
    const response = await fetch(at(`/v1/things/${encoded}`), { method: 'DELETE' });
    expect(response.status).toBe(400);
    expect(await json(response)).toMatchObject({ code: 'invalid_input', details: { member: 'thing_id' } });
  });

  it('prefers a fixed segment to a parameter, and the path to the body', async () => {
    expect((await post(at('/v1/things/all'), {})).status).toBe(200);
    const response = await post(at('/v1/things/one/sync'), { thing_id: 'two' });
    expect(await json(response)).toEqual({ thing_id: 'one' });
  });

  it('needs no body where the path says everything', async () => {
    const response = await fetch(at('/v1/things/one/sync'), { method: 'POST' });
    expect(await json(response)).toEqual({ thing_id: 'one' });
  });
});

describe('a bad request', () => {
  const cases: Array<[string, string, RequestInit, number, string]> = [
    ['unknown path', '/nowhere', {}, 404, 'not_found'],
    ['wrong method', '/v1/echo', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['malformed JSON', '/v1/echo', { method: 'POST', body: '{"text":' }, 400, 'invalid_input'],
    ['JSON with an empty body', '/v1/echo', { method: 'POST', body: '' }, 400, 'invalid_input'],
    ['array', '/v1/echo', { method: 'POST', body: '[]' }, 400, 'invalid_input'],
    ['string', '/v1/echo', { method: 'POST', body: '"a"' }, 400, 'invalid_input'],
    ['null', '/v1/echo', { method: 'POST', body: 'null' }, 400, 'invalid_input'],
    ['bad UTF-8', '/v1/echo', { method: 'POST', body: Buffer.from('{"text":"\xe9"}', 'latin1') }, 400, 'invalid_input'],
    [
      'a body that is too large',
      '/v1/echo',
      { method: 'POST', body: `{"text":"${'a'.repeat(20_000)}"}` },
      413,
      'too_large',
    ],
    [
      'nesting',
      '/v1/echo',
      { method: 'POST', body: `{"text":"a","context":{"a":${'['.repeat(500)}${']'.repeat(500)}}}` },
      400,
      'invalid_input',
    ],
    ['__proto__', '/v1/echo', { method: 'POST', body: '{"text":"a","__proto__":{"top_k":3}}' }, 400, 'invalid_input'],
    [
      'escaped __proto__',
      '/v1/echo',
      { method: 'POST', body: '{"text":"a","context":{"\\u005f_proto__":1}}' },
      400,
      'invalid_input',
    ],
    ['a value out of range', '/v1/echo', { method: 'POST', body: '{"text":"a","top_k":5000}' }, 400, 'invalid_input'],
    ['a query value that is no number', '/v1/echo?text=a&top_k=x', {}, 400, 'invalid_input'],
    ['a single value given twice', '/v1/echo?text=a&text=b', {}, 400, 'invalid_input'],
  ];
  it.each(cases)('gets JSON with a code: %s', async (_name, path, init, status, code) => {
    const headers = init.body === undefined ? {} : { 'Content-Type': 'application/json' };
    const response = await fetch(at(path), { ...init, headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/json');
    const body = await json(response);
    expect(body.code).toBe(code);
    expect(String(body.error).length).toBeGreaterThan(10);
    expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:/);
  });

  it.each(['{"dry_run":true}', 'dry_run=true', ' '.repeat(2000)])(
    'is refused where the body of a DELETE would be ignored: %.20j',
    async (body) => {
      const response = await fetch(at('/v1/things/a'), { method: 'DELETE', body });
      expect(response.ok).toBe(false);
      expect((await json(response)).code).toMatch(/^(invalid_input|too_large)$/);
    },
  );

  it.each(['', ' ', '{}', '{ }\n'])('has nothing to ignore in a DELETE with the body %j', async (body) => {
    const response = await fetch(at('/v1/things/a'), { method: 'DELETE', body });
    expect(await json(response)).toEqual({ thing_id: 'a' });
  });

  it('names the member that is missing', async () => {
    const response = await post(at('/v1/echo'), {});
    expect(await json(response)).toMatchObject({ code: 'invalid_input', details: { member: 'text' } });
  });

  it('names the allowed methods', async () => {
    const response = await fetch(at('/v1/echo'), { method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['multipart/form-data; boundary=x', {}],
    ['application/json; charset=latin1', {}],
    ['application/json', { 'Content-Encoding': 'gzip' }],
  ])('is refused with the content type %s', async (type, more) => {
    const response = await fetch(at('/v1/echo'), {
      method: 'POST',
      headers: { 'Content-Type': type, ...more } as Record<string, string>,
      body: '{"text":"a"}',
    });
    expect([response.status, (await json(response)).code]).toEqual([415, 'unsupported_media']);
  });

  it('is refused with a body of unknown type', async () => {
    const response = await fetch(at('/v1/echo'), { method: 'POST', body: new Blob(['{"text":"a"}']) });
    expect(response.status).toBe(415);
  });

  it('accepts a charset of UTF-8 and structured suffixes', async () => {
    for (const type of ['application/json; charset=UTF-8', 'application/ld+json', 'Application/JSON']) {
      expect((await post(at('/v1/echo'), { text: 'a' }, { 'Content-Type': type })).status).toBe(200);
    }
  });

  it('keeps a chunked body within the limit too', async () => {
    async function* chunks() {
      for (let i = 0; i < 40; i += 1) yield Buffer.alloc(1000, 'a');
    }
    const response = await fetch(at('/v1/echo'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: chunks() as unknown as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    expect([response.status, (await json(response)).code]).toEqual([413, 'too_large']);
  });
});

describe('a failing operation', () => {
  it('keeps its code and details', async () => {
    const response = await post(at('/v1/fail'), { how: 'conflict' });
    expect([response.status, await json(response)]).toEqual([
      409,
      { error: 'It failed as requested.', code: 'conflict', details: { how: 'conflict' } },
    ]);
  });

  it('says when to try again', async () => {
    const response = await post(at('/v1/fail'), { how: 'limited' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
  });

  it('hides what is unknown and logs it without passwords', async () => {
    server.lines.length = 0;
    const response = await post(at('/v1/fail'), { how: 'driver' });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain('postgres');
    const logged = JSON.stringify(server.lines.filter((line) => line.level === 'error'));
    expect(logged).toContain('postgres://me:***@db');
    expect(logged).not.toContain('secret');
  });
});

describe('the log', () => {
  it('has a line for each request, with neither query string nor headers nor body', async () => {
    server.lines.length = 0;
    await post(at('/v1/echo?top_k=3'), { text: 'private' }, { Authorization: 'Bearer private' });
    expect(server.lines).toHaveLength(1);
    expect(server.lines[0]!.fields).toMatchObject({ method: 'POST', path: '/v1/echo', status: 200 });
    expect(typeof server.lines[0]!.fields.latency_ms).toBe('number');
    expect(JSON.stringify(server.lines)).not.toContain('private');
  });
});
