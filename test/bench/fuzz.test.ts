import { describe, expect, it } from '@jest/globals';
import { fuzz } from '../../bench/fuzz/fuzz.js';
import { faultOf, isOpenStream } from '../../bench/fuzz/judge.js';
import { startWorld } from '../mcp/world.js';

/** The same requests in every run; `npm run bench:fuzz` sends 100,000 others. */
const SEED = Number(process.env.FUZZ_SEED ?? 20);
const COUNT = Number(process.env.FUZZ_COUNT ?? 700);

describe('generated requests to every route, page and tool', () => {
  it('are answered or refused, never with a failure', async () => {
    const { sent, targets, statuses, faults } = await fuzz({ count: COUNT, seed: SEED, atOnce: 4 });
    expect(faults).toEqual([]);
    expect(sent).toBeGreaterThanOrEqual(COUNT);
    expect(targets).toBeGreaterThan(200);
    // The requests get past validation: many are answered.
    expect((statuses.get(200) ?? 0) / sent).toBeGreaterThan(0.15);
  }, 600_000);
});

describe('the judge of answers', () => {
  const answer = (status: number, text: string, target = 'a POST /v1/query') => faultOf({ target, status, text });

  it.each([
    ['500', 500, '{"error":"e","code":"internal"}'],
    ['no answer', 0, 'socket hang up'],
    ['a refusal in HTML', 400, '<html>'],
    ['a 503 without a reason', 503, '{"error":"e","code":"unavailable"}'],
    ['a 502', 502, '{"error":"e"}'],
  ])('takes %s for a fault', (_name, status, text) => {
    expect(answer(status, text)).toBeDefined();
  });

  it('takes a module that is off, and a server of the request that does not answer, for none', () => {
    expect(answer(503, '{"error":"e","code":"disabled"}')).toBeUndefined();
    expect(answer(503, '{"error":"e","code":"unavailable"}', 'a POST /v1/sources')).toBeUndefined();
    expect(answer(400, '{"error":"e","code":"invalid_input"}')).toBeUndefined();
    expect(answer(200, 'anything')).toBeUndefined();
  });
});

describe('an event stream', () => {
  it('is answered with its head, and left open: an answer, that no end is waited for', async () => {
    const world = await startWorld();
    try {
      const opened = await fetch(`${world.a}/sse`, { headers: { Accept: 'text/event-stream' } });
      expect(isOpenStream('GET', opened)).toBe(true);
      await opened.body?.cancel();
      // Without a session there is nothing to stream at /mcp.
      const refused = await fetch(`${world.a}/mcp`, { headers: { Accept: 'application/json, text/event-stream' } });
      expect([refused.status, isOpenStream('GET', refused)]).toEqual([405, false]);
      await refused.body?.cancel();
    } finally {
      await world.close();
    }
  });

  it('is none where another method answers with one, where it is refused, or where it is JSON', () => {
    const stream = { 'Content-Type': 'text/event-stream; charset=utf-8' };
    expect(isOpenStream('GET', new Response('', { headers: stream }))).toBe(true);
    expect(isOpenStream('POST', new Response('', { headers: stream }))).toBe(false);
    expect(isOpenStream('GET', new Response('', { headers: stream, status: 503 }))).toBe(false);
    expect(isOpenStream('GET', Response.json({}))).toBe(false);
  });
});
