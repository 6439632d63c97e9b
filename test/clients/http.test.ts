import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HttpClient } from '../../src/clients/http.js';

type Answer = (request: IncomingMessage, response: ServerResponse, attempt: number) => void;

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  servers = [];
});

/** A server that answers as configured, and counts. */
async function answering(answer: Answer) {
  const seen: Array<{ target: string; headers: IncomingMessage['headers']; socket: unknown }> = [];
  const server = createServer((request, response) => {
    seen.push({ target: request.url ?? '', headers: request.headers, socket: request.socket });
    request.resume();
    request.on('end', () => answer(request, response, seen.length));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const ok = (response: ServerResponse, value: unknown = []) => response.end(JSON.stringify(value));
const failing = (response: ServerResponse, status: number, code: string, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: 'As asked.', code }));
};

describe('the HTTP client', () => {
  it('says that it is closed, once it is', async () => {
    const { url, seen } = await answering((_request, response) => ok(response));
    const client = new HttpClient(url);
    await client.close();
    await client.close();
    const closed = { code: 'conflict', message: 'The client is closed; make a new one.' };
    await expect(client.domains()).rejects.toMatchObject(closed);
    await expect(client.explore('d:1')).rejects.toMatchObject(closed);
    expect(seen).toEqual([]);
  });

  it('tries again on 503 and 429, waiting as long as it is asked to', async () => {
    const { url, seen } = await answering((_request, response, attempt) => {
      if (attempt === 1) failing(response, 503, 'unavailable');
      else if (attempt === 2) failing(response, 429, 'rate_limited', { 'retry-after': '1' });
      else ok(response);
    });
    const client = new HttpClient(url);
    const started = performance.now();
    expect(await client.domains()).toEqual([]);
    expect(seen).toHaveLength(3);
    // Without the header it would be far less; a timer may fire a little early.
    expect(performance.now() - started).toBeGreaterThan(900);
    await client.close();
  });

  it('tries again when the connection breaks, and signs each attempt anew', async () => {
    const { url, seen } = await answering((request, response, attempt) => {
      if (attempt < 3) request.socket.destroy();
      else ok(response);
    });
    const client = new HttpClient(url, { hmac_secret: 's' });
    expect(await client.domains()).toEqual([]);
    expect(new Set(seen.map((one) => one.headers['x-svc-nonce'])).size).toBe(3);
    await client.close();
  });

  it.each([
    [400, 'invalid_input'],
    [401, 'unauthorized'],
    [404, 'domain_not_found'],
    [500, 'internal'],
  ])('does not try again on %d', async (status, code) => {
    const { url, seen } = await answering((_request, response) => failing(response, status, code));
    const client = new HttpClient(url);
    await expect(client.domains()).rejects.toMatchObject({ code, message: 'As asked.' });
    expect(seen).toHaveLength(1);
    await client.close();
  });

  it('gives up after its attempts, with the error of the last', async () => {
    const { url, seen } = await answering((_request, response) => failing(response, 503, 'disabled'));
    const client = new HttpClient(url, { attempts: 2 });
    await expect(client.domains()).rejects.toMatchObject({ code: 'disabled' });
    expect(seen).toHaveLength(2);
    await client.close();
  });

  it('gives up when its time is over', async () => {
    const { url } = await answering(() => undefined);
    const client = new HttpClient(url, { timeout: 0.3 });
    await expect(client.domains()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('0.3 s'),
    });
    await client.close();
  });

  it('says so where nothing listens, and where another server answers', async () => {
    const nobody = new HttpClient('http://127.0.0.1:9', { attempts: 1 });
    await expect(nobody.domains()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('base address'),
    });
    await nobody.close();
    const { url } = await answering((_request, response) => {
      response.statusCode = 502;
      response.end('<html>proxy</html>');
    });
    const client = new HttpClient(url);
    await expect(client.domains()).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining('502') });
    await client.close();
  });

  it('says which variant it speaks where the other one answers', async () => {
    const { url } = await answering((request, response) => {
      response.statusCode = 404;
      const error = `${request.url} is not a path of this service.`;
      response.end(JSON.stringify({ error, code: 'not_found' }));
    });
    const client = new HttpClient(url);
    await expect(client.domains()).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('speaks variant B (port 8741 by default)'),
    });
    await client.close();
  });

  it('fails clearly on a success that is no JSON', async () => {
    const { url } = await answering((_request, response) => response.end('<html>login</html>'));
    const client = new HttpClient(url, { attempts: 1 });
    await expect(client.domains()).rejects.toMatchObject({ name: 'SvcError' });
    await client.close();
  });

  it('uses its connections again', async () => {
    const { url, seen } = await answering((_request, response) => ok(response));
    const client = new HttpClient(url);
    for (let i = 0; i < 5; i += 1) await client.domains();
    expect(new Set(seen.map((one) => one.socket)).size).toBeLessThan(3);
    await client.close();
  });

  it('keeps a path of the base address, and signs it', async () => {
    const { url, seen } = await answering((_request, response) => ok(response));
    const client = new HttpClient(`${url}/knowledge/`);
    await client.domains();
    expect(seen[0]!.target).toBe('/knowledge/api/v1/domains');
    await client.close();
  });

  it.each([
    ['/api/v1', '/api/v1/domains'],
    ['/api/v1/', '/api/v1/domains'],
    ['/', '/api/v1/domains'],
    ['/knowledge/api/v1//', '/knowledge/api/v1/domains'],
  ])('reaches variant B from a base address that ends in %s', async (path, target) => {
    const { url, seen } = await answering((_request, response) => ok(response));
    const client = new HttpClient(`${url}${path}`);
    await client.domains();
    expect(seen[0]!.target).toBe(target);
    await client.close();
  });

  it.each(['nonsense', 'ftp://host', ''])('refuses %j as a base address', (address) => {
    expect(() => new HttpClient(address)).toThrow(/base address/);
  });

  it('ends a call that is cancelled while it waits for an answer or for the next attempt', async () => {
    const answers: Answer[] = [
      () => undefined,
      (_request, response) => failing(response, 503, 'unavailable', { 'retry-after': '20' }),
    ];
    for (const answer of answers) {
      const cancel = new AbortController();
      const { url, seen } = await answering((...all) => {
        answer(...all);
        setImmediate(() => cancel.abort());
      });
      const client = new HttpClient(url);
      await expect(client.query('tea', { signal: cancel.signal })).rejects.toMatchObject({ code: 'cancelled' });
      await expect(client.status({ signal: cancel.signal })).rejects.toMatchObject({ code: 'cancelled' });
      expect(seen).toHaveLength(1);
      await client.close();
    }
  });

  it('waits as long as a timer can where the time is unbounded', async () => {
    const { url } = await answering((_request, response) => ok(response));
    for (const timeout of [Number.POSITIVE_INFINITY, 10 ** 9]) {
      const client = new HttpClient(url, { timeout });
      expect(await client.domains()).toEqual([]);
      await client.close();
    }
  });

  it.each([{ timeout: 0 }, { timeout: -1 }, { timeout: Number.NaN }, { attempts: 0 }, { attempts: 1.5 }])(
    'refuses %p',
    (options) => {
      const member = Object.keys(options)[0];
      expect(() => new HttpClient('http://127.0.0.1:1', options)).toThrow(
        expect.objectContaining({ code: 'invalid_input', details: { member } }),
      );
    },
  );
});
