import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, it } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Where screenshots go; none are taken without it. */
const SHOTS = process.env.SCREENSHOTS;
const there = existsSync(CHROMIUM);
if (!there && process.env.CI === 'true') throw new Error(`There is no Chromium at ${CHROMIUM}; set CHROMIUM.`);
if (!there) process.stderr.write(`Skipped: there is no Chromium at ${CHROMIUM}; set CHROMIUM.\n`);

/** Runs a test where a Chromium is; under CI one has to be. */
export const inBrowser: (name: string, test: () => Promise<void>, timeout?: number) => void = there ? it : it.skip;

/** Starts the browser, and builds the pages where they are not built; undefined without a Chromium. */
async function launchBrowser(): Promise<Browser | undefined> {
  if (!there) return undefined;
  if (!existsSync('dist/web/console.js')) execFileSync(process.execPath, ['web/build.js'], { stdio: 'pipe' });
  return chromium.launch({
    executablePath: CHROMIUM,
    timeout: 120_000,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Starts one browser for the tests of a file, and ends it after them; returns what gives it to a test. */
export function browserOfFile(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 180_000);
  afterAll(() => browser?.close());
  return () => browser!;
}

/** A page that reaches one address only; `problems` collects errors of its scripts and what its console reports as errors. */
export async function openPage(
  browser: Browser,
  url: string,
  options: { readonly width?: number; readonly expected?: RegExp; readonly colorScheme?: 'dark' | 'light' } = {},
): Promise<{ page: Page; problems: string[] }> {
  const { width = 1280, colorScheme = 'dark' } = options;
  const page = await browser.newPage({ viewport: { width, height: 1000 }, colorScheme });
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.includes('401') && options.expected?.test(text) !== true)
      problems.push(text);
  });
  // No network but the service itself.
  const origin = new URL(url).origin;
  await page.route('**/*', (route) => (route.request().url().startsWith(origin) ? route.continue() : route.abort()));
  await page.goto(url);
  return { page, problems };
}

/** Returns how an element breaks its lines; runs in the page. */
export function whiteSpaceOf(element: unknown): string {
  const page = globalThis as never as { getComputedStyle(element: unknown): { readonly whiteSpace: string } };
  return page.getComputedStyle(element).whiteSpace;
}

/** Keeps a screenshot where SCREENSHOTS names a folder. */
export async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: false });
}

/** Serious findings of axe. */
export async function seriousFindings(page: Page): Promise<string[]> {
  const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(readFileSync(source, 'utf8'));
  const found = await page.evaluate(() =>
    (
      globalThis as never as {
        axe: {
          run(
            options: object,
          ): Promise<{ violations: Array<{ id: string; impact: string; nodes: Array<{ html: string }> }> }>;
        };
      }
    ).axe.run({ resultTypes: ['violations'] }),
  );
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
