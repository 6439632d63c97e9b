import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '../jobs/notes.js';
import { openService, type TestService } from '../service/harness.js';

const TASKS = 'Tasks 0f1e2d3c4b5a46978877665544332211';
const ROOF = 'Roof repair 9c8b7a6d5e4f43219876543210fedcba.md';
const TABLE = 'Name,Assign,Due\nRoof repair,Ada Berg,"March 4, 2026"\n';
const FILES: Readonly<Record<string, string>> = {
  [`${TASKS}/${ROOF}`]: '# Roof repair\n\nAssign: Ada Berg\nDue: March 4, 2026\n\nThe felt leaks.\n',
  [`${TASKS}.csv`]: TABLE,
  'library.bib': '@article{k, title={Seagrass meadows}, author={Nowak, Ewa}, journal={Ocean}, year=2018}',
  'pumps.ris': 'TY  - JOUR\nTI  - Cavitation noise\nAU  - Okafor, Chidi\nPY  - 2019\nER  - \n',
  'House.enex':
    '<en-export><note><title>Boiler</title><content><![CDATA[<en-note><div>Contract FH-2291.</div></en-note>]]></content></note></en-export>',
  'bees.rss':
    '<rss><channel><title>Bees</title><item><title>Varroa</title><description>Treat at four degrees.</description></item></channel></rss>',
  'pom.xml': '<project/>',
  'Export-1.zip': 'PK',
};

let test: TestService;
beforeAll(async () => {
  test = await openService();
}, 60_000);
afterAll(() => test.close());

/** Runs a job to its end; returns its files, each with what became of it. */
async function files(body: object | FormData): Promise<Record<string, string>> {
  const isForm = body instanceof FormData;
  const started = await test.send('/v1/jobs/ingest', {
    method: 'POST',
    headers: isForm ? {} : { 'content-type': 'application/json' },
    body: isForm ? body : JSON.stringify(body),
  });
  expect(started.status).toBe(202);
  const id = started.body.job_id;
  await until(async () => ((await test.get(`/v1/jobs/${id}`)).body.state === 'completed' ? true : undefined));
  const found = (await test.get(`/v1/jobs/${id}/files`)).body.files as Array<{ path: string; state: string }>;
  return Object.fromEntries(found.map(({ path, state }) => [path.slice(path.lastIndexOf('/') + 1), state]));
}

/** Returns the first passage of an answer, with its title. */
async function first(domain: string, text: string): Promise<string> {
  const { body } = await test.post('/v1/query', { context: text, domains: [domain], top_k: 1 });
  return body.items[0].content;
}

const READ = { [ROOF]: 'done', 'library.bib': 'done', 'pumps.ris': 'done', 'House.enex': 'done', 'bees.rss': 'done' };

it('a folder and uploads of the same files are read alike', async () => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(test.files, name)), { recursive: true });
    writeFileSync(join(test.files, name), text);
  }
  expect(await files({ domain: 'folder', paths: [test.files] })).toEqual({
    ...READ,
    'pom.xml': 'skipped',
    [`${TASKS}.csv`]: 'skipped',
    'Export-1.zip': 'skipped',
  });
  const form = new FormData();
  form.set('domain', 'uploads');
  for (const name of Object.keys(READ))
    form.append('files', new Blob([FILES[name] ?? FILES[`${TASKS}/${name}`] ?? '']), name);
  expect(await files(form)).toEqual(READ);
  for (const domain of ['folder', 'uploads']) {
    expect(await first(domain, 'What did Ewa Nowak write about seagrass?')).toContain(
      'library > Seagrass meadows: author: Ewa Nowak; date: 2018; in: Ocean; kind: journal article; key: k.',
    );
    expect(await first(domain, 'Who wrote about cavitation noise?')).toContain('author: Chidi Okafor; date: 2019');
    expect(await first(domain, 'Which number has the contract of the boiler?')).toContain(
      'House > Boiler: Contract FH-2291.',
    );
    expect(await first(domain, 'At how many degrees is varroa treated?')).toContain('Bees > Varroa: Treat at four');
    expect(await first(domain, 'Who repairs the roof?')).toContain(
      'Roof repair: assign: Ada Berg; due: March 4, 2026.',
    );
  }
  expect(await first('folder', 'Who repairs the roof?')).toContain('Tasks > Roof repair');
}, 120_000);
