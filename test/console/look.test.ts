import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { TestService } from '../service/harness.js';
import { inBrowser, seriousFindings, shot } from '../support/browser.js';
import { waitFor } from '../support/wait-for.js';
import { type ConsoleWorld, consolesOfEachTest } from './world.js';

const SLOW = 240_000;

const open = consolesOfEachTest();
let world: ConsoleWorld;

/** A wheel of tools: a hub that requires each of `count` others, and a chain of three beside it. */
const wheel = (count: number) => async (test: TestService) => {
  const spokes = Array.from({ length: count }, (_, i) => `Tool ${i}`);
  await test.post('/v1/ingest/structured', {
    domain: 'tools',
    concepts: [
      { name: 'Workshop', description: 'Where all the tools hang.', confidence: 0.9 },
      ...spokes.map((name, i) => ({ name, description: `Number ${i}.`, confidence: i % 2 === 0 ? 0.9 : 0.4 })),
      { name: 'Shed', description: 'Behind the workshop.' },
      { name: 'Garden', description: 'Around the shed.' },
    ],
    edges: [
      ...spokes.map((name) => ({ source: 'Workshop', target: name, relation_type: 'REQUIRES', confidence: 0.9 })),
      { source: 'Shed', target: 'Tool 0', relation_type: 'USES', confidence: 0.9 },
      { source: 'Garden', target: 'Shed', relation_type: 'USES', confidence: 0.9 },
    ],
    rules: [{ text: 'Always clean the workshop before leaving.', concepts: ['Workshop'] }],
  });
};

/** What the canvas holds. */
const counts = () =>
  world.page.evaluate(() => {
    const canvas = (
      globalThis as never as { document: { querySelector(selector: string): unknown } }
    ).document.querySelector('.canvas');
    const { graph } = canvas as { graph: { nodes(): { length: number }; edges(): { length: number } } };
    return { nodes: graph.nodes().length, edges: graph.edges().length };
  });

async function choose(text: string): Promise<void> {
  const { page } = world;
  await page.getByLabel('Search nodes').fill(text);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.locator('.hits button', { hasText: text }).first().click();
  await page.getByRole('heading', { name: text, exact: true }).waitFor();
}

/** Clicks on a node where the canvas draws it. */
async function clickOn(label: string): Promise<void> {
  const { page } = world;
  const at = await page.evaluate((wanted) => {
    interface Drawn {
      data(name: string): string;
      renderedPosition(): { x: number; y: number };
    }
    const { document } = globalThis as never as { document: { querySelector(selector: string): unknown } };
    const { graph } = document.querySelector('.canvas') as {
      graph: { nodes(): { toArray(): Drawn[] } };
    };
    const node = graph
      .nodes()
      .toArray()
      .find((one) => one.data('label') === wanted);
    return node?.renderedPosition();
  }, label);
  expect([label, at]).toEqual([label, { x: expect.any(Number), y: expect.any(Number) }]);
  await page.locator('.canvas').click({ position: at! });
}

/** Kind, domain and drawn colour of each node on the canvas. */
const colours = () =>
  world.page.evaluate(() => {
    interface Drawn {
      data(name: string): string;
      style(name: string): string;
    }
    const { document } = globalThis as never as { document: { querySelector(selector: string): unknown } };
    const { graph } = document.querySelector('.canvas') as { graph: { nodes(): { toArray(): Drawn[] } } };
    return graph
      .nodes()
      .toArray()
      .map((node) => [node.data('kind'), node.data('domain'), node.style('background-color')] as const);
  });

/** Waits until the line under the canvas reads like this. */
const note = (text: RegExp) => world.page.locator('.graph .state', { hasText: text }).waitFor();

