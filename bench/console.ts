// Measures the console in a real browser over loopback: the first paint, and a graph of 2,000 nodes until it answers. Writes
// docs/benchmarks/console.md.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { compose } from '../src/compose.js';
import { loadConfig } from '../src/config.js';
import { startServer } from '../src/server/start.js';
import { createLogger } from '../src/telemetry/logger.js';
import { machine } from './machine.js';

const RUNS = 3;
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

if (!existsSync('dist/web/console.js')) throw new Error('Run `npm run build` first.');
const directory = mkdtempSync(join(tmpdir(), 'bench-console-'));
const config = loadConfig({
  environment: { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static', SVC_PORT: '0', SVC_LOG_LEVEL: 'silent' },
  executable: undefined,
});
const service = await compose(config);
const running = await startServer({ config, service, log: createLogger('silent'), variants: ['a'] });
const url = running.urls.a ?? '';
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
try {
  await service.ingest.text({
    text: readFileSync('samples/handbook.md', 'utf8'),
    domain: 'handbook',
    format: 'markdown',
    name: 'handbook.md',
  });
  await service.ingest.structured(cupboards());
  const paints: number[] = [];
  const graphs: number[] = [];
  for (let i = 0; i < RUNS; i += 1) {
    paints.push(await firstPaint(browser));
    graphs.push(await interactive(browser));
  }
  const page = report(paints, graphs);
  process.stdout.write(`${page}\n`);
  writeFileSync('docs/benchmarks/console.md', page);
} finally {
  await browser.close();
  await running.close();
  await service.close();
  rmSync(directory, { recursive: true, force: true });
}

/** A workshop of twelve cupboards that hold 1,987 tools: 2,000 concepts within two steps of the first. */
function cupboards() {
  const names = Array.from({ length: 12 }, (_, i) => `Cupboard ${i}`);
  const tools = Array.from({ length: 1987 }, (_, i) => ({ name: `Tool ${i}`, cupboard: names[i % 12]! }));
  return {
    domain: 'tools',
    source_id: 'tools',
    concepts: ['Workshop', ...names, ...tools.map((tool) => tool.name)].map((name) => ({ name })),
    edges: [
      ...names.map((target) => ({ source: 'Workshop', target, relation: 'REQUIRES' })),
      ...tools.map(({ name, cupboard }) => ({ source: cupboard, target: name, relation: 'USES' })),
    ],
    rules: [],
  };
}

async function opened(of: Browser, view: string): Promise<Page> {
  const page = await of.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${url}/#${view}`);
  return page;
}

/** Returns the browser's own first contentful paint of a page that was never loaded, in ms. */
async function firstPaint(of: Browser): Promise<number> {
  const page = await opened(of, 'ask');
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  const entries = () =>
    page.evaluate(() => performance.getEntriesByName('first-contentful-paint').map((e) => e.startTime));
  let [found] = await entries();
  while (found === undefined) [found] = await entries();
  await page.close();
  return found;
}

/** Returns the time from the one click that brings 2,000 nodes to the canvas until a filter on them has taken hold, in ms. */
async function interactive(of: Browser): Promise<number> {
  const page = await opened(of, 'look');
  await page.getByLabel('Search nodes').fill('Workshop');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page
    .locator('.hits button', { hasText: /^Workshop/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Workshop', exact: true }).waitFor();
  const started = performance.now();
  await page.getByRole('button', { name: 'Expand three steps' }).click();
  await page.locator('.graph .state', { hasText: /^2000 nodes/ }).waitFor();
  await page.getByLabel(/USES \(/).uncheck();
  await page.locator('.graph .state', { hasText: /^2000 nodes and 12 edges/ }).waitFor();
  const took = performance.now() - started;
  await page.close();
  return took;
}

function report(paints: readonly number[], graphs: readonly number[]): string {
  const row = (name: string, times: readonly number[], bar: number) => {
    const sorted = [...times].sort((a, b) => a - b);
    const [least, middle, most] = [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!].map((ms) => Math.round(ms));
    return `| ${name} | ${least} | ${middle} | ${most} | ${bar} |`;
  };
  return [
    '# The console in a browser',
    '',
    `Written by \`npm run bench:console\`: Chromium without a graphics card, over loopback, ${RUNS} runs, in milliseconds. The`,
    'first row is the first contentful paint of a page that was not loaded before; the second begins with the one click that',
    'asks for 1,987 more nodes ("Expand three steps") and ends when all are drawn and a filter on them has taken hold.',
    '',
    '| What | Fastest | Median | Slowest | Bar |',
    '|---|--:|--:|--:|--:|',
    row('first paint', paints, 1000),
    row('2,000 nodes interactive', graphs, 2000),
    '',
    machine(),
    '',
  ].join('\n');
}
