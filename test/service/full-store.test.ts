import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openService, reachText, type TestService } from './harness.js';

/** What makes a store refuse writes, and what ends that. The pragmas of the writing connection do as a disk would. */
const STATES = {
  full: {
    begin: 'pragma max_page_count = 1',
    end: 'pragma max_page_count = 1000000',
    sentence: 'The disk of the store is full; free space on it, then try again.',
  },
  read_only: {
    begin: 'pragma query_only = 1',
    end: undefined,
    sentence: 'The store cannot be written; check the permissions of its directory and that its disk is not read-only.',
  },
} as const;

const question = { context: 'Who designed the Aldra Tower?', domains: ['reach'] };
const pragma = ({ service }: TestService, statement: string) =>
  service.store.write(async ({ db }) => void (await sql.raw(statement).execute(db)));

/** A request of each kind that writes. */
const WRITES: ReadonlyArray<readonly [path: string, body: object]> = [
  ['/v1/ingest/text', { ...reachText('island'), text: 'The harbour of Skarn Island has a pier. '.repeat(2000) }],
  ['/v1/ingest/structured', { domain: 'reach', concepts: [{ name: 'Pier', description: 'Long. '.repeat(10_000) }] }],
  ['/v1/ingest/message', { text: 'A pier is long. '.repeat(1000), session_id: 's', domain: 'reach' }],
];

describe.each(Object.entries(STATES))('a store that is %s', (reason, { begin, end, sentence }) => {
  it('refuses writes with 503 and the reason, answers queries, and status says degraded', async () => {
    const test = await openService();
    try {
      expect((await test.post('/v1/ingest/text', reachText('tower'))).status).toBe(200);
      await pragma(test, begin);
      for (const [path, body] of WRITES) {
        const answer = await test.post(path, body);
        expect([path, answer.status, answer.body]).toEqual([
          path,
          503,
          { error: sentence, code: 'unavailable', details: { part: 'store', reason } },
        ]);
      }
      const answer = await test.post('/v1/query', question);
      expect([answer.status, answer.body.items[0].content]).toEqual([200, expect.stringContaining('Aldra Tower')]);
      const { status, body } = await test.get('/v1/status');
      expect([status, body.status, body.health.store]).toEqual([200, 'degraded', sentence]);
      expect(body.problems).toContain(`store: ${sentence}`);
      expect((await test.get('/v1/ready')).body.error).toBe(`Not ready: vector, text, store: ${sentence}`);
      expect((await test.get('/v1/health')).status).toBe(200);
      if (end === undefined) return;
      await pragma(test, end);
      const [path, input] = WRITES[0]!;
      expect((await test.post(path, input)).status).toBe(200);
      expect((await test.get('/v1/status')).body.status).toBe('ok');
    } finally {
      await test.close();
    }
  });
});
