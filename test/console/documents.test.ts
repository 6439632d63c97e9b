import { expect } from '@jest/globals';
import { DOCUMENT_EXTENSIONS } from '../../src/core/wording/document-types.js';
import { makeShop } from '../mcp/world.js';
import { inBrowser, seriousFindings, shot } from '../support/browser.js';
import { waitFor } from '../support/wait-for.js';
import { type ConsoleWorld, consolesOfEachTest } from './world.js';

const SLOW = 180_000;

const openConsole = consolesOfEachTest();
let world: ConsoleWorld;

const file = (name: string, text: string) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(text) });

inBrowser(
  'documents: files go in with their result, a bad one says what is wrong; a document is forgotten after a preview',
  async () => {
    world = await openConsole({ view: 'documents', expected: /400|415/ });
    const { page, test, problems } = world;
    await page.locator('td', { hasText: 'drinks.md' }).first().waitFor();
    const accepted = await page.locator('input[type=file]').getAttribute('accept');
    expect(accepted?.split(',')).toEqual(DOCUMENT_EXTENSIONS);
    await page.getByLabel('Into the domain').fill('snow');
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('snow.md', '# Snow\n\nSnow is white. Never eat yellow snow.\n'),
        { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no pdf') },
      ]);
    await page.locator('.uploads li', { hasText: /snow\.md .*1 passage,/ }).waitFor();
    await page.locator('.uploads .bad', { hasText: 'broken.pdf' }).waitFor();
    await page.locator('td', { hasText: 'snow.md' }).first().waitFor();
    await page.getByRole('button', { name: 'Forget snow', exact: true }).waitFor();
    const dropped = await page.evaluateHandle(() => {
      const { DataTransfer, File } = globalThis as never as {
        DataTransfer: new () => { items: { add(file: unknown): void } };
        File: new (parts: string[], name: string) => unknown;
      };
      const transfer = new DataTransfer();
      transfer.items.add(new File(['# Ice\n\nIce is cold. Never walk on thin ice.\n'], 'ice.md'));
      return transfer;
    });
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
    await page.locator('.uploads li', { hasText: /ice\.md .*1 passage,/ }).waitFor();
    const ice = (await test.get('/v1/documents?domain=snow')).body.documents;
    await test.delete(`/v1/documents/${ice.find((one: { label: string }) => one.label === 'ice.md').source_id}`);
    expect((await test.get('/v1/documents?domain=snow')).body.documents).toHaveLength(1);
    await shot(page, 'console-documents-dark');
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Forget snow.md' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 passage', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    expect((await test.get('/v1/documents?domain=snow')).body.documents).toHaveLength(1);
    await page.getByRole('button', { name: 'Forget snow.md' }).click();
    await dialog.getByRole('button', { name: 'Forget it' }).click();
    await page.getByText(/^snow\.md is forgotten: \d+ nodes no longer exist\.$/).waitFor();
    const left = (await test.get('/v1/documents')).body.documents as Array<{ label: string }>;
    expect(left.map(({ label }) => label)).toEqual(['drinks.md']);

    await page.getByRole('button', { name: 'Forget drinks', exact: true }).click();
    await dialog.getByText('The whole domain goes, with all of its documents.').waitFor();
    await dialog.getByText(/^\d+ concepts?$/).waitFor();
    await dialog.getByRole('button', { name: 'Forget it' }).click();
    await page.getByText(/^The domain drinks is forgotten: \d+ nodes no longer exist\.$/).waitFor();
    expect((await test.get('/v1/documents')).body.documents).toEqual([]);
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'documents: what is sent, what waits and what is read shows as it goes',
  async () => {
    world = await openConsole({ view: 'documents' });
    const { page, test, problems } = world;
    const states: string[] = [];
    const go: Array<() => void> = [];
    // The job is real; what the page reads of it waits, so that each state can be seen.
    await page.route('**/v1/jobs/*/files', async (route) => {
      const answer = await route.fetch();
      const { files, ...rest } = await answer.json();
      const state = ['queued', 'running'][states.length];
      if (state === undefined) return route.fulfill({ response: answer });
      states.push(state);
      await new Promise<void>((resolve) => go.push(resolve));
      const unfinished = files.map((one: object) => ({ ...one, state, result: null, error: null }));
      await route.fulfill({ response: answer, json: { ...rest, files: unfinished } });
    });
    await page.route(/\/v1\/jobs\/[^/]+$/, async (route) => {
      if (route.request().method() !== 'GET' || go.length >= 2) return route.continue();
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), state: 'running' } });
    });
    await page.locator('input[type=file]').setInputFiles([file('snow.md', '# Snow\n\nSnow is white.\n')]);
    const line = page.locator('.uploads li', { hasText: 'snow.md' });
    await line.getByText('waits for its turn…').waitFor();
    expect(await line.locator('progress').count()).toBe(1);
    await waitFor(() => expect(go.length).toBe(1), { timeout: 20_000 });
    go[0]!();
    await waitFor(() => expect(go.length).toBe(2), { timeout: 20_000 });
    go[1]!();
    await line.getByText('the service reads it…').waitFor();
    await page.locator('.uploads li', { hasText: /snow\.md .*1 passage,/ }).waitFor();
    expect(await line.locator('progress').count()).toBe(0);
    expect((await test.get('/v1/jobs')).body.jobs[0]).toMatchObject({ state: 'completed' });
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'documents: a file needs a key where the service does',
  async () => {
    world = await openConsole({ view: 'documents', environment: { SVC_API_KEYS: 'the-key' } });
    const { page, test, problems } = world;
    const open = new FormData();
    open.set('domain', 'snow');
    open.set('files', new Blob(['# Snow\n\nSnow is white.\n']), 'snow.md');
    expect((await test.send('/v1/jobs/ingest', { method: 'POST', body: open })).status).toBe(401);
    await page.fill('#key', 'the-key');
    await page.getByRole('button', { name: 'Use key' }).click();
    await page.locator('input[type=file]').setInputFiles([file('snow.md', '# Snow\n\nSnow is white.\n')]);
    await page.locator('.uploads li', { hasText: /snow\.md .*1 passage,/ }).waitFor();
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'documents: of a connected database it shows how far it was read, and reads it anew',
  async () => {
    world = await openConsole({
      view: 'documents',
      prepare: (test) =>
        test.post('/v1/sources/connect', { source_id: 'shop', connection_string: makeShop(test.files) }),
    });
    const { page, test, problems } = world;
    const row = page.getByRole('row', { name: /^shop / });
    await row.getByText('never read', { exact: true }).waitFor();
    await test.post('/v1/sources/shop/sync', { tables: ['category'] });
    await page.reload();
    await row.getByText('never read: product', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Read shop anew' }).click();
    await page.getByText(/^shop: 5 rows read, \d+ new or changed, 0 forgotten\.$/).waitFor();
    await row.getByText('read to the end', { exact: true }).waitFor();
    expect(await row.getByRole('cell', { name: '5', exact: true }).count()).toBe(1);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'learning: what feedback taught, learners with their arms, links to the dashboards',
  async () => {
    world = await openConsole({
      view: 'learning',
      prepare: async (test) => {
        const { body } = await test.post('/v1/query', { context: 'which city is green tea from' });
        await test.post('/v1/feedback', { query_id: body.query_id, outcomes: { [body.items[0].id]: 'accepted' } });
        await test.post('/v1/learning/observe', { learner: 'prompts', arm_id: 'short', outcome: 'accepted' });
      },
    });
    const { page, problems } = world;
    await page.getByText('1 rating: 1 accepted').waitFor();
    await page.locator('td', { hasText: 'which city is green tea from' }).first().waitFor();
    await page.locator('td', { hasText: 'short' }).first().waitFor();
    expect(await page.locator('td', { hasText: '0.158 to 0.987' }).count()).toBe(1);
    const href = await page.getByRole('link', { name: 'Emissions' }).getAttribute('href');
    expect(new URL(href ?? '', page.url()).pathname).toBe('/__gateway__/api/green/dashboard');
    await shot(page, 'console-learning-dark');
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  SLOW,
);
