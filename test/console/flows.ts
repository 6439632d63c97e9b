import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { conceptId } from '../../src/core/ids.js';
import { press, tabTo, type } from './keyboard.js';
import { HOSTILE } from './sample.js';

/** What a person does in one view of the console, on the handbook of the samples and with the keyboard alone. */
export interface Flow {
  readonly name: string;
  /** What of the service the view rests on, as a pattern of addresses. */
  readonly needs: string;
  /** Begins what needs the service; absent where the view does so by itself. */
  readonly begin?: (page: Page) => Promise<void>;
  /** The whole flow; it leaves the service as it was but for what it asked and uploaded. */
  readonly work: (page: Page) => Promise<void>;
  /** Shows a hostile name, and returns where. */
  readonly hostile: (page: Page) => Promise<Locator>;
}

const QUESTION = 'Which team is responsible for the part that Beacon needs?';
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const domainOf = (page: Page) => page.getByRole('combobox', { name: 'Domain' });

export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    (globalThis as never as { location: { hash: string } }).location.hash = to;
  }, hash);
}

async function ask(page: Page, question: string): Promise<void> {
  await type(page, page.getByLabel('Question'), question);
  await press(page, button(page, 'Ask'));
}

async function compare(page: Page, question: string): Promise<void> {
  await type(page, page.getByLabel('Question'), question);
  await press(page, button(page, 'Compare'));
}

async function openBeacon(page: Page): Promise<void> {
  await goTo(page, `look/${encodeURIComponent(conceptId('handbook', 'Beacon'))}`);
  await page.getByRole('heading', { name: 'Beacon', exact: true }).waitFor();
}

const shownCounts = async (page: Page) => {
  const note = (await page.locator('.graph .state').textContent()) ?? '';
  return [...note.matchAll(/\d+/g)].map(([count]) => Number(count));
};

