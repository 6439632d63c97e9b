import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from '@jest/globals';
import { openService, type TestService } from '../service/harness.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

const { answerable } = JSON.parse(readFileSync('test/fixtures/score-check/questions.json', 'utf8')) as {
  answerable: string[];
};

async function withSample(test: TestService): Promise<TestService> {
  for (const name of ['encyclopedia.md', 'handbook.md']) {
    const text = readFileSync(`samples/${name}`, 'utf8');
    const answer = await test.post('/v1/ingest/text', { text, domain: 'sample', format: 'markdown', name });
    expect(answer.status).toBe(200);
  }
  return test;
}

interface Item {
  readonly id: string;
  readonly score: number;
}

/** PageRank by push is approximate in its last digits: what scores alike within them may change places. */
const CLOSE = 1e-3;

function expectSameRanking(found: readonly Item[], wanted: readonly Item[]): void {
  expect(found.length).toBe(wanted.length);
  found.forEach(({ score }, i) => {
    expect(Math.abs(score - wanted[i]!.score)).toBeLessThan(CLOSE);
  });
  const last = wanted.at(-1)?.score ?? 0;
  for (const item of wanted.filter(({ score }) => score > last + CLOSE)) {
    const same = found.find(({ id }) => id === item.id);
    expect(Math.abs((same?.score ?? -1) - item.score)).toBeLessThan(CLOSE);
  }
}

describeLive('the sample', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  afterAll(() => databases.dropAll());

  it('gets the same top 5 on PostgreSQL as on the embedded engines: by text alone, and in every mode', async () => {
    const [embedded, shared] = [
      await withSample(await openService()),
      await withSample(await openService(await databases.environment())),
    ];
    for (const context of answerable) {
      const [wanted, found] = await Promise.all(
        [embedded, shared].map((test) => test.service.text.search(context, { topK: 5, domains: ['sample'] })),
      );
      expect(found?.hits).toEqual(wanted?.hits);
      for (const mode of ['auto', 'vec', 'graph']) {
        const [left, right] = await Promise.all(
          [embedded, shared].map(async (test) => {
            const { body } = await test.post('/v1/query', { context, mode, top_k: 5 });
            return body.items as Item[];
          }),
        );
        expectSameRanking(right ?? [], left ?? []);
      }
    }
    await embedded.close();
    await shared.close();
  });
});
