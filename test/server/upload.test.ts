import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { signRequest } from '../../src/core/hmac.js';
import { waitFor } from '../support/wait-for.js';
import { json, PATIENT, type Serving, serving } from './harness.js';

const SECRET = 'a secret';
let spool: string;
let open: Serving;
let signed: Serving;
let before: string | undefined;

beforeAll(async () => {
  spool = await mkdtemp(join(tmpdir(), 'svc-test-'));
  before = process.env.TMPDIR;
  process.env.TMPDIR = spool;
  open = await serving({ SVC_MAX_UPLOAD_BYTES: '300000', SVC_MAX_BODY_BYTES: '2000' });
  signed = await serving({ SVC_HMAC_SECRET: SECRET, SVC_MAX_UPLOAD_BYTES: '300000', SVC_MAX_BODY_BYTES: '2000' });
});
afterAll(async () => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  await Promise.all([open.close(), signed.close()]);
  await rm(spool, { recursive: true, force: true });
});
/** Whatever happened, nothing of the upload is left. */
afterEach(async () => {
  await waitFor(() => expect(readdirSync(spool)).toEqual([]), PATIENT);
});

function form(fields: Record<string, string>, file?: { content: string; name: string; part?: string }): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  if (file !== undefined) data.set(file.part ?? 'file', new Blob([file.content]), file.name);
  return data;
}

function upload(data: FormData, server = open, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/v1/upload`, { method: 'POST', body: data, headers });
}

describe('an upload', () => {
  it('reaches the operation as a temporary file with its name and fields, and is removed', async () => {
    const response = await upload(
      form({ domain: 'd', copies: '3' }, { content: 'ä'.repeat(50_000), name: 'näme 1.txt' }),
    );
    const body = await json(response);
    expect(body).toMatchObject({ size: 100_000, name: 'näme 1.txt', copies: 3 });
    expect(existsSync(String(body.path))).toBe(false);
  });

  it('takes a field that is empty for absent', async () => {
    const response = await upload(form({ domain: 'd', copies: '' }, { content: 'a', name: 'a.txt' }));
    expect([response.status, await json(response)]).toMatchObject([200, { copies: 1 }]);
  });

  it('cannot choose the path that is read', async () => {
    const response = await upload(form({ domain: 'd', temporary_path: '/etc/passwd', file_name: 'passwd' }));
    expect([response.status, (await json(response)).error]).toEqual([
      400,
      'file is missing; send it as a file part of the form.',
    ]);
  });

  it('keeps only the last part of a file name', async () => {
    const body = await json(await upload(form({ domain: 'd' }, { content: 'a', name: '../../etc/x.txt' })));
    expect(body.name).toBe('x.txt');
  });

  it.each([
    ['tide\ntables.txt', 'tide tables.txt'],
    ['tide\r\ntables.txt\n', 'tide tables.txt'],
    ['ti\tde\u0007\u009b\u202etables.txt', 'ti de tables.txt'],
  ])('has a name on one line: %j', async (name, shown) => {
    const body = await json(await upload(form({ domain: 'd' }, { content: 'a', name })));
    expect(body.name).toBe(shown);
  });

  it.each([
    ['without a member that is needed', form({}, { content: 'a', name: 'a.txt' }), 400, 'invalid_input'],
    ['whose operation fails', form({ domain: 'broken' }, { content: 'a', name: 'a.txt' }), 409, 'conflict'],
    [
      'whose file is in another part',
      form({ domain: 'd' }, { content: 'a', name: 'a.txt', part: 'other' }),
      400,
      'invalid_input',
    ],
    ['whose file is a field', form({ domain: 'd', file: 'text' }), 400, 'invalid_input'],
    ['that is too large', form({ domain: 'd' }, { content: 'a'.repeat(400_000), name: 'a.txt' }), 413, 'too_large'],
  ])('%s leaves nothing behind', async (_name, data, status, code) => {
    const response = await upload(data);
    expect([response.status, (await json(response)).code]).toEqual([status, code]);
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'x', 400],
    [
      'a torn body',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
      400,
    ],
    ['JSON', 'application/json', '{"domain":"d"}', 415],
  ])('is refused with %s', async (_name, type, body, status) => {
    const response = await fetch(`${open.url}/v1/upload`, { method: 'POST', headers: { 'Content-Type': type }, body });
    expect(response.status).toBe(status);
  });

  it('leaves nothing behind when its sender hangs up', async () => {
    const sending = request(`${open.url}/v1/upload`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '200000' },
    });
    sending.on('error', () => undefined);
    sending.write(`--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${'a'.repeat(50_000)}`);
    await waitFor(() => expect(readdirSync(spool)).toHaveLength(1), PATIENT);
    sending.destroy();
  });

  describe('with a signature', () => {
    async function signedUpload(tamper: (body: Buffer) => Buffer): Promise<Response> {
      const encoded = new Response(form({ domain: 'd' }, { content: 'a'.repeat(100_000), name: 'a.txt' }));
      const body = Buffer.from(await encoded.arrayBuffer());
      const timestamp = String(Math.floor(Date.now() / 1000));
      return fetch(`${signed.url}/v1/upload`, {
        method: 'POST',
        headers: {
          'Content-Type': encoded.headers.get('content-type')!,
          'X-Svc-Timestamp': timestamp,
          'X-Svc-Signature': signRequest(SECRET, { timestamp, method: 'POST', target: '/v1/upload' }, body),
        },
        body: new Uint8Array(tamper(body)),
      });
    }

    it('is verified over the raw bytes', async () => {
      const response = await signedUpload((body) => body);
      expect(await json(response)).toMatchObject({ size: 100_000 });
    });

    it('is refused when a byte of the file changed', async () => {
      const response = await signedUpload((body) => {
        body[body.length - 500] = 98;
        return body;
      });
      expect(response.status).toBe(401);
    });
  });
});
