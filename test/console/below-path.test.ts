import { afterEach, beforeEach, expect } from '@jest/globals';
import { openService, type TestService } from '../service/harness.js';
import { BELOW, proxyBelow } from '../support/below.js';
import { browserOfFile, inBrowser, openPage } from '../support/browser.js';

const SLOW = 240_000;
const browser = browserOfFile();
let test: TestService;
let proxy: Awaited<ReturnType<typeof proxyBelow>>;

beforeEach(async () => {
  test = await openService({});
  await test.post('/v1/ingest/text', { text: 'Green tea comes from Uji in Japan.', domain: 'drinks', name: 'tea' });
  proxy = await proxyBelow(test.url);
});
afterEach(async () => {
  await proxy.close();
  await test.close();
});

inBrowser(
  'the console, the documentation and the dashboards work below a path that a proxy cuts off',
  async () => {
    for (const address of [`${BELOW}/`, BELOW]) {
      const { page, problems } = await openPage(browser(), `${proxy.url}${address}#ask`);
      await page.getByText('1 domain').waitFor();
      await page.getByRole('link', { name: 'API' }).click();
      await page.getByText('/v1/query', { exact: true }).waitFor();
      expect(await page.locator('.servers option').allTextContents()).toEqual([`${proxy.url}${BELOW}`]);
      for (const [link, heading] of [
        ['Learning of agents', 'What agent runs teach'],
        ['Emissions', 'Emissions of model calls'],
      ] as const) {
        await page.goto(`${proxy.url}${address}#learning`);
        await page.getByRole('link', { name: link }).click();
        await page.getByRole('heading', { name: heading }).waitFor();
        await page.waitForLoadState('networkidle');
      }
      expect([problems, proxy.missed]).toEqual([[], []]);
      await page.close();
    }
    expect((await fetch(`${proxy.url}${BELOW}/`)).url).toBe(`${proxy.url}${BELOW}/docs`);
  },
  SLOW,
);
