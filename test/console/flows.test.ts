import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openService, type TestService } from '../service/harness.js';
import { browserOfFile, inBrowser, openPage, seriousFindings, shot } from '../support/browser.js';
import { FLOWS, type Flow, goTo } from './flows.js';
import { press, type } from './keyboard.js';
import { HOSTILE, hostileSample, sample } from './sample.js';

const SLOW = 240_000;
const KEY = 'the-key';
const NARROW = 360;

const browser = browserOfFile();
let page: Page | undefined;
afterEach(() => page?.close());

/** A service for the tests of a block; `fill` brings what it knows. */
function service(environment: Readonly<Record<string, string>>, fill: (test: TestService) => Promise<void>) {
  let test: TestService | undefined;
  beforeAll(async () => {
    test = await openService(environment);
    await fill(test);
  }, SLOW);
  afterAll(() => test?.close());
  return async (view: string, options: { readonly width?: number; readonly expected?: RegExp } = {}) => {
    const opened = await openPage(browser(), `${test!.url}/#${view}`, options);
    page = opened.page;
    return opened;
  };
}

const each = (title: (name: string) => string, work: (flow: Flow) => Promise<void>) => {
  for (const flow of FLOWS) inBrowser(title(flow.name), () => work(flow), SLOW);
};
const storage = (of: Page, name: 'localStorage' | 'sessionStorage') => of.evaluate(`JSON.stringify({ ...${name} })`);

describe('on the sample handbook, by keyboard', () => {
  const open = service({}, (test) => sample(test));
  each(
    (name) => `${name}: dark and light without a serious finding of axe`,
    async (flow) => {
      const { page, problems } = await open(flow.name);
      await page.waitForSelector('html[data-theme="dark"]');
      await flow.work(page);
      await shot(page, `flow-${flow.name}-dark`);
      expect(await seriousFindings(page)).toEqual([]);
      await press(page, page.getByRole('button', { name: 'Light', exact: true }));
      await page.waitForSelector('html[data-theme="light"]');
      await shot(page, `flow-${flow.name}-light`);
      expect(await seriousFindings(page)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  each(
    (name) => `${name}: on a narrow screen nothing is cut off at the side`,
    async (flow) => {
      const { page, problems } = await open(flow.name, { width: NARROW });
      await flow.work(page);
      await shot(page, `flow-${flow.name}-narrow`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW);
      expect(await seriousFindings(page)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  each(
    (name) => `${name}: an error of the service is shown in its own words, and the view works when it is over`,
    async (flow) => {
      const { page } = await open(flow.name === 'compare' ? 'learning' : 'compare', { expected: /503/ });
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      const sentence = `The engine of ${flow.name} does not answer.`;
      const body = JSON.stringify({ error: sentence, code: 'unavailable' });
      await page.route(flow.needs, (route) => route.fulfill({ status: 503, contentType: 'application/json', body }));
      await goTo(page, flow.name);
      await page.locator(`nav a[href="#${flow.name}"][aria-current="page"]`).waitFor();
      await flow.begin?.(page);
      await page.getByRole('alert').getByText(sentence).first().waitFor();
      await page.unroute(flow.needs);
      await page.reload();
      await flow.work(page);
      expect(await page.getByRole('alert').count()).toBe(0);
    },
  );
});

describe('with an API key', () => {
  const open = service({ SVC_API_KEYS: KEY }, (test) => sample(test, KEY));
  each(
    (name) => `${name}: the key is asked for once and kept in the session alone`,
    async (flow) => {
      const { page, problems } = await open(flow.name);
      expect(await page.getByRole('main').textContent()).toBe('');
      await type(page, page.locator('#key'), KEY);
      await press(page, page.getByRole('button', { name: 'Use key' }));
      await flow.work(page);
      await page.reload();
      await flow.work(page);
      expect(await page.locator('#key').count()).toBe(0);
      expect(await storage(page, 'sessionStorage')).toContain(KEY);
      expect(await storage(page, 'localStorage')).not.toContain(KEY);
      expect(await page.context().cookies()).toEqual([]);
      expect(problems).toEqual([]);
    },
  );
});

describe('with names that are markup', () => {
  const open = service({}, hostileSample);
  each(
    (name) => `${name}: they stay text`,
    async (flow) => {
      const { page, problems } = await open(flow.name);
      await (await flow.hostile(page)).first().waitFor();
      expect((await page.getByRole('main').textContent()) ?? '').toContain(HOSTILE);
      expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
      expect(await page.locator('main img, main script, main iframe').count()).toBe(0);
      expect(problems).toEqual([]);
    },
  );
});
