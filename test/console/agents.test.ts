import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { inBrowser, seriousFindings, shot } from '../support/browser.js';
import { waitFor } from '../support/wait-for.js';
import { type ConsoleWorld, consolesOfEachTest } from './world.js';

const SLOW = 180_000;

const open = consolesOfEachTest();
let world: ConsoleWorld;

inBrowser(
  'agents: recent queries with their ratings, the turns of a conversation, jobs as they run',
  async () => {
    world = await open({
      view: 'agents',
      prepare: async (test) => {
        const { body } = await test.post('/v1/query', { context: 'which city is green tea from <i>now</i>' });
        await test.post('/v1/feedback', {
          query_id: body.query_id,
          outcomes: { [body.items[0].id]: 'rejected' },
          source: 'agent-7',
        });
        const said = { domain: 'drinks', session_id: 'kitchen', speaker: 'Mira' };
        await test.post('/v1/ingest/message', { ...said, text: 'The kettle hums.' });
        await test.post('/v1/ingest/message', { ...said, text: 'The tea is ready.', speaker: 'Olaf' });
        const path = test.file('snow.md', '# Snow\n\nSnow is white.\n');
        await test.post('/v1/jobs/ingest', { domain: 'snow', paths: [path] });
      },
    });
    const { page, problems } = world;
    await page.locator('td', { hasText: 'which city is green tea from <i>now</i>' }).waitFor();
    await page.locator('.badge', { hasText: 'rejected by agent-7' }).first().waitFor();
    await page.locator('td', { hasText: 'completed' }).waitFor();
    await page.locator('td', { hasText: '1 of 1' }).waitFor();
    await page.getByRole('button', { name: 'Show the turns of kitchen' }).click();
    await page.locator('.turns li', { hasText: 'Olaf' }).waitFor();
    expect(await page.locator('.turns li p:last-child').allTextContents()).toEqual([
      'The kettle hums.',
      'The tea is ready.',
    ]);
    await shot(page, 'console-agents-dark');
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'agents: a job that runs shows how far it is, and its end by itself',
  async () => {
    world = await open({ view: 'ask' });
    const { page, test, problems } = world;
    const path = test.file('snow.md', '# Snow\n\nSnow is white.\n');
    await test.post('/v1/jobs/ingest', { domain: 'snow', paths: [path] });
    // The job is real; the page is told that it still runs until it was seen to.
    let seen = false;
    await page.route(/\/v1\/jobs\?/, async (route) => {
      const answer = await route.fetch();
      const { jobs, ...rest } = await answer.json();
      if (seen) return route.fulfill({ response: answer });
      const running = jobs.map((job: { files: object }) => ({
        ...job,
        state: 'running',
        files: { ...job.files, total: 1, done: 0 },
      }));
      await route.fulfill({ response: answer, json: { ...rest, jobs: running } });
    });
    await page.route(/\/v1\/jobs\/[^/?]+$/, async (route) => {
      const answer = await route.fetch();
      if (seen) return route.fulfill({ response: answer });
      const passages = { parsed: 60, embedded: 30, written: 20 };
      const progress = [{ path: 'snow.md', step: 'embedding', done: 30, total: 120, passages }];
      await route.fulfill({ response: answer, json: { ...(await answer.json()), current: ['snow.md'], progress } });
    });
    await page.getByRole('link', { name: 'Agents', exact: true }).first().click();
    const row = page.getByRole('row', { name: /snow/ }).filter({ has: page.locator('progress') });
    await row.getByText('running', { exact: true }).waitFor();
    await row.getByText('0 of 1').waitFor();
    await page.getByText('snow.md: embedding, 30 of 120, 20 of 60 passages written').waitFor();
    seen = true;
    await row.getByText('completed', { exact: true }).waitFor();
    await row.getByText('1 of 1').waitFor();
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'agents: a job names the files that are gone from its directories',
  async () => {
    world = await open({ view: 'ask' });
    const { page, test, problems } = world;
    const paths = [join(test.files, 'weather')];
    mkdirSync(paths[0]!);
    for (const name of ['snow', 'rain', 'hail'])
      writeFileSync(join(paths[0]!, `${name}.md`), `# ${name}\n\nIt is ${name}.\n`);
    const ended = async () => {
      const { job_id: id } = (await test.post('/v1/jobs/ingest', { domain: 'weather', paths })).body;
      await waitFor(async () => expect((await test.get(`/v1/jobs/${id}`)).body.state).toBe('completed'), {
        timeout: 60_000,
      });
      return id;
    };
    const first = await ended();
    for (const name of ['snow', 'rain']) rmSync(join(paths[0]!, `${name}.md`));
    const second = await ended();
    await page.getByRole('link', { name: 'Agents', exact: true }).first().click();
    const details = page.getByRole('region', { name: `Job ${second}` });
    await details.getByText(/^2 files of its directories were gone/).waitFor();
    await details.getByText(join(paths[0]!, 'rain.md')).waitFor();
    await page.getByRole('button', { name: `Show job ${first}` }).click();
    await page
      .getByRole('region', { name: `Job ${first}` })
      .getByText('No file is worked on, failed or is gone.')
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  SLOW,
);

inBrowser(
  'agents: the details of a job that come after another job was chosen are not shown',
  async () => {
    world = await open({ view: 'ask' });
    const { page, test, problems } = world;
    const ids: string[] = [];
    for (const name of ['snow', 'rain']) {
      const path = test.file(`${name}.md`, `# ${name}\n\nIt is ${name}.\n`);
      const { job_id: id } = (await test.post('/v1/jobs/ingest', { domain: 'weather', paths: [path] })).body;
      await waitFor(async () => expect((await test.get(`/v1/jobs/${id}`)).body.state).toBe('completed'), {
        timeout: 60_000,
      });
      ids.push(id);
    }
    const [first, second] = ids;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/v1/jobs/${first}`, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Agents', exact: true }).first().click();
    const details = page.getByRole('region', { name: /^Job / });
    await page.getByRole('button', { name: `Show job ${second}` }).waitFor();
    const asked = page.waitForRequest(`**/v1/jobs/${first}`);
    await page.getByRole('button', { name: `Show job ${first}` }).click();
    await asked;
    await page.getByRole('button', { name: `Show job ${second}` }).click();
    await details.getByText(`Job ${second}`).waitFor();
    const late = page.waitForResponse(`**/v1/jobs/${first}`);
    release();
    await (await late).finished();
    await page.evaluate('new Promise((done) => setTimeout(done, 200))');
    expect(await details.getByRole('heading').allTextContents()).toEqual([`Job ${second}`]);
    expect(problems).toEqual([]);
  },
  SLOW,
);
