import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openService } from './harness.js';

const TABLES = ['node', 'concept', 'key', 'about', 'mention', 'edge', 'passage', 'source', 'rule'];

test('a domain of many edges and mentions goes as a whole, a page of rows at a time, and leaves others alone', async () => {
  const service = await openService();
  try {
    const { db } = service.service.store;
    const count = async (): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const table of TABLES) {
        const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
        counts[table] = rows[0]!.n;
      }
      return counts;
    };
    const write = async (domain: string, concepts: number): Promise<void> => {
      const names = Array.from({ length: concepts }, (_, i) => `Harbour crane ${i}`);
      const edges = names.flatMap((source) => {
        const others = names.filter((target) => target !== source);
        return others.map((target) => ({ source, target, relation: 'uses' }));
      });
      const answer = await service.post('/v1/ingest/structured', {
        domain,
        concepts: names.map((name) => ({ name, description: `${name} lifts.` })),
        edges,
        rules: [{ text: 'Every crane must be checked.', concepts: [names[0]] }],
      });
      expect(answer.status).toBeLessThan(300);
      const text = names.map((name) => `# About ${name}\n\n${name} stands beside ${names[0]}.`).join('\n\n');
      expect((await service.post('/v1/ingest/text', { domain, text, format: 'markdown' })).status).toBeLessThan(300);
    };
    await write('kept', 5);
    const before = await count();
    await write('large', 70);
    expect((await count()).edge).toBeGreaterThan(4000);
    await service.service.graph.deleteDomain('large');
    expect(await count()).toEqual(before);
    const kept = await service.post('/v1/query', { context: 'What does Harbour crane 3 do?', domains: ['kept'] });
    expect(kept.body.items.length).toBeGreaterThan(0);
  } finally {
    await service.close();
  }
});
