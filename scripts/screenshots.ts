// Takes pictures of the console: serves the samples, works with each view as a person does, and keeps what it shows.
// `npm run screenshots -- FOLDER`; look at each before you copy one to docs/images. Needs Chromium (CHROMIUM names another path).
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { compose } from '../src/compose.js';
import { loadConfig } from '../src/config.js';
import { startServer } from '../src/server/start.js';
import { createLogger } from '../src/telemetry/logger.js';

const folder = process.argv[2] ?? 'data/screenshots';
const SIZE = { width: 1280, height: 900 };

const directory = mkdtempSync(join(tmpdir(), 'screenshots-'));
const config = loadConfig({
  environment: { SVC_DATA_DIR: directory, SVC_PORT: '0', SVC_LOG_LEVEL: 'silent' },
  executable: undefined,
});
const service = await compose(config);
const running = await startServer({ config, service, log: createLogger('silent'), variants: ['a'] });
const url = running.urls.a ?? '';
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
});
try {
  mkdirSync(folder, { recursive: true });
  for (const domain of ['handbook', 'encyclopedia']) {
    const text = readFileSync(`samples/${domain}.md`, 'utf8');
    await service.ingest.text({ text, domain, format: 'markdown', name: `${domain}.md` });
  }
  await conversation();
  await pictures(browser);
} finally {
  await browser.close();
  await running.close();
  await service.close();
  rmSync(directory, { recursive: true, force: true });
}

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

/** A talk between a person and an agent, and learners that have seen a few outcomes. */
async function conversation(): Promise<void> {
  const said = { domain: 'handbook', session_id: 'pager-2026-11-21' };
  const turns = [
    ['Rhea', 'Beacon is red since ten past nine. Which parts does it need?'],
    ['agent', 'Beacon requires Ledger; look at Ledger first.'],
    ['Rhea', 'Ledger was full. I made room and Beacon is green again.'],
  ] as const;
  for (const [speaker, text] of turns) await post('/v1/ingest/message', { ...said, speaker, text });
  for (const [arm_id, outcome] of [
    ['short', 'accepted'],
    ['short', 'accepted'],
    ['short', 'partial'],
    ['long', 'rejected'],
    ['long', 'accepted'],
  ]) {
    await post('/v1/learning/observe', { learner: 'prompts', arm_id, outcome });
  }
}

async function pictures(of: Browser): Promise<void> {
  const page = await of.newPage({ viewport: SIZE });
  page.setDefaultTimeout(120_000);
  await page.goto(url);
  await page.getByLabel('Question').waitFor();
  await page
    .getByRole('button', { name: /^What is/ })
    .first()
    .waitFor();
  await keep(page, 'console-first');
  await page.getByLabel('Question').fill('Who looks after the machines that hold Granite Store?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.locator('.item').first().waitFor();
  await keep(page, 'console-ask');
  await page.getByRole('button', { name: 'Accept' }).nth(3).click();
  await page.getByText(/^Ranked again/).waitFor();
  await keep(page, 'console-rated');
  await view(page, 'Compare');
  await page
    .getByLabel('Question')
    .fill('Who directed the film that was shot in or around Leland, North Carolina in 1986?');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.locator('.both .item').first().waitFor();
  await keep(page, 'console-compare');
  await view(page, 'Look');
  const beacon = page.locator('[aria-label^="Nodes to"] button', { hasText: 'Beacon' });
  await beacon.waitFor();
  await keep(page, 'console-look-first');
  await beacon.click();
  await page.locator('.node h2').waitFor();
  await page.getByRole('button', { name: 'Expand three steps' }).click();
  await page.waitForTimeout(1500);
  await page.getByRole('button', { name: 'Arrange' }).click();
  await page.waitForTimeout(1500);
  await keep(page, 'console-look');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('Description').fill('The status page of the service; the Harbour team keeps it.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.node .state', { hasText: 'Done' }).waitFor();
  await keep(page, 'console-node');
  for (const [name, until] of [
    ['Mend', 'described'],
    ['Documents', 'encyclopedia.md'],
    ['Agents', 'Who looks after'],
    ['Learning', 'short'],
  ] as const) {
    await view(page, name);
    await page.getByText(until).first().waitFor();
    if (name === 'Agents') {
      await page.getByRole('button', { name: 'Show the turns of' }).click();
      await page.locator('.turns li').first().waitFor();
    }
    await keep(page, `console-${name.toLowerCase()}`);
  }
}

async function view(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('main', { name }).waitFor();
}

async function keep(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
