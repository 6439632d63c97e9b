import { expect } from '@jest/globals';
import { inBrowser } from '../support/browser.js';
import { consolesOfEachTest } from './world.js';

const openConsole = consolesOfEachTest();
const LONG = `Ein ${'sehr'.repeat(100)} langer Name`;
const REVERSED = '\u202Egnirts';
const SLOW = 120_000;

inBrowser(
  'long names stay within a narrow screen, on the first screen and in what Look offers',
  async () => {
    const { page, problems } = await openConsole({
      width: 360,
      prepare: (test) =>
        test.post('/v1/ingest/structured', {
          domain: 'names',
          concepts: [LONG, 'Tea', 'Cup', 'Pot'].map((name) => ({ name })),
          edges: ['Tea', 'Cup', 'Pot'].map((target) => ({ source: LONG, target, relation: 'REQUIRES' })),
        }),
    });
    await page
      .getByRole('button', { name: /Ein sehrsehr/ })
      .first()
      .waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.getByRole('link', { name: 'Look', exact: true }).first().click();
    await page
      .getByRole('button', { name: /Ein sehrsehr/ })
      .first()
      .waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'a name that turns the order of writing leaves the score beside it as it is, and a long question the date',
  async () => {
    const { page, problems } = await openConsole({
      view: 'agents',
      prepare: async (test) => {
        await test.post('/v1/ingest/structured', { domain: 'names', concepts: [{ name: REVERSED }, { name: LONG }] });
        await test.post('/v1/query', { context: REVERSED, domains: ['names'] });
        await test.post('/v1/query', { context: LONG, domains: ['names'] });
      },
    });
    const named = page.locator('ol.returned li', { hasText: 'gnirts' }).first();
    await named.waitFor();
    // The digits stand from left to right, behind the name.
    const order = await named.evaluate((item) => {
      const digits = [...item.childNodes]
        .filter((node) => node.nodeType === 3)
        .flatMap((node) => {
          const range = document.createRange();
          return [...(node.textContent ?? '')].flatMap((letter, at) => {
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            return /\d/.test(letter) ? [range.getBoundingClientRect().left] : [];
          });
        });
      return { digits, sorted: [...digits].sort((a, b) => a - b) };
    });
    expect(order.digits.length).toBeGreaterThan(1);
    expect(order.digits).toEqual(order.sorted);
    const date = page.locator('td', { hasText: /^\d{4}-\d\d-\d\d \d\d:\d\d$/ }).first();
    expect(await date.evaluate((cell) => getComputedStyle(cell).whiteSpace)).toBe('nowrap');
    expect(problems).toEqual([]);
  },
  SLOW,
);
