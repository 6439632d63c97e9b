import { expect } from '@jest/globals';
import { inBrowser, whiteSpaceOf } from '../support/browser.js';
import { consolesOfEachTest } from './world.js';

const openConsole = consolesOfEachTest();
const LONG = `Ein ${'sehr'.repeat(100)} langer Name`;
const REVERSED = '\u202Egnirts';
const SLOW = 120_000;

interface TextNode {
  readonly nodeType: number;
  readonly textContent: string | null;
}
interface TextRange {
  setStart(node: TextNode, at: number): void;
  setEnd(node: TextNode, at: number): void;
  getBoundingClientRect(): { readonly left: number };
}

/** Returns where each digit of an element's own text stands, in the order of the text; runs in the page. */
function leftsOfDigits(element: unknown): number[] {
  const page = globalThis as never as { readonly document: { createRange(): TextRange } };
  const { childNodes } = element as { readonly childNodes: Iterable<TextNode> };
  const range = page.document.createRange();
  return [...childNodes].flatMap((node) =>
    [...(node.nodeType === 3 ? (node.textContent ?? '') : '')].flatMap((letter, at) => {
      if (!/\d/.test(letter)) return [];
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return [range.getBoundingClientRect().left];
    }),
  );
}

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
    const digits = await named.evaluate(leftsOfDigits);
    expect(digits.length).toBeGreaterThan(1);
    expect(digits).toEqual([...digits].sort((a, b) => a - b));
    const date = page.locator('td', { hasText: /^\d{4}-\d\d-\d\d \d\d:\d\d$/ }).first();
    expect(await date.evaluate(whiteSpaceOf)).toBe('nowrap');
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'after a rating by keyboard the button that was pressed keeps the focus, and the next one is a step away',
  async () => {
    const { page, problems } = await openConsole();
    await page.getByLabel('Question').fill('Which kettle boils green tea?');
    await page.keyboard.press('Enter');
    const last = page.locator('.item').last();
    await last.waitFor();
    const id = await last.getAttribute('data-id');
    const accept = page.locator(`.item[data-id="${id}"]`).getByRole('button', { name: 'Accept' });
    await accept.focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^Ranked again: /).waitFor();
    expect(await accept.getAttribute('aria-pressed')).toBe('true');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Accept');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Partly');
    expect(problems).toEqual([]);
  },
  SLOW,
);
