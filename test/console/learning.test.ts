import { expect } from '@jest/globals';
import type { TestService } from '../service/harness.js';
import { inBrowser } from '../support/browser.js';
import { type ConsoleWorld, consolesOfEachTest } from './world.js';

const SLOW = 180_000;

const open = consolesOfEachTest();
let world: ConsoleWorld;

/** Two things that each require one other. */
async function kitchen(test: TestService): Promise<void> {
  await test.post('/v1/ingest/structured', {
    domain: 'kitchen',
    concepts: [
      { name: 'Teapot', description: 'Holds tea while it draws.' },
      { name: 'Strainer', description: 'Keeps leaves back.' },
      { name: 'Skillet', description: 'Fries eggs.' },
      { name: 'Spatula', description: 'Turns what is fried.' },
    ],
    edges: [
      { source: 'Teapot', target: 'Strainer', relation: 'REQUIRES' },
      { source: 'Skillet', target: 'Spatula', relation: 'REQUIRES' },
    ],
  });
}

async function rate(test: TestService, question: string, outcome: string): Promise<void> {
  const { body } = await test.post('/v1/query', { context: question, domains: ['kitchen'] });
  const items = body.items as Array<{ id: string; metadata: { why: { path?: unknown } } }>;
  const found = items.find(({ metadata }) => metadata.why.path !== undefined)!;
  await test.post('/v1/feedback', { query_id: body.query_id, outcomes: { [found.id]: outcome }, source: 'agent-7' });
}

inBrowser(
  'learning: edges that ratings made stronger or weaker, changed last first, by their names and with the question',
  async () => {
    world = await open({
      view: 'learning',
      prepare: async (test) => {
        await kitchen(test);
        await rate(test, 'What does a Teapot need?', 'accepted');
        await rate(test, 'What does a Skillet need?', 'rejected');
      },
    });
    const { page, problems } = world;
    const table = page.getByRole('table', { name: 'Edge factors, changed last first' });
    await table.getByRole('link', { name: 'Teapot REQUIRES Strainer' }).waitFor();
    const rows = await table
      .locator('tbody tr')
      .evaluateAll((all) =>
        all.map((row) =>
          [...(row as unknown as { cells: Iterable<{ textContent: string }> }).cells].map((cell) => cell.textContent),
        ),
      );
    expect(rows.map(([edge]) => edge)).toEqual(['Skillet REQUIRES Spatula', 'Teapot REQUIRES Strainer']);
    expect(Number(rows[0]![1])).toBeLessThan(1);
    expect(Number(rows[1]![1])).toBeGreaterThan(1);
    expect(rows.map(([, , ratings, why]) => [ratings, why])).toEqual([
      ['1', expect.stringContaining('What does a Skillet need?')],
      ['1', expect.stringContaining('What does a Teapot need?')],
    ]);
    expect(problems).toEqual([]);
  },
  SLOW,
);
