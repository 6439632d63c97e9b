import { expect } from '@jest/globals';
import { inBrowser, seriousFindings, shot } from '../support/browser.js';
import { type ConsoleWorld, consolesOfEachTest } from './world.js';

const SLOW = 180_000;

const open = consolesOfEachTest();
let world: ConsoleWorld;

async function ask(question: string): Promise<void> {
  const { page } = world;
  await page.getByLabel('Question').fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.locator('.item').first().waitFor();
}

const firstItems = () => world.page.locator('.item .content').allTextContents();

inBrowser(
  'ask: ranked items with the share of each signal, the way that led to them, and the rules that apply',
  async () => {
    world = await open();
    const { page, problems } = world;
    await ask('Which river flows through the city that green tea comes from?');
    // It takes two passages to answer; which of them is first lies with the weights.
    expect((await firstItems()).slice(0, 2).join('\n')).toContain('Its river is the Uji River.');
    const label = await page.locator('.score .track').first().getAttribute('aria-label');
    expect(label).toMatch(/^Score \d\.\d{3}; signals: vector \d+ %, text \d+ %, graph \d+ %$/);
    const shares = [...label!.matchAll(/(\d+) %/g)].map(([, percent]) => Number(percent));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeGreaterThanOrEqual(99);
    expect(await page.getByText('Always brew green tea below 80 degrees.', { exact: true }).count()).toBeGreaterThan(0);
    const river = page.locator('.item', { has: page.locator('.content', { hasText: 'Its river is the Uji River.' }) });
    const chain = river.locator('.chain');
    await chain.getByText('Green tea comes from Uji in Japan.').waitFor();
    expect(await chain.locator('li strong').allTextContents()).toEqual(['Tea', 'Uji']);
    await shot(page, 'console-ask-dark');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Light' }).click();
    await page.waitForSelector('html[data-theme="light"]');
    await shot(page, 'console-ask-light');
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'ask: what a person says of an item is sent, and the list ranks again',
  async () => {
    world = await open();
    const { page, test, problems } = world;
    await ask('a city or a kettle');
    const text = (await firstItems())[2]!;
    const card = page.locator('.item', { has: page.getByText(text, { exact: true }) });
    const score = async () => Number(await card.locator('.score .value').textContent());
    const low = await score();
    await card.getByRole('button', { name: 'Accept' }).click();
    await page.getByText(/^Ranked again/).waitFor();
    expect(await card.getByRole('button', { name: 'Accept' }).getAttribute('aria-pressed')).toBe('true');
    expect(await score()).toBeGreaterThan(low);
    expect((await test.get('/v1/stats')).body.activity).toMatchObject({ feedback_given: 1, outcomes: { accepted: 1 } });
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'ask: a fault of the service is shown in its own words, and the page goes on',
  async () => {
    world = await open({ expected: /400|503/ });
    const { page } = world;
    let answers = 0;
    await page.route('**/v1/query', (route) => {
      answers += 1;
      return answers === 1
        ? route.fulfill({
            status: 503,
            contentType: 'application/json',
            body: '{"error":"The vector engine does not answer.","code":"unavailable"}',
          })
        : route.continue();
    });
    await page.getByLabel('Question').fill('tea');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('alert').getByText('The vector engine does not answer.').waitFor();
    await ask('tea');
    expect(await page.getByRole('alert').count()).toBe(0);
  },
  SLOW,
);

inBrowser(
  'ask: the key is asked for once and kept in the session only; names stay text',
  async () => {
    const hostile = '<img src=x onerror="window.hacked=1">';
    world = await open({ environment: { SVC_API_KEYS: 'the-key' } });
    const { page, test, problems } = world;
    await page.fill('#key', 'the-key');
    await page.getByRole('button', { name: 'Use key' }).click();
    await page.getByText('The service knows nothing yet.').waitFor();
    await test.send('/v1/ingest/structured', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer the-key' },
      body: JSON.stringify({ domain: 'evil', concepts: [{ name: hostile, description: 'A name that is markup.' }] }),
    });
    await ask('a name that is markup');
    expect((await firstItems())[0]).toContain(hostile);
    expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.locator('main img').count()).toBe(0);
    await page.reload();
    await page.getByText('Knowledge console').waitFor();
    await ask('markup');
    expect(await page.locator('#key').count()).toBe(0);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('the-key');
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'compare: both lists side by side, joined by lines, with what each found alone',
  async () => {
    world = await open({ view: 'compare' });
    const { page, problems } = world;
    await page.getByLabel('Question').fill('Where does the tea that is brewed below 80 degrees come from?');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.both .item').first().waitFor();
    expect(await page.locator('.summary').textContent()).toMatch(/The graph found|both/);
    const ids = async (side: string) =>
      page
        .locator(`[data-side="${side}"]`)
        .evaluateAll((items) => items.map((item) => (item as unknown as { dataset: { id: string } }).dataset.id));
    const [left, right] = [await ids('vectors'), await ids('graph')];
    expect(left.length * right.length).toBeGreaterThan(0);
    expect(await page.locator('.lines line').count()).toBe(left.filter((id) => right.includes(id)).length);
    expect(await page.locator('[data-side="graph"].alone').count()).toBe(
      right.filter((id) => !left.includes(id)).length,
    );
    await shot(page, 'console-compare-dark');
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'a narrow screen shows every view without scrolling sideways',
  async () => {
    world = await open({ width: 360 });
    const { page, problems } = world;
    for (const view of ['Ask', 'Compare', 'Look', 'Documents', 'Learning']) {
      await page.getByRole('link', { name: view, exact: true }).first().click();
      await page.getByRole('main', { name: view }).waitFor();
      if (view === 'Documents') await page.locator('td', { hasText: 'drinks.md' }).first().waitFor();
      expect([view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([view, 360]);
    }
    expect(problems).toEqual([]);
  },
  SLOW,
);
