import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { conceptId } from '../../src/core/ids.js';
import type { TestService } from '../service/harness.js';
import { inBrowser, seriousFindings, shot } from '../support/browser.js';
import { waitFor } from '../support/wait-for.js';
import { type ConsoleWorld, consolesOfEachTest } from './world.js';

const SLOW = 240_000;
const HOSTILE = '<img src=x onerror="window.hacked=1">';
const id = (name: string) => conceptId('mines', name);

const open = consolesOfEachTest();
let world: ConsoleWorld;

async function mines(test: TestService): Promise<void> {
  await test.post('/v1/ingest/structured', {
    domain: 'mines',
    source_id: 'batch',
    concepts: [
      { name: 'Pump', description: 'Moves water.' },
      { name: 'Guild', description: 'Miners of the north.' },
      { name: 'Union' },
      { name: HOSTILE },
    ],
    edges: [
      { source: 'Pump', target: 'Guild', relation: 'KEPT_BY' },
      { source: 'Pump', target: HOSTILE, relation: 'USES' },
    ],
    rules: [{ text: 'The Guild must check every Pump.', name: 'check' }],
  });
  for (const [message_id, text] of [
    ['m1', `The Pump is late ${HOSTILE}.`],
    ['m2', 'The Guild is loud.'],
  ]) {
    await test.post('/v1/ingest/message', { domain: 'mines', session_id: 'talk', message_id, text });
  }
}

const openNode = async (page: Page, name: string) => {
  await page.evaluate(
    (hash) => {
      (globalThis as never as { location: { hash: string } }).location.hash = hash;
    },
    `look/${encodeURIComponent(id(name))}`,
  );
  await page.locator('.node h2').waitFor();
};
const done = (page: Page, text: string) => page.locator('.node .state', { hasText: text }).waitFor();
const node = async (name: string) => (await world.test.service.graph.getNode(id(name)))!;