inBrowser(
  'look: a search, neighbours by a click, filters by the legend, a path, exports',
  async () => {
    world = await open({ view: 'look', prepare: wheel(12) });
    const { page, problems } = world;
    await choose('Workshop');
    await note(/^13 nodes and 12 edges shown/);
    expect(await page.getByText('Always clean the workshop before leaving.', { exact: true }).count()).toBe(1);
    await page.locator('.edges button', { hasText: 'Tool 0' }).first().click();
    await note(/^14 nodes and 13 edges shown/);
    await page.locator('.edges button', { hasText: 'Shed' }).first().click();
    await note(/^15 nodes and 14 edges shown/);
    await page.getByRole('button', { name: 'Arrange' }).click();
    await shot(page, 'console-look-dark');
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Path from here' }).click();
    await page.locator('.edges button', { hasText: 'Tool 0' }).first().click();
    await page.locator('.edges button', { hasText: 'Workshop' }).first().click();
    await page.getByRole('button', { name: 'Path from Shed to here' }).click();
    await page.locator('.route', { hasText: /^Shortest path: Shed – Tool 0 – Workshop$/ }).waitFor();

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON' }).click(),
    ]);
    const saved = JSON.parse(readFileSync(await file.path(), 'utf8'));
    expect([saved.nodes.length, saved.edges.length]).toEqual([15, 14]);
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PNG' }).click(),
    ]);
    expect(
      readFileSync(await picture.path())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');

    await page.getByLabel('USES (2)').uncheck();
    await note(/^15 nodes and 12 edges shown/);
    await page.getByLabel(/^Confidence from/).fill('0.8');
    await note(/^9 nodes and 6 edges shown/);
    await waitFor(async () => expect(await counts()).toEqual({ nodes: 9, edges: 6 }), { timeout: 20_000 });
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'look: a source shows its passages and what they lead to, and colours tell domains or kinds',
  async () => {
    world = await open({
      view: 'look',
      prepare: async (test) => {
        const text = (name: string, text: string) =>
          test.post('/v1/ingest/text', { domain: 'drinks', name, text, format: 'markdown' });
        await text('milk.md', '# Milk\n\nUji has many cows.\n');
        await text('boats.md', '# Boats\n\nBoats of Uji carry tea.\n');
      },
    });
    const { page, problems } = world;
    await choose('Uji');
    await page.getByLabel(/passage \(/).waitFor();
    const all = await counts();
    await page.getByRole('combobox', { name: 'Source' }).selectOption({ label: 'milk.md' });
    await waitFor(async () => expect((await counts()).nodes).toBeLessThan(all.nodes), { timeout: 20_000 });
    const labels = await page.evaluate(() => {
      const { document } = globalThis as never as { document: { querySelector(selector: string): unknown } };
      const { graph } = document.querySelector('.canvas') as {
        graph: { nodes(): { map(of: (node: { data(name: string): string }) => string): string[] } };
      };
      return graph.nodes().map((node) => `${node.data('kind')} ${node.data('label')}`);
    });
    expect(labels).toContain('passage Milk');
    expect(labels).not.toContain('passage Boats');
    await page.getByRole('combobox', { name: 'Source' }).selectOption({ label: 'all' });
    await waitFor(async () => expect(await counts()).toEqual(all), { timeout: 20_000 });
    const domainMark = page.locator('fieldset', { hasText: 'Domains' }).locator('.dot');
    await domainMark.first().waitFor();
    const differ = (of: ReadonlyArray<readonly [string, string, string]>, index: 0 | 1) =>
      new Set(of.map((node) => node[index])).size === new Set(of.map(([, , colour]) => colour)).size;
    expect(differ(await colours(), 1)).toBe(true);
    await page.getByRole('combobox', { name: 'Colours by' }).selectOption('kind');
    await domainMark.first().waitFor({ state: 'detached' });
    const byKind = await colours();
    expect(new Set(byKind.map(([kind]) => kind)).size).toBeGreaterThan(1);
    expect(differ(byKind, 0)).toBe(true);
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'look: a click on a node of the canvas opens its page and adds its neighbours',
  async () => {
    world = await open({ view: 'look', prepare: wheel(3) });
    const { page, problems } = world;
    await choose('Workshop');
    await note(/^4 nodes and 3 edges shown/);
    await waitFor(async () => expect(await counts()).toEqual({ nodes: 4, edges: 3 }), { timeout: 20_000 });
    await page.getByRole('button', { name: 'Fit' }).click();
    await waitFor(
      async () => {
        await clickOn('Tool 0');
        expect(await page.getByRole('heading', { name: 'Tool 0', exact: true }).count()).toBe(1);
      },
      { timeout: 20_000, interval: 500 },
    );
    await note(/^5 nodes and 4 edges shown/);
    expect(problems).toEqual([]);
  },
  SLOW,
);

/** A workshop of twelve cupboards with 180 tools each. */
async function cupboards(test: TestService): Promise<void> {
  const names = Array.from({ length: 12 }, (_, i) => `Cupboard ${i}`);
  const tools = names.flatMap((cupboard) =>
    Array.from({ length: 180 }, (_, i) => ({ cupboard, name: `${cupboard} tool ${i}` })),
  );
  await test.post('/v1/ingest/structured', {
    domain: 'tools',
    concepts: [
      { name: 'Workshop', description: 'Where all the cupboards are.' },
      ...names.map((name) => ({ name, description: 'Holds tools.' })),
      ...tools.map(({ name }, i) => ({ name, confidence: i % 2 === 0 ? 0.9 : 0.4 })),
    ],
    edges: [
      ...names.map((name) => ({ source: 'Workshop', target: name, relation_type: 'REQUIRES', confidence: 0.9 })),
      ...tools.map(({ cupboard, name }) => ({
        source: cupboard,
        target: name,
        relation_type: 'USES',
        confidence: 0.9,
      })),
    ],
  });
}

inBrowser(
  'look: two thousand nodes, and no more',
  async () => {
    world = await open({ view: 'look', prepare: cupboards });
    const { page, problems } = world;
    await choose('Workshop');
    await note(/^13 nodes and 12 edges shown/);
    await page.getByRole('button', { name: 'Expand three steps' }).click();
    await note(/^2000 nodes and 1999 edges shown/);
    // One more neighbour finds no room, and the page says so.
    await page.locator('.edges button', { hasText: /^Cupboard 3$/ }).click();
    await note(/^2000 nodes and 1999 edges shown; \d+ more found no room among 2000/);
    await page.locator('.edges button', { hasText: /^Workshop$/ }).click();
    await page.getByRole('heading', { name: 'Workshop', exact: true }).waitFor();
    await waitFor(async () => expect(await counts()).toEqual({ nodes: 2000, edges: 1999 }), { timeout: 20_000 });
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.getByRole('button', { name: 'Fit' }).click();
    await shot(page, 'console-look-2000');
    // It still answers: a filter takes hold.
    await page.getByLabel('USES (1987)').uncheck();
    await note(/^2000 nodes and 12 edges shown/);
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'look: hostile names stay text; a node that does not exist is said so',
  async () => {
    const hostile = '<img src=x onerror="window.hacked=1">';
    world = await open({
      view: 'look',
      expected: /404/,
      prepare: (test) =>
        test.post('/v1/ingest/structured', {
          domain: 'evil',
          concepts: [
            { name: hostile, description: 'Markup.' },
            { name: 'Victim', description: 'Reads it.' },
          ],
          edges: [{ source: hostile, target: 'Victim', relation_type: 'USES' }],
        }),
    });
    const { page, problems } = world;
    await choose('Victim');
    await page.locator('.edges').getByRole('button', { name: hostile, exact: true }).click();
    await page.getByRole('heading', { name: hostile, exact: true }).waitFor();
    expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.locator('main img').count()).toBe(0);
    await page.goto(`${world.test.url}/#look/${encodeURIComponent('nobody:here')}`);
    await page.getByRole('alert').getByText('nobody:here').waitFor();
    expect(problems).toEqual([]);
  },
  SLOW,
);
