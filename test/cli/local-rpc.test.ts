import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Type } from '@sinclair/typebox';
import { callLocalRpc } from '../../src/cli/local-rpc-client.js';
import { SvcError } from '../../src/core/errors.js';
import { tryLock } from '../../src/data-directory.js';
import { operation } from '../../src/operations/operation.js';
import { type Listening, listen } from '../../src/server/listen.js';
import { localRpcHandler, newToken } from '../../src/server/local-rpc.js';
import { aborted, begun, echo, fail, NO_SERVICE, PATIENT, slow } from '../server/harness.js';
import { waitFor } from '../support/wait-for.js';
import { svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const counting = operation({
  name: 'counting',
  summary: 'Reports progress.',
  input: Type.Object({}),
  output: Type.Object({ surface: Type.String(), authenticated: Type.Boolean() }),
  run: (_service, _input, { progress, surface, authenticated }) => {
    for (let i = 1; i <= 3; i += 1) progress?.(i, 3, `step ${i} — näher`);
    return Promise.resolve({ surface, authenticated });
  },
});

const token = newToken();
let open: Listening;
beforeEach(async () => {
  const handler = localRpcHandler(NO_SERVICE, { echo, fail, slow, counting }, token);
  open = await listen(handler, { host: '127.0.0.1', port: 0, drainMs: 100 });
});
afterEach(() => open.close());

const call = (name: string, input: unknown, more = {}) =>
  callLocalRpc({ url: open.url, token }, { operation: name, input, surface: 'cli' }, more);

describe('local RPC for other commands', () => {
  it('answers what the operation answers, however large', async () => {
    const text = 'ä'.repeat(3_000_000);
    expect(await call('echo', { text })).toMatchObject({ got: { text, top_k: 20 } });
  });

  it('reports progress on the way, and counts the caller as local', async () => {
    const seen: unknown[] = [];
    const progress = (...step: unknown[]) => seen.push(step);
    expect(await call('counting', {}, { progress })).toEqual({ surface: 'cli', authenticated: true });
    expect(seen).toEqual([1, 2, 3].map((i) => [i, 3, `step ${i} — näher`]));
  });

  it('carries errors over as they are', async () => {
    const error = await call('fail', { how: 'conflict' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SvcError);
    expect(error).toMatchObject({ code: 'conflict', message: 'It failed as requested.', details: { how: 'conflict' } });
    await expect(call('echo', {})).rejects.toMatchObject({ code: 'invalid_input', details: { member: 'text' } });
    await expect(call('nonsense', {})).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(call('toString', {})).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('stops the operation when the caller gives up', async () => {
    const controller = new AbortController();
    const running = call('slow', { ms: 45_678 }, { signal: controller.signal }).catch(() => 'aborted');
    await waitFor(() => expect(begun).toContain(45_678), PATIENT);
    controller.abort();
    expect(await running).toBe('aborted');
    await waitFor(() => expect(aborted).toContain(45_678), PATIENT);
  });

  it('opens to the token only, and to nothing but calls', async () => {
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(`${open.url}${path}`, { method: 'POST', headers, body: '{"operation":"echo","input":{"text":"a"}}' });
    expect((await ask('/internal/call', {})).status).toBe(401);
    expect((await ask('/internal/call', { Authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await ask('/v1/health', { Authorization: `Bearer ${token}` })).status).toBe(404);
    expect((await ask('/internal/call', { Authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('tells the status also where the grams of today fail', async () => {
    const status = operation({
      name: 'status',
      summary: 'Answers.',
      input: Type.Object({}),
      output: Type.Object({ status: Type.String() }),
      run: () => Promise.resolve({ status: 'degraded' }),
    });
    const green_today = operation({
      name: 'green_today',
      summary: 'Fails.',
      input: Type.Object({}),
      output: Type.Object({}),
      run: () => Promise.reject(new SvcError('unavailable', 'The store does not answer.')),
    });
    const handler = localRpcHandler(NO_SERVICE, { status, green_today }, token);
    const service = await listen(handler, { host: '127.0.0.1', port: 0, drainMs: 100 });
    const directory = temporaryDirectory();
    const lock = tryLock(directory, 'serve')!;
    lock.publish({ url: service.url, token });
    try {
      expect(await svcJson('status', '--data-dir', directory)).toEqual({ status: 'degraded' });
    } finally {
      lock.release();
      await service.close();
      await cleanUp();
    }
  });

  it('says so when the service is gone', async () => {
    await open.close();
    await expect(call('echo', { text: 'a' })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