inBrowser(
  'mend: name, description, edges and rules of a node change and come back; what is refused is said',
  async () => {
    world = await open({ view: 'look', prepare: mines, expected: /409|404/ });
    const { page, test, problems } = world;
    await openNode(page, 'Pump');
    await page.locator('.node li', { hasText: 'batch' }).first().waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const form = page.getByRole('form', { name: 'Change the concept' });
    await form.getByLabel('Name').fill('Guild');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('merge the two instead').waitFor();
    await form.getByLabel('Name').fill('Water <b>Engine</b>');
    await form.getByLabel('Description').fill('Lifts water.');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Water <b>Engine</b>', exact: true }).waitFor();
    expect(await node('Pump')).toMatchObject({ name: 'Water <b>Engine</b>', description: 'Lifts water.' });
    await page.locator('.node li', { hasText: 'edits' }).first().waitFor();
    const label = (node: string) =>
      page.evaluate((of) => {
        const { document } = globalThis as never as { document: { querySelector(selector: string): unknown } };
        const { graph } = document.querySelector('.canvas') as {
          graph: { getElementById(id: string): { data(name: string): string } };
        };
        return graph.getElementById(of).data('label');
      }, node);
    await waitFor(async () => expect(await label(id('Pump'))).toBe('Water <b>Engine</b>'), { timeout: 20_000 });

    await page.getByRole('button', { name: 'Remove the edge USES to <img' }).click();
    await done(page, 'removed the edge');
    await waitFor(
      async () => expect(await page.getByRole('button', { name: 'Remove the edge USES' }).count()).toBe(0),
      { timeout: 20_000 },
    );
    await page.getByRole('button', { name: 'Change the edge KEPT_BY to Guild' }).click();
    await page.getByLabel('Relation', { exact: true }).first().fill('owned_by');
    await page.keyboard.press('Enter');
    await done(page, 'changed the edge');
    await page.getByText('Add an edge', { exact: true }).click();
    const add = page.getByRole('form', { name: 'Add an edge' });
    await add.getByLabel('Relation').fill('SERVES');
    await add.getByLabel('To the concept').fill('Nobody');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('target Nobody is no concept').waitFor();
    await add.getByLabel('To the concept').fill('Union');
    await page.keyboard.press('Enter');
    await done(page, 'added the edge');
    const edges = (await test.service.graph.getEdges({ source_id: id('Pump') })).map((edge) => edge.id).sort();
    expect(edges).toEqual([`${id('Pump')}|OWNED_BY|${id('Guild')}`, `${id('Pump')}|SERVES|${id('Union')}`]);

    await page.getByRole('button', { name: 'Change the rule The Guild' }).click();
    await page.getByRole('form', { name: 'Change the rule' }).getByLabel('Rule').fill('Check the Pump twice.');
    await page.getByRole('form', { name: 'Change the rule' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Check the Pump twice.', { exact: true }).waitFor();
    await page.getByText('Add a rule', { exact: true }).click();
    await page.getByRole('form', { name: 'Add a rule' }).getByLabel('Rule').fill('Never run it dry.');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('Never run it dry.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove the rule Check the Pump' }).click();
    await done(page, 'removed the rule');
    await shot(page, 'console-mend-node-dark');
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole('link', { name: 'Mend', exact: true }).click();
    await page.getByText('Changes 1 to 7 of 7').waitFor();
    await shot(page, 'console-mend-dark');
    expect(await seriousFindings(page)).toEqual([]);
    for (let left = 7; left > 0; left -= 1) {
      await waitFor(async () => expect(await page.getByRole('button', { name: /^Undo that/ }).count()).toBe(left), {
        timeout: 20_000,
      });
      await page
        .getByRole('button', { name: /^Undo that/ })
        .first()
        .focus();
      await page.keyboard.press('Enter');
    }
    await waitFor(async () => expect(await page.getByRole('button', { name: /^Undo that/ }).count()).toBe(0), {
      timeout: 20_000,
    });
    expect(await node('Pump')).toMatchObject({ name: 'Pump', description: 'Moves water.' });
    expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'mend: two chosen nodes become one, on a narrow screen too',
  async () => {
    world = await open({ view: 'look', prepare: mines, width: 380 });
    const { page, test, problems } = world;
    await openNode(page, 'Union');
    await page.getByRole('button', { name: 'Path from here' }).click();
    await openNode(page, 'Pump');
    await page.getByRole('heading', { name: 'Pump', exact: true }).waitFor();
    await page.locator('.edges button', { hasText: 'Guild' }).first().click();
    await page.getByRole('heading', { name: 'Guild', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Merge Union into this' }).click();
    await done(page, 'merged “Union” into “Guild”');
    expect((await test.service.graph.getNode(id('Union')))?.kind).not.toBe('concept');
    await shot(page, 'console-mend-narrow');
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'mend: a message and a session are removed in Documents and come back',
  async () => {
    world = await open({ view: 'documents', prepare: mines });
    const { page, test, problems } = world;
    const turns = async () => (await test.get('/v1/sessions/talk/messages?domain=mines')).body.total;
    await page.getByRole('button', { name: 'Show the messages of talk' }).click();
    await page.locator('.turns li').nth(1).waitFor();
    expect(await page.locator('.turns img').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove the message The Pump' }).click();
    await waitFor(async () => expect(await page.locator('.turns li').count()).toBe(1), { timeout: 20_000 });
    expect(await turns()).toBe(1);
    await page.getByRole('button', { name: 'Remove session talk' }).click();
    await page.locator('.state', { hasText: 'removed session talk' }).waitFor();
    expect((await test.get('/v1/sessions/talk/messages?domain=mines')).status).toBe(404);
    const { edits } = (await test.get('/v1/edits')).body;
    for (const { edit_id } of edits) await test.delete(`/v1/edits/${edit_id}`);
    expect(await turns()).toBe(2);
    expect(problems).toEqual([]);
  },
  SLOW,
);
