import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { inBrowser, launchBrowser, seriousFindings, shot } from '../support/browser.js';
import { type ConsoleWorld, consoleWorld } from './world.js';

const SLOW = 180_000;

let browser: Browser | undefined;
let world: ConsoleWorld;
beforeAll(async () => {
  browser = await launchBrowser();
}, SLOW);
afterAll(() => browser?.close());
afterEach(() => world?.close());

inBrowser(
  'agents: recent queries with their ratings, the turns of a conversation, jobs as they run',
  async () => {
    world = await consoleWorld(browser!, {
      view: 'agents',
      prepare: async (test) => {
        const { body } = await test.post('/v1/query', { context: 'which city is green tea from <i>now</i>' });
        await test.post('/v1/feedback', {
          query_id: body.query_id,
          outcomes: { [body.items[0].id]: 'rejected' },
          source: 'agent-7',
        });
        const said = { domain: 'drinks', session_id: 'kitchen', speaker: 'Mira' };
        await test.post('/v1/ingest/message', { ...said, text: 'The kettle hums.' });
        await test.post('/v1/ingest/message', { ...said, text: 'The tea is ready.', speaker: 'Olaf' });
        const path = test.file('snow.md', '# Snow\n\nSnow is white.\n');
        await test.post('/v1/jobs/ingest', { domain: 'snow', paths: [path] });
      },
    });
    const { page, problems } = world;
    await page.locator('td', { hasText: 'which city is green tea from <i>now</i>' }).waitFor();
    await page.locator('.badge', { hasText: 'rejected by agent-7' }).first().waitFor();
    await page.locator('td', { hasText: 'completed' }).waitFor();
    await page.locator('td', { hasText: '1 of 1' }).waitFor();
    await page.getByRole('button', { name: 'Show the turns of kitchen' }).click();
    await page.locator('.turns li', { hasText: 'Olaf' }).waitFor();
    expect(await page.locator('.turns li p:last-child').allTextContents()).toEqual([
      'The kettle hums.',
      'The tea is ready.',
    ]);
    await shot(page, 'console-agents-dark');
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  SLOW,
);
