import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rendered } from '../../src/cli/output/render.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let folder: string;

beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  folder = temporaryDirectory();
  writeFileSync(join(folder, 'tea.md'), '# Tea\n\nGreen tea comes from Japan.\n');
  writeFileSync(join(folder, 'picture.png'), 'no text');
  await svcJson('ingest', folder, '--domain', 'notes');
  const { query_id, items } = await svcJson('query', 'green tea');
  const outcomes = { [items[0].id]: 'accepted' };
  await svcJson('call', 'feedback', '--input', JSON.stringify({ query_id, outcomes }));
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('output for people', () => {
  it.each([['jobs', 'list'], ['stats'], ['status'], ['learning', 'interoception'], ['edits', 'list']])(
    'holds no JSON, which --json prints: %s %s',
    async (...args) => {
      const words = args.filter((word) => word !== undefined);
      const { code, stdout } = await svc(...words);
      expect([code, stdout]).toEqual([0, expect.not.stringMatching(/[[{]"|\{\}|\bnull\b|\[object/)]);
      expect(Object.keys(await svcJson(...words)).length).toBeGreaterThan(0);
    },
  );

  it('keeps a question, its rating and the ids of what it taught on lines of their own', async () => {
    const { query_id, items } = await svcJson('query', 'where does that good green tea come from');
    const outcomes = { [items[0].id]: 'accepted' };
    await svcJson('call', 'feedback', '--input', JSON.stringify({ query_id, outcomes }));
    const { stdout } = await svc('learning', 'interoception');
    expect(stdout).toMatch(/^ {2}accepted: "where does that good green tea come from" \(unknown, [\d :-]+\)$/m);
    expect(stdout).toContain(`\n${items[0].id}\n`);
    expect(stdout).toMatch(/^ {2}factor [\d.]+ in notes, by 1 rating$/m);
  });

  it('shows of a job what became of its files', async () => {
    const [heads, row] = (await svc('jobs', 'list')).stdout.split('\n').filter((line) => line.startsWith('│'));
    expect(heads).toMatch(
      /Job .* Begun .* Domain .* State .* Files .* Done .* Unchanged .* Failed .* Skipped .* Passages/,
    );
    const [, , , domain, state, ...counts] = row!.split('│').map((cell) => cell.trim());
    expect([domain, state, ...counts.slice(0, 6)]).toEqual(['notes', 'completed', '2', '1', '0', '0', '1', '1']);
    const { job_id } = (await svcJson('jobs', 'list')).jobs[0];
    expect((await svc('jobs', 'show', job_id)).stdout).toMatch(
      /^files +total 2, done 1, unchanged 0, failed 0, skipped 1$/m,
    );
  });

  it('names in a job the file that was skipped when it was opened, and says why', async () => {
    const empty = join(temporaryDirectory(), 'empty.txt');
    const settings = join(temporaryDirectory(), 'settings.json');
    writeFileSync(empty, '');
    writeFileSync(settings, '{"a": 1}');
    await svc('ingest', empty, settings, '--domain', 'notes');
    const { job_id } = (await svcJson('jobs', 'list')).jobs[0];
    const { skipped } = await svcJson('jobs', 'show', job_id);
    expect(skipped).toEqual([{ path: empty, error: expect.stringMatching(/empty/), code: 'invalid_input' }]);
    expect((await svc('jobs', 'show', job_id)).stdout).toMatch(/^skipped\n.*\n│ path [\s\S]*empty/m);
  });

  it('says why a file was skipped or failed, with the options of ingest', async () => {
    const broken = join(temporaryDirectory(), 'broken.pdf');
    writeFileSync(broken, 'This is no PDF file.');
    expect((await svc('ingest', folder, broken, '--domain', 'notes')).code).toBe(1);
    const { job_id } = (await svcJson('jobs', 'list')).jobs[0];
    const words = (text: string) => text.replace(/[\s│]+/g, ' ');
    const files = words((await svc('jobs', 'files', job_id, '--state', 'skipped')).stdout);
    expect(files).toContain('skipped');
    expect(words((await svc('jobs', 'files', job_id)).stdout)).toMatch(/run text recognition on it/);
    const shown = [await svc('jobs', 'files', job_id), await svc('jobs', 'show', job_id)].map(({ stdout }) => stdout);
    for (const text of shown) expect([text]).toEqual([expect.not.stringContaining('source_type')]);
    expect(shown.join()).toContain('--type');
  });

  it('takes --domain and --domains for the domains of a projection', async () => {
    for (const option of ['--domain', '--domains']) {
      const projected = (name: string) => svc('project', '--persona', 'me', option, name);
      expect((await projected('notes')).code).toBe(0);
      const { code, stderr } = await projected('none');
      expect([code, stderr]).toEqual([1, expect.stringContaining('The domain "none" does not exist')]);
    }
  });

  it('names the domains that there are where one does not exist', async () => {
    for (const words of [['query', 'tea'], ['documents'], ['forget']]) {
      const { code, stderr } = await svc(...words, '--domain', 'note');
      expect([code, stderr]).toEqual([1, expect.stringMatching(/note"? does not exist; .* There is notes\.\n$/)]);
      // Which command lists the domains, and which one makes one.
      expect(stderr).toMatch(
        /`svc domains` lists the domains, `svc ingest <files or folder> --domain <name>` makes one\./,
      );
    }
    // What it is called stays, whatever it is.
    expect((await svc('query', 'tea', '--domain', 'list the domains.')).stderr).toContain(
      'The domain "list the domains." does not exist; `svc domains` lists',
    );
  });

  it('shows domains of the statistics in a table', async () => {
    expect((await svc('stats')).stdout).toMatch(/domain_breakdown\n.*\n│ domain +│ concepts +│[^\n]*\n│ notes +│/);
  });

  it('puts what is inside into words, and leaves out what is null', () => {
    expect(rendered({ rate: { per_second: 2, of: { a: 1 } }, list: ['x', { b: 2 }], next: null, none: {} })).toBe(
      'rate  per second 2, of (a 1)\nlist  x, (b 2)\nnone  (none)',
    );
  });
});
