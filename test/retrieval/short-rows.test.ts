import { expect, test } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';

test('a row too short to tell its language answers a question in German by its own word, as another row does', async () => {
  const world = await openWorld('static');
  const text = '# m\n\n## Marlies Tietjen\n\nfunktion: Vorsitzende.\n\n## Henrik Pohl\n\nfunktion: Bootswart.\n';
  await world.ingest.text({ domain: 'd', text, format: 'markdown', name: 'm.md' });
  const first = async (context: string) =>
    (await world.retrieval.query({ context, domains: ['d'], top_k: 2 })).items[0]!;
  const [chair, boats] = [await first('Wer ist Vorsitzende?'), await first('Wer ist Bootswart?')];
  expect(chair.content).toContain('Marlies Tietjen');
  expect(chair.metadata.text_score).toBe(boats.metadata.text_score);
  expect(chair.score).toBeGreaterThan(0.8 * boats.score);
  await world.close();
});
