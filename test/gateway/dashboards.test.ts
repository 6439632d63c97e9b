import { afterEach, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserOfFile, inBrowser, openPage, shot as screenshot, seriousFindings } from '../support/browser.js';
import { HOSTILE, withCalls, withNewArm, withRuns } from './dashboard-data.js';
import { type Answer, type GatewayWorld, gatewayWorld, type WorldOptions } from './world.js';

const browser = browserOfFile();
let world: GatewayWorld;
let page: Page;
let problems: string[] = [];

afterEach(async () => {
  await page?.close();
  await world?.close();
});

async function open(
  name: 'green' | 'learning',
  options: WorldOptions & { prepare?: (world: GatewayWorld) => Promise<unknown> } = {},
): Promise<void> {
  world = await gatewayWorld({ now: Date.now(), ...options });
  await options.prepare?.(world);
  ({ page, problems } = await openPage(browser(), `${world.url}/__gateway__/api/${name}/dashboard`, {
    colorScheme: 'light',
  }));
}

const shot = (name: string): Promise<void> => screenshot(page, name);
const serious = (): Promise<string[]> => seriousFindings(page);

inBrowser('green: shows numbers, band, shares, targets, and explains a number on click', async () => {
  await open('green', { prepare: withCalls });
  await page.waitForSelector('text=Halve inference');
  for (const text of ['CO2e', 'Fallback factors', 'profile classic', 'anthropic', 'Last calls', 'GHG Protocol']) {
    expect(await page.getByText(text).first().isVisible()).toBe(true);
  }
  expect(await page.locator('canvas').count()).toBeGreaterThanOrEqual(3);
  await shot('green-dark');
  await page
    .getByRole('button', { name: /^Explain/ })
    .first()
    .click();
  await page.waitForSelector('dialog[open] ol li');
  expect(await page.locator('dialog').textContent()).toMatch(/Sources: /);
  await shot('green-explain');
  await page.getByRole('button', { name: 'Close' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'ISO 14064' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('iso14064.json');
  expect(await serious()).toEqual([]);
  await page.getByRole('button', { name: 'Light' }).click();
  await page.waitForSelector('html[data-theme="light"]');
  await shot('green-light');
  expect(await serious()).toEqual([]);
  await page.reload();
  await page.waitForSelector('text=Halve inference');
  await page.waitForSelector('html[data-theme="light"]');
  expect(problems).toEqual([]);
});

inBrowser('green: an empty service has a page too', async () => {
  await open('green');
  await page.waitForSelector('text=Nothing recorded.');
  expect(problems).toEqual([]);
});

inBrowser('green: asks once for a key and keeps it in the session', async () => {
  await open('green', { environment: { SVC_API_KEYS: 'the-key' } });
  await page.fill('#key', 'the-key');
  await page.getByRole('button', { name: 'Use key' }).click();
  await page.waitForSelector('text=Per request');
  expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('the-key');
  expect(problems).toEqual([]);
});

inBrowser('green: names of models stay text', async () => {
  await open('green', { prepare: (to) => withCalls(to, [HOSTILE]) });
  await page.waitForSelector('text=Last calls');
  expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
  expect(await page.locator('main img').count()).toBe(0);
  expect(await page.getByText(HOSTILE).first().isVisible()).toBe(true);
});

inBrowser('learning: shows arms, savings, convergence and what was spent for nothing', async () => {
  await open('learning', {
    prepare: async (to) => {
      await withRuns(to);
      await withNewArm(to);
    },
  });
  await page.waitForSelector('text=Posteriors with 95 % intervals');
  for (const text of ['passive', 'Never used', 'Savings', 'Baseline against selected runs', 'EXPLORE', 'SEED']) {
    expect([text, await page.getByText(text, { exact: true }).first().isVisible()]).toEqual([text, true]);
  }
  // An arm is marked as a seed where the configuration names it, as unexplored where it has few pulls.
  const marks = (arm: string) =>
    page
      .locator('.whisker', { has: page.getByText(arm, { exact: true }) })
      .locator('.badge')
      .allTextContents();
  expect(await marks('tool:fs:Read')).toEqual(['SEED']);
  expect(await marks('skill:team:brand-new')).toEqual(['EXPLORE']);
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(await page.locator('canvas').count()).toBeGreaterThanOrEqual(1);
  expect(await page.locator('.grid td.r').count()).toBeGreaterThan(0);
  await shot('learning-dark');
  expect(await serious()).toEqual([]);
  await page.getByLabel('Model').selectOption('gpt-5');
  await page.locator('.tiles', { hasText: '100' }).waitFor();
  await page.getByRole('button', { name: 'Light' }).click();
  await shot('learning-light');
  expect(await serious()).toEqual([]);
  expect(problems).toEqual([]);
});

inBrowser('learning: an empty service, a narrow screen', async () => {
  await open('learning');
  await page.setViewportSize({ width: 360, height: 700 });
  await page.waitForSelector('text=No arms yet.');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  expect(problems).toEqual([]);
});

inBrowser('learning: a thousand arms with hostile names', async () => {
  await open('learning', { prepare: (to) => withRuns(to, 1000, (i) => `tool:${i}:${HOSTILE}`) });
  await page.waitForSelector('text=Show all 1000', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Show all 1000' }).click();
  await page.locator('.whisker').nth(999).waitFor({ state: 'attached' });
  expect(await page.locator('.whisker').count()).toBe(1000);
  expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
  expect(await page.locator('main img').count()).toBe(0);
  expect(problems).toEqual([]);
});

inBrowser('the pages carry a policy with a nonce of their own and are never stored', async () => {
  await open('green');
  for (const api of ['green', 'learning'] as const) await checkHeaders(() => world[api]('/dashboard'));
});

async function checkHeaders(load: () => Promise<Answer>): Promise<void> {
  const [first, second] = await Promise.all([load(), load()]);
  const policy = first.headers.get('content-security-policy')!;
  expect(policy).toMatch(/script-src 'nonce-[^']+'; style-src 'nonce-/);
  expect(policy).not.toBe(second.headers.get('content-security-policy'));
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(first.text).not.toMatch(/<script[^>]+src=|<link[^>]+href="http/);
}
