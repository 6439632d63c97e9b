import { afterEach, describe, expect, it } from '@jest/globals';
import { withinBudget } from '../../src/operations/invoke/time-budget.js';
import { openService } from '../service/harness.js';
import { waitFor } from '../support/wait-for.js';
import { aborted, begun, json, PATIENT, type Serving, serving } from './harness.js';

let server: Serving | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('a server with more requests than it may run', () => {
  it('runs some, lets some wait in order, refuses the rest with 503 and Retry-After, and answers health meanwhile', async () => {
    server = await serving({ SVC_MAX_RUNNING: '2', SVC_MAX_WAITING: '2' });
    const { url } = server;
    const slow = (ms: number) => fetch(`${url}/v1/slow?ms=${ms}`);
    const running = [slow(2101), slow(2102)];
    await waitFor(() => expect(begun).toEqual(expect.arrayContaining([2101, 2102])), PATIENT);
    const waiting = [slow(3), slow(4)];
    // A request of its own in between: those before it have arrived.
    for (let i = 0; i < 20; i += 1) expect((await fetch(`${url}/v1/health`)).status).toBe(200);
    const refused = await slow(5);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await json(refused)).toMatchObject({ code: 'unavailable', error: expect.stringContaining('try again') });
    expect(begun).not.toContain(3);
    for (const answer of await Promise.all([...running, ...waiting])) expect(answer.status).toBe(200);
    expect(begun).not.toContain(5);
    // It has recovered.
    expect((await slow(6)).status).toBe(200);
  });

  it('gives the place of a caller who hung up to the next one', async () => {
    server = await serving({ SVC_MAX_RUNNING: '1', SVC_MAX_WAITING: '1' });
    const { url } = server;
    const running = fetch(`${url}/v1/slow?ms=2201`);
    await waitFor(() => expect(begun).toContain(2201), PATIENT);
    const leaving = new AbortController();
    const gone = fetch(`${url}/v1/slow?ms=7`, { signal: leaving.signal }).catch(() => 'gone');
    await waitFor(async () => expect((await fetch(`${url}/v1/slow?ms=8`)).status).toBe(503), PATIENT);
    leaving.abort();
    expect(await gone).toBe('gone');
    const next = await waitFor(async () => {
      const answer = await fetch(`${url}/v1/slow?ms=9`);
      expect(answer.status).toBe(200);
      return answer;
    }, PATIENT);
    expect(await json(next)).toEqual({ status: 'done' });
    expect((await running).status).toBe(200);
    expect([begun.includes(7), aborted.includes(2201)]).toEqual([false, false]);
  });
});

describe('the time budget of a query', () => {
  it('ends one that takes longer with 503, and nothing is left behind', async () => {
    const never = new Promise<string>(() => undefined);
    const budget = { ms: 20, what: 'query' };
    const unfinished: Array<Promise<unknown>> = [];
    const context = { onUnfinished: (work: Promise<unknown>) => unfinished.push(work) };
    await expect(withinBudget(never, budget, context)).rejects.toMatchObject({
      code: 'unavailable',
      retriable: true,
      message: expect.stringContaining('SVC_QUERY_TIMEOUT_MS'),
    });
    expect(unfinished).toHaveLength(1);
    expect(await withinBudget(Promise.resolve('in time'), budget, context)).toBe('in time');
    expect(await withinBudget(Promise.resolve('no limit'), { ...budget, ms: 0 }, context)).toBe('no limit');
    expect(unfinished).toHaveLength(1);
  });

  it('counts on every route that asks', async () => {
    const test = await openService({ SVC_QUERY_TIMEOUT_MS: '1' });
    try {
      const text = Array.from({ length: 300 }, (_, i) => `Pump ${i} feeds Valve ${i} of Station ${i % 7}.`).join(
        '\n\n',
      );
      await test.post('/v1/ingest/text', { text, domain: 'notes', name: 'pumps' });
      for (const path of ['/v1/query', '/v1/compare']) {
        // The event loop may answer within the millisecond now and then.
        await waitFor(async () => {
          const { status, body, headers } = await test.post(path, {
            context: 'Which pump feeds Valve 7 of a station?',
          });
          expect([path, status, body.code]).toEqual([path, 503, 'unavailable']);
          expect(headers.get('retry-after')).toBe('1');
        }, PATIENT);
      }
      expect((await test.get('/v1/status')).body.status).toBe('ok');
    } finally {
      await test.close();
    }
  });
});
