import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { seededRandom } from '../../src/core/random.js';
import { inBrowser, launchBrowser, openPage, shot as screenshot, seriousFindings } from '../support/browser.js';
import { type GatewayWorld, gatewayWorld, post, type WorldOptions } from './world.js';

const HOSTILE = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>';
let browser: Browser | undefined;
let world: GatewayWorld;
let page: Page;
let problems: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
}, 180_000);
afterAll(() => browser?.close());
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
  ({ page, problems } = await openPage(browser!, `${world.url}/__gateway__/api/${name}/dashboard`));
}

const shot = (name: string): Promise<void> => screenshot(page, name);
const serious = (): Promise<string[]> => seriousFindings(page);

const DAY = 86_400_000;

/** Forty days of calls of three providers. */
async function withCalls(
  to: GatewayWorld,
  names: readonly string[] = ['claude-sonnet-4-5', 'gpt-5-mini', 'mistral-large-2411', 'zorp-1'],
): Promise<void> {
  const random = seededRandom('dashboard');
  const rows = Array.from({ length: 600 }, (_, i) => ({
    traceId: `t${i}`,
    timestamp: to.now - Math.floor((40 * DAY * (600 - i)) / 600),
    provider: ['anthropic', 'openai', 'mistral_ai', 'zorp'][i % 4],
    model: names[i % names.length],
    inputTokens: Math.floor(20_000 * random()),
    outputTokens: Math.floor(3000 * random()),
    cacheReadTokens: Math.floor(50_000 * random()),
    region: i % 3 === 0 ? 'eu-north-1' : undefined,
  }));
  await to.green('/ingest', post(rows));
  const year = new Date(to.now).getUTCFullYear();
  await to.green(
    '/targets',
    post({
      name: 'Halve inference',
      baseYear: year - 1,
      baseYearEmissionsGrams: 20_000,
      targetYear: year + 4,
      targetReductionPercent: 50,
      pathway: '1.5C',
    }),
  );
}

/** Runs of 30 days with arms. */
async function withRuns(
  to: GatewayWorld,
  armCount = 24,
  name = (i: number) =>
    i % 3 === 0 ? `tool:fs:${['Read', 'Write', 'Edit'][(i / 3) % 3]}${i}` : `skill:team:component-${i}`,
): Promise<void> {
  const random = seededRandom('runs');
  const end = to.now;
  for (let day = 30; day > 0; day -= 3) {
    to.now = end - day * DAY;
    const runs = Array.from({ length: 20 }, (_, i) => {
      const isBaseline = i % 4 === 0;
      const arms = Array.from({ length: armCount }, (_unused, arm) => {
        const included = isBaseline || arm % 5 !== 4;
        return {
          armId: name(arm),
          included,
          referenced: included && random() < (arm % 6) / 6,
          tokenCost: 50 + 40 * arm,
        };
      });
      const input = 500 + arms.reduce((sum, arm) => sum + (arm.included ? arm.tokenCost : 0), 0);
      return {
        traceId: `d${day}-${i}`,
        timestamp: to.now + i * 60_000,
        provider: 'anthropic',
        model: i % 2 === 0 ? 'claude-sonnet-4-5' : 'gpt-5',
        isBaseline,
        arms,
        usage: { input, output: 300, total: input + 300 },
        durationMs: 800 + input / 4,
        systemPromptChars: 4 * input,
        aborted: false,
      };
    });
    await to.learning('/ingest', post(runs));
  }
  to.now = end;
}

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
  await open('learning', { prepare: withRuns });
  await page.waitForSelector('text=Posteriors with 95 % intervals');
  for (const text of ['passive', 'Never used', 'Savings', 'Baseline against selected runs', 'EXPLORE']) {
    expect(await page.getByText(text).first().isVisible()).toBe(
      text !== 'EXPLORE' || (await page.getByText('EXPLORE').count()) > 0,
    );
  }
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

inBrowser('the page carries a policy with a nonce of its own and is never stored', async () => {
  await open('green');
  const [first, second] = await Promise.all([world.green('/dashboard'), world.green('/dashboard')]);
  const policy = first.headers.get('content-security-policy')!;
  expect(policy).toMatch(/script-src 'nonce-[^']+'; style-src 'nonce-/);
  expect(policy).not.toBe(second.headers.get('content-security-policy'));
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(first.text).not.toMatch(/<script[^>]+src=|<link[^>]+href="http/);
});
