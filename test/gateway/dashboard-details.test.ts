import { readFile } from 'node:fs/promises';
import { afterEach, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserOfFile, inBrowser, openPage, shot } from '../support/browser.js';
import { withCalls, withRuns, withYears } from './dashboard-data.js';
import { type GatewayWorld, gatewayWorld } from './world.js';

const browser = browserOfFile();
let world: GatewayWorld;
let page: Page;
let problems: string[] = [];

afterEach(async () => {
  await page?.close();
  await world?.close();
});

async function open<T>(name: 'green' | 'learning', prepare: (world: GatewayWorld) => Promise<T>): Promise<T> {
  world = await gatewayWorld({ now: Date.now() });
  const prepared = await prepare(world);
  ({ page, problems } = await openPage(browser(), `${world.url}/__gateway__/api/${name}/dashboard`));
  return prepared;
}

/** Cells of the table that stands behind a chart. */
async function cellsOf(caption: string): Promise<string[][]> {
  const table = page.locator('table', { has: page.locator('caption', { hasText: caption }) });
  const rows = await table.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allTextContents()));
}

/** Pixels of a chart in the half transparent blue of the uncertainty band. */
const bandPixels = (label: string): Promise<number> =>
  page
    .getByRole('img', { name: label })
    .locator('canvas')
    .evaluate((canvas) => {
      const { width, height } = canvas as unknown as { width: number; height: number };
      const context = (
        canvas as unknown as { getContext(kind: '2d'): { getImageData(...box: number[]): { data: Uint8ClampedArray } } }
      ).getContext('2d');
      const { data } = context.getImageData(0, 0, width, height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (Math.abs(data[i + 3]! - 0x33) < 6 && data[i + 2]! > 200 && data[i]! < 120) count += 1;
      }
      return count;
    });

inBrowser('green: the band of uncertainty is drawn, and its bounds stand in the table', async () => {
  await open('green', withCalls);
  await page.waitForSelector('text=Last calls');
  expect(await bandPixels('Grams of CO2e over time with the band of uncertainty')).toBeGreaterThan(5000);
  // Edges of a line alone.
  expect(await bandPixels('Grams of CO2e a request over time')).toBeLessThan(500);
  const { uncertaintyLower, uncertaintyUpper } = (await world.green('/summary')).body;
  const rows = await cellsOf('Emissions over time');
  expect(rows.length).toBeGreaterThan(25);
  const grams = (text: string) =>
    Number.parseFloat(text) * (text.endsWith('kg') ? 1000 : text.endsWith('mg') ? 0.001 : 1);
  for (const [, centre, low, high] of rows as string[][]) {
    expect(Math.abs(grams(low!) - uncertaintyLower * grams(centre!))).toBeLessThanOrEqual(0.01 * grams(centre!));
    expect(Math.abs(grams(high!) - uncertaintyUpper * grams(centre!))).toBeLessThanOrEqual(0.02 * grams(centre!));
  }
  expect(problems).toEqual([]);
});

inBrowser('green: a target shows what was recorded in every year since its base year', async () => {
  const years = await open('green', withYears);
  await page.waitForSelector('text=Long way');
  const now = new Date(world.now).getUTCFullYear();
  const rows = new Map((await cellsOf('Path of Long way')).map(([year, ...cells]) => [Number(year), cells]));
  const recorded = (year: number) => rows.get(year)![1];
  expect(recorded(now - 4)).toBe('990 g');
  expect(recorded(now - 3)).toBe('770 g');
  expect(recorded(now - 2)).toBe('–');
  expect(recorded(now - 1)).toBe('550 g');
  expect(recorded(now)).toBe('0 g');
  expect(recorded(now + 1)).toBe('–');
  expect([...years.keys()]).toEqual([now - 4, now - 3, now - 1]);
  // The linear path goes to half of the base year's.
  expect(rows.get(now - 4)![0]).toBe('990 g');
  expect(rows.get(now - 1)![0]).toMatch(/^74[23] g$/);
  expect(rows.get(now + 2)![0]).toBe('495 g');
  await shot(page, 'green-target-years');
  expect(problems).toEqual([]);
});

inBrowser('green: each button hands out its file', async () => {
  await open('green', withCalls);
  await page.waitForSelector('text=Last calls');
  const saved = async (button: string): Promise<[name: string, text: string]> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')];
  };
  for (const [button, format] of [
    ['GHG Protocol', 'ghg-protocol'],
    ['CDP', 'cdp'],
    ['TCFD', 'tcfd'],
    ['ISO 14064', 'iso14064'],
  ] as const) {
    const [name, text] = await saved(button);
    expect(name).toBe(`${format}.json`);
    expect(JSON.parse(text)).toEqual((await world.green(`/export/${format}`)).body);
  }
  const [name, csv] = await saved('CSV of all calls');
  expect(name).toBe('traces.csv');
  const lines = csv.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^traceId,runId,timestamp,provider,model,inputTokens,/);
  expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(600);
  expect(problems).toEqual([]);
});

inBrowser('green: the range narrows what is shown', async () => {
  await open('green', withCalls);
  await page.waitForSelector('text=Last calls');
  const tile = page.locator('.tile', { has: page.getByText('Requests', { exact: true }) });
  const requests = () => tile.locator('.value').textContent();
  const all = (await requests())!;
  await page.getByLabel('Range').selectOption('7');
  await tile.filter({ hasNotText: `Requests${all}` }).waitFor();
  expect(Number(await requests())).toBeLessThan(Number(all));
  expect(problems).toEqual([]);
});

inBrowser('both: asked again every 30 s while they are seen, not while they are hidden', async () => {
  world = await gatewayWorld({ now: Date.now() });
  await withRuns(world);
  for (const name of ['green', 'learning']) {
    const context = await browser().newContext();
    page = await context.newPage();
    await page.clock.install();
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/summary') || request.url().includes('/summary?')) requests += 1;
    });
    await page.goto(`${world.url}/__gateway__/api/${name}/dashboard`);
    await page.getByText(/^Updated/).waitFor();
    expect(requests).toBe(1);
    const answered = () => page.waitForResponse((response) => response.url().includes('/summary'));
    await Promise.all([answered(), page.clock.runFor(30_500)]);
    expect(requests).toBe(2);
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        const { document } = globalThis as never as { document: object };
        Object.defineProperty(document, 'hidden', { value, configurable: true });
      }, hidden);
    await hide(true);
    await page.clock.runFor(120_500);
    expect(requests).toBe(2);
    await hide(false);
    await Promise.all([answered(), page.clock.runFor(30_500)]);
    expect(requests).toBe(3);
    await context.close();
  }
});