export const FLOWS: readonly Flow[] = [
  {
    name: 'ask',
    needs: '**/v1/query',
    begin: (page) => ask(page, QUESTION),
    work: async (page) => {
      await page.getByText('What it knows').waitFor();
      await type(page, page.getByLabel('Question'), QUESTION);
      await tabTo(page, domainOf(page));
      await page.keyboard.type('handbook');
      await tabTo(page, page.getByRole('combobox', { name: 'Mode' }));
      await page.keyboard.type('graph');
      const [request] = await Promise.all([page.waitForRequest('**/v1/query'), press(page, button(page, 'Ask'))]);
      expect(request.postDataJSON()).toMatchObject({ domains: ['handbook'], mode: 'graph', context: QUESTION });
      await page.locator('.item').first().waitFor();
      const label = await page.locator('.score .track').first().getAttribute('aria-label');
      const shares = [...label!.matchAll(/(\d+) %/g)].map(([, percent]) => Number(percent));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(100);
      // Somewhere in the answer a way through the graph, with the sentence that says so, and a rule.
      await page.locator('.chain q').first().waitFor();
      await page.getByText('Always provide Ledger when you use Beacon.', { exact: true }).first().waitFor();
      await press(page, button(page, 'Partly').first());
      await page.getByText(/^Ranked again/).waitFor();
    },
    hostile: async (page) => {
      await ask(page, 'a name that is markup');
      return page.locator('.item .content', { hasText: HOSTILE });
    },
  },
  {
    name: 'compare',
    needs: '**/v1/compare',
    begin: (page) => compare(page, QUESTION),
    work: async (page) => {
      await compare(page, QUESTION);
      await page.locator('.both .item').first().waitFor();
      expect(await page.locator('.summary').textContent()).toMatch(/The graph found|both/);
    },
    hostile: async (page) => {
      await compare(page, 'a name that is markup');
      return page.locator('.both .content', { hasText: HOSTILE });
    },
  },
  {
    name: 'look',
    needs: '**/v1/explore',
    begin: (page) => goTo(page, `look/${encodeURIComponent(conceptId('handbook', 'Beacon'))}`),
    work: async (page) => {
      await page.locator('.first button, .node h2').first().waitFor();
      if (await page.locator('.first').isVisible())
        await press(page, page.locator('.first button', { hasText: 'Beacon' }));
      await page.getByRole('heading', { name: 'Beacon', exact: true }).waitFor();
      await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor();
      await page.getByText('Beacon requires Ledger and uses Skerry Cache.').first().waitFor();
      await press(page, button(page, 'Expand three steps'));
      await page.getByLabel(/CONTAINS \(/).waitFor();
      const [nodes, edges] = await shownCounts(page);
      await press(page, page.getByLabel(/LINKS_TO \(/), 'Space');
      await expect(
        page.locator('.graph .state').getByText(`${nodes} nodes and ${edges} edges`).waitFor({ state: 'hidden' }),
      ).resolves.toBeUndefined();
      expect((await shownCounts(page))[1]).toBeLessThan(edges!);
      await press(page, button(page, 'Path from here'));
      await press(page, page.locator('.edges').getByRole('button', { name: 'Ledger', exact: true }).first());
      await page.getByRole('heading', { name: 'Ledger', exact: true }).waitFor();
      await press(page, page.locator('.edges').getByRole('button', { name: 'Granite Store', exact: true }).first());
      await page.getByRole('heading', { name: 'Granite Store', exact: true }).waitFor();
      await press(page, button(page, 'Path from Beacon to here'));
      await page.locator('.route', { hasText: /^Shortest path: Beacon – Ledger – Granite Store$/ }).waitFor();
    },
    hostile: async (page) => {
      await goTo(page, `look/${encodeURIComponent(conceptId('evil', HOSTILE))}`);
      return page.getByRole('heading', { name: HOSTILE, exact: true });
    },
  },
  {
    name: 'mend',
    needs: '**/v1/edits*',
    work: async (page) => {
      await openBeacon(page);
      await press(page, button(page, 'Change'));
      await type(page, page.getByLabel('Description'), 'Shows where a parcel is.');
      await press(page, button(page, 'Save'));
      await page.locator('.node .state', { hasText: 'described “Beacon”' }).waitFor();
      await press(page, page.getByRole('link', { name: 'Mend', exact: true }));
      const undo = page.getByRole('button', { name: 'Undo that it described “Beacon”' });
      await press(page, undo.first());
      await page.locator('.state', { hasText: 'Undone: described “Beacon”' }).waitFor();
      await undo.first().waitFor({ state: 'detached' });
      await page.locator('td', { hasText: 'undone' }).first().waitFor();
    },
    hostile: async (page) => page.locator('td', { hasText: `Always escape ${HOSTILE}` }),
  },
  {
    name: 'documents',
    needs: '**/v1/documents*',
    work: async (page) => {
      await page.locator('td', { hasText: 'handbook.md' }).first().waitFor();
      await type(page, page.getByLabel('Into the domain'), 'snow');
      const files = page.locator('input[type=file]');
      await tabTo(page, files);
      await files.setInputFiles([
        { name: 'snow.md', mimeType: 'text/markdown', buffer: Buffer.from('# Snow\n\nSnow is white.\n') },
      ]);
      await page.locator('.uploads li', { hasText: /snow\.md .*(1 passage|unchanged)/ }).waitFor();
      await press(page, page.getByRole('button', { name: 'Forget snow.md' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 passage', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await press(page, page.getByRole('button', { name: 'Forget snow.md' }));
      await press(page, dialog.getByRole('button', { name: 'Forget it' }));
      await page.getByText(/^snow\.md is forgotten/).waitFor();
    },
    hostile: async (page) => page.locator('td', { hasText: HOSTILE }),
  },
  {
    name: 'learning',
    needs: '**/v1/interoception*',
    work: async (page) => {
      await page.getByText(/\d+ ratings?: \d+ accepted/).waitFor();
      await page.getByText('pairs of items that were useful together').waitFor();
      await page.locator('td', { hasText: 'short' }).first().waitFor();
      await page
        .getByRole('img', { name: /^mean 0\.\d+, from 0\.\d+ to 0\.\d+$/ })
        .first()
        .waitFor();
      // What was rated shows by its name, not by its id.
      await page.locator('td', { hasText: 'North Vault' }).first().waitFor();
      for (const [name, path] of [
        ['Learning of agents', 'learning'],
        ['Emissions', 'green'],
      ] as const) {
        const link = page.getByRole('link', { name, exact: true });
        await tabTo(page, link);
        const href = await link.getAttribute('href');
        expect(new URL(href ?? '', page.url()).pathname).toBe(`/__gateway__/api/${path}/dashboard`);
      }
    },
    hostile: async (page) => page.locator('td', { hasText: HOSTILE }),
  },
  {
    name: 'agents',
    needs: '**/v1/queries*',
    work: async (page) => {
      await page.locator('td', { hasText: 'Who looks after North Vault?' }).first().waitFor();
      await page.locator('.badge', { hasText: 'accepted by agent-7' }).first().waitFor();
      await press(page, page.getByRole('button', { name: 'Show the turns of pager' }));
      await page.locator('.turns li', { hasText: 'Beacon is green again.' }).waitFor();
      expect(await page.locator('.turns li').count()).toBe(2);
    },
    hostile: async (page) => page.locator('td', { hasText: HOSTILE }),
  },
];
