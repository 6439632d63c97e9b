import { expect } from '@jest/globals';
import type { TestService } from '../service/harness.js';
import { inBrowser } from '../support/browser.js';
import { waitFor } from '../support/wait-for.js';
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

/** Rates whole answers to questions about things, the thing asked for as wrong; resolves when the domain has learned from it. */
async function teach(test: TestService): Promise<void> {
  for (const question of ['holds tea', 'holds leaves', 'keeps leaves back', 'keeps tea', 'fries eggs', 'fried eggs']) {
    const { body } = await test.post('/v1/query', { context: question, domains: ['kitchen'] });
    const ids = (body.items as Array<{ id: string }>).map(({ id }) => id);
    const outcomes = Object.fromEntries(ids.map((id, place) => [id, place === 0 ? 'rejected' : 'accepted']));
    await test.post('/v1/feedback', { query_id: body.query_id, outcomes });
  }
  await waitFor(async () => expect((await test.get('/v1/interoception')).body.domains).toHaveLength(1), {
    timeout: 90_000,
    interval: 500,
  });
}

inBrowser(
  'learning: domains that rank in a way of their own, with what counts for more and for less there in words',
  async () => {
    world = await open({
      view: 'learning',
      prepare: async (test) => {
        await kitchen(test);
        await teach(test);
      },
    });
    const { page, problems } = world;
    const table = page.getByRole('table', { name: 'Domains, most rated questions first' });
    const row = table.locator('tbody tr').first();
    await row.waitFor();
    const cells = await row.locator('td, th').allTextContents();
    expect(cells.slice(0, 2)).toEqual(['kitchen', '6']);
    expect(cells.slice(2).join(' ')).toMatch(/[a-z_]+: .*\(-?\d+\.\d\d → -?\d+\.\d\d\)/);
    expect(problems).toEqual([]);
  },
  SLOW,
);
