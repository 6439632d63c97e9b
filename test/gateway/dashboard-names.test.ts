import { afterEach, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserOfFile, inBrowser, openPage, whiteSpaceOf } from '../support/browser.js';
import { withRuns } from './dashboard-data.js';
import { type GatewayWorld, gatewayWorld, post, type WorldOptions } from './world.js';

const LONG = `Ein ${'sehr'.repeat(45)} langer Name`;
const WIDTHS = [1280, 360];

const browser = browserOfFile();
let world: GatewayWorld;
let page: Page;
afterEach(async () => {
  await page?.close();
  await world?.close();
});

async function open(
  name: 'green' | 'learning',
  prepare: (to: GatewayWorld) => Promise<unknown>,
  options: WorldOptions = {},
): Promise<void> {
  world = await gatewayWorld({ now: Date.now(), ...options });
  await prepare(world);
  ({ page } = await openPage(browser(), `${world.url}/__gateway__/api/${name}/dashboard`));
}

async function widths(): Promise<Array<readonly [number, unknown]>> {
  const found: Array<readonly [number, unknown]> = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForTimeout(300);
    found.push([width, await page.evaluate('document.documentElement.scrollWidth')]);
  }
  return found;
}

const fitting = WIDTHS.map((width) => [width, width]);

const call = (model: string, i: number) => ({
  traceId: `c${i}`,
  timestamp: world.now - i * 1000,
  provider: 'anthropic',
  model,
  inputTokens: 1000,
  outputTokens: 100,
  cacheReadTokens: 0,
});

inBrowser(
  'green: long names of models and targets stay within the page, and dates beside them on one line',
  async () => {
    await open('green', async (to) => {
      await to.green('/ingest', post([LONG, 'gpt-4o'].map(call)));
      const target = { baseYear: 2025, baseYearEmissionsGrams: 10, targetYear: 2035, targetReductionPercent: 90 };
      await to.green('/targets', post({ ...target, name: LONG, pathway: '2C' }));
    });
    await page.getByRole('heading', { name: LONG }).waitFor();
    expect(await widths()).toEqual(fitting);
    const date = page.locator('td:visible', { hasText: /^\d{4}-\d\d-\d\d \d\d:\d\d$/ }).first();
    expect(await date.evaluate(whiteSpaceOf)).toBe('nowrap');
  },
);

inBrowser('learning: long names of arms and models stay within the page', async () => {
  await open('learning', async (to) => {
    await withRuns(to, 8, (i) => `skill:team:${i}-${LONG}`);
    await to.learning('/ingest', post({ traceId: 'l', timestamp: to.now, model: LONG, provider: 'x', arms: [] }));
  });
  await page.locator('.u-legend').first().waitFor();
  expect(await widths()).toEqual(fitting);
});

inBrowser('green: without any call it states no confidence', async () => {
  await open('green', async () => undefined);
  const tile = (label: string) => page.locator('.tile', { hasText: label });
  await tile('Confidence').waitFor();
  expect(await tile('Confidence').textContent()).toBe('Confidence–nothing recorded');
  expect(await tile('Fallback factors').textContent()).toContain('–');
});

inBrowser('a key that the service does not accept is named as that', async () => {
  await open('green', async () => undefined, { environment: { SVC_API_KEYS: 'right' } });
  await page.getByText('This service needs an API key.').waitFor();
  for (const wrong of ['wrong', 'ключ']) {
    await page.getByLabel(/It is kept in this tab only/).fill(wrong);
    await page.getByRole('button', { name: 'Use key' }).click();
    await page.getByText('The service does not accept this API key.').waitFor();
  }
  await page.getByLabel(/It is kept in this tab only/).fill('right');
  await page.getByRole('button', { name: 'Use key' }).click();
  await page.locator('.tile').first().waitFor();
  expect(await page.locator('form.key').count()).toBe(0);
});
