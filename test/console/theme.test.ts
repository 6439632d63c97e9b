import { afterEach, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openService, type TestService } from '../service/harness.js';
import { browserOfFile, inBrowser, openPage } from '../support/browser.js';

const SLOW = 120_000;
const browser = browserOfFile();
let test: TestService | undefined;
afterEach(async () => {
  await test?.close();
});

const theme = (page: Page, name: string) => page.waitForSelector(`html[data-theme="${name}"]`);

inBrowser(
  'the console follows the colours that the system prefers, until a person chooses others',
  async () => {
    test = await openService();
    const { page, problems } = await openPage(browser(), test.url, { colorScheme: 'light' });
    await theme(page, 'light');
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    await theme(page, 'dark');
    await page.getByRole('button', { name: 'Light', exact: true }).click();
    await theme(page, 'light');
    await page.reload();
    await theme(page, 'light');
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    await theme(page, 'dark');
    expect(problems).toEqual([]);
  },
  SLOW,
);
