import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeClient } from '../../src/clients/protocol.js';

export interface ClientUnderTest {
  readonly client: KnowledgeClient;
  /** A domain and what the client's service holds in it, written by the factory. */
  readonly domain: string;
  close(): Promise<void>;
}

/** What each factory's service holds before the contract begins. */
export const HELD = {
  concepts: [
    { name: 'Redis', description: 'An in-memory store used as a cache' },
    { name: 'Cache', description: 'Keeps what was computed before' },
    { name: 'Kafka', description: 'A log that keeps messages on disk' },
  ],
  edges: [{ source: 'Cache', target: 'Redis', relation_type: 'USES' }],
  rules: [
    { text: 'Set a time to live on every Cache entry.', category: 'architectural' },
    { text: 'Encrypt Kafka traffic.', category: 'security' },
  ],
};

/** The operations of the client protocol, the same in process and over HTTP. */
export function clientContract(name: string, open: () => Promise<ClientUnderTest>): void {
  describe(name, () => {
    let opened: ClientUnderTest;
    let client: KnowledgeClient;
    let domain: string;
    let folder: string;
    beforeAll(async () => {
      opened = await open();
      ({ client, domain } = opened);
      folder = mkdtempSync(join(tmpdir(), 'svc-client-'));
    });
    afterAll(async () => {
      await client?.close();
      await opened?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('answers a question with ranked items, rules and an id for feedback', async () => {
      const answer = await client.query('what is Redis used for');
      expect(typeof answer.query_id).toBe('string');
      expect(answer.items.length).toBeGreaterThan(0);
      expect(answer.items[0]).toMatchObject({ domain, content: expect.stringContaining('Redis: ') });
      expect(answer.items[0]!.node_id).toBe(answer.items[0]!.id);
      const scores = answer.items.map((item) => item.score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
      expect(Array.isArray(answer.rules)).toBe(true);
    });

    it('returns 10 items by default, and those above a score only', async () => {
      expect((await client.query('Redis', { top_k: 1 })).items).toHaveLength(1);
      const all = await client.query('Redis', { domains: [domain] });
      expect(all.items.length).toBeLessThanOrEqual(10);
      const least = all.items[0]!.score;
      for (const item of (await client.query('Redis', { min_confidence: least })).items) {
        expect(item.score).toBeGreaterThanOrEqual(least);
      }
    });

    it('refuses a call that was cancelled, with its code', async () => {
      const signal = AbortSignal.abort();
      const cancelled = { code: 'cancelled', message: 'The caller cancelled the call.' };
      await expect(client.query('cache', { signal })).rejects.toMatchObject(cancelled);
      await expect(client.explore('nowhere:x', 1, { signal })).rejects.toMatchObject(cancelled);
      await expect(client.rules({ signal })).rejects.toMatchObject(cancelled);
      await expect(client.feedback('q', { x: 'accepted' }, 'test', { signal })).rejects.toMatchObject(cancelled);
      await expect(client.status({ signal })).rejects.toMatchObject(cancelled);
      await expect(client.domains({ signal })).rejects.toMatchObject(cancelled);
      const path = join(folder, 'cancelled.md');
      writeFileSync(path, '# Never read\n\nNobody reads this.\n');
      await expect(client.ingest(path, domain, { signal })).rejects.toMatchObject(cancelled);
    });

    it('refuses the answer of a call that is cancelled meanwhile', async () => {
      const cancel = new AbortController();
      setImmediate(() => cancel.abort());
      await expect(client.query('cache', { signal: cancel.signal })).rejects.toMatchObject({ code: 'cancelled' });
    });

    it('explores a node, with the depth clamped; null where there is none', async () => {
      const [item] = (await client.query('Cache keeps what was computed', { top_k: 1 })).items;
      for (const depth of [undefined, 0, 3, 99]) {
        const found = await client.explore(item!.node_id, depth);
        expect(found?.node.id).toBe(item!.id);
        expect(Array.isArray(found?.edges) && Array.isArray(found?.neighbors) && Array.isArray(found?.rules)).toBe(
          true,
        );
      }
      expect(await client.explore('nowhere:at all')).toBeNull();
      expect(await client.explore(`${domain}:a/b?c#d %2F ä`)).toBeNull();
      expect(await client.explore('..')).toBeNull();
      await expect(client.explore('')).rejects.toMatchObject({ code: 'invalid_input', details: { member: 'node_id' } });
    });

    it('lists rules by domain, concept and category', async () => {
      const all = await client.rules();
      expect(all).toMatchObject({ projection: 'rules', domain_count: 1 });
      const security = await client.rules({ domains: [domain], categories: ['security'] });
      expect(security.rules.map((rule) => rule.text)).toEqual(['Encrypt Kafka traffic.']);
      expect((await client.rules({ categories: ['security', 'architectural'] })).rules).toHaveLength(2);
      expect((await client.rules({ categories: ['security,architectural'] })).rules).toHaveLength(0);
      const kafka = (await client.query('Kafka', { top_k: 1 })).items[0]!.node_id;
      expect((await client.rules({ concept_ids: [kafka] })).rules.map((rule) => rule.category)).toContain('security');
    });

    it('records feedback and answers nothing; the same again replaces it', async () => {
      const { query_id, items } = await client.query('Redis');
      const outcomes = { [items[0]!.id]: 'accepted' };
      expect(await client.feedback(query_id, outcomes)).toBeUndefined();
      expect(await client.feedback(query_id, outcomes, 'test')).toBeUndefined();
    });

    it('reports status and domains', async () => {
      const status = await client.status();
      expect(status).toMatchObject({ status: 'ok', domain_count: 1 });
      expect(status.interoception).toMatchObject({ factors: { count: expect.any(Number) } });
      const [entry] = await client.domains();
      expect(entry).toMatchObject({ name: domain, concept_count: 3, edge_count: 1, rule_count: 2 });
    });

    it('ingests a file of the machine it runs on', async () => {
      const file = join(folder, 'guide ä.md');
      writeFileSync(file, '# Queues\n\nRabbit delivers messages at least once.\n');
      const answer = await client.ingest(file, domain);
      expect(answer).toMatchObject({ domain, warnings: [] });
      for (const member of ['source', 'concepts', 'edges', 'rules']) expect(answer).toHaveProperty(member);
      expect(await client.ingest(file, domain)).toMatchObject({ unchanged: true });
      const found = await client.query('what does Rabbit deliver', { top_k: 3 });
      expect(found.items.map((item) => item.content).join('\n')).toContain('Rabbit delivers');
    });

    it('names the path when it refuses a file', async () => {
      const file = join(folder, 'empty.md');
      writeFileSync(file, '');
      const refused = { code: 'invalid_input', details: { member: 'source_path' } };
      await expect(client.ingest(file, domain)).rejects.toMatchObject(refused);
    });

    it('does many things at once', async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => client.query(`Redis ${i}`, { top_k: 2 })));
      expect(new Set(answers.map((answer) => answer.query_id)).size).toBe(30);
    });

    const unknown = 'nowhere';
    const failures: ReadonlyArray<readonly [string, (one: KnowledgeClient) => Promise<unknown>, string]> = [
      ['an empty question', (one) => one.query(''), 'invalid_input'],
      ['too many items', (one) => one.query('x', { top_k: 1001 }), 'invalid_input'],
      ['a score above 1', (one) => one.query('x', { min_confidence: 2 }), 'invalid_input'],
      ['a domain that does not exist', (one) => one.query('x', { domains: [unknown] }), 'domain_not_found'],
      ['rules of a domain that does not exist', (one) => one.rules({ domains: [unknown] }), 'domain_not_found'],
      ['feedback on an unknown query', (one) => one.feedback('none', { a: 'accepted' }), 'query_not_found'],
      ['a file that does not exist', (one) => one.ingest('/nowhere/at/all.md', 'd'), 'not_found'],
      ['a directory', (one) => one.ingest(tmpdir(), 'd'), 'invalid_input'],
      ['a bad domain name', (one) => one.ingest('package.json', '*'), 'invalid_input'],
      ['a file of an unknown type', (one) => one.ingest('LICENSE', 'd'), 'unsupported_media'],
    ];
    it.each(failures)('throws for %s', async (_case, call, code) => {
      await expect(call(client)).rejects.toMatchObject({ name: 'SvcError', code });
    });

    it('throws for an unknown outcome and for an item that was not returned, and records nothing', async () => {
      const { query_id, items } = await client.query('Redis');
      for (const outcomes of [{ [items[0]!.id]: 'splendid' }, { 'nowhere:x': 'accepted' }, {}]) {
        await expect(client.feedback(query_id, outcomes)).rejects.toMatchObject({ code: 'invalid_input' });
      }
    });
  });
}
