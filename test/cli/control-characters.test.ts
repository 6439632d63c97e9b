import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { visible, visibleJson, visibleText } from '../../src/cli/output/visible.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
const NAME = 'nice\u001b[2Jname\u009b1m\u202ex\nforged';
const SHOWN = 'nice\\x1b[2Jname\\x9b1m\\u202ex\\nforged';
/** Everything that a terminal obeys, but for the line breaks that lay the output out. */
const OBEYED = /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
let folder: string;

beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  folder = temporaryDirectory();
  mkdirSync(join(folder, 'files'));
  writeFileSync(join(folder, 'files', `a${NAME}.md`), '# Tea\n\nGreen tea \u001b[31mcomes\u202e from Japan.\n');
  writeFileSync(join(folder, 'files', `bad${NAME}.md`), '\0\u0001');
  writeFileSync(join(folder, 'files', `none${NAME}.md`), '');
  writeFileSync(join(folder, 'files', `picture${NAME}.png`), 'no text');
  const text = 'Black tea comes from Assam.';
  await svcJson('call', 'ingest_text', '--input', JSON.stringify({ text, name: NAME, domain: 'notes' }));
  const rule = { text: `Drink \u001b[8mtea\u202e.\nThen rest.`, category: 'daily' };
  const concepts = [{ id: 'c', name: NAME, description: `Oolong ${NAME}` }];
  await svcJson('call', 'ingest_structured', '--input', JSON.stringify({ domain: 'notes', concepts, rules: [rule] }));
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('control characters in data', () => {
  it('are written out where a name, a text or JSON is shown', () => {
    expect(visible(`${NAME}\t\r\u007f\u2069 né 茶`)).toBe(`${SHOWN}\\t\\r\\x7f\\u2069 né 茶`);
    expect(visibleText('a\r\n\tb\u001b\r')).toBe('a\n\tb\\x1b\\r');
    expect(JSON.parse(visibleJson(JSON.stringify({ [NAME]: NAME }, null, 2)))).toEqual({ [NAME]: NAME });
  });

  it('do not reach the terminal from the names of files that are ingested', async () => {
    const files = join(folder, 'files');
    const { code, stdout, stderr } = await svc('ingest', files, '--domain', 'notes');
    expect([code, stdout + stderr]).toEqual([1, expect.not.stringMatching(OBEYED)]);
    for (const kind of ['ingested', 'failed', 'skipped']) {
      expect(stdout).toMatch(new RegExp(`^${kind} .*\\\\x1b\\[2Jname\\\\x9b1m\\\\u202ex\\\\nforged`, 'm'));
    }
    expect(stdout).not.toMatch(/^forged/m);
    const single = await svc('ingest', join(files, `bad${NAME}.md`), '--domain', 'notes');
    expect(single.stdout + single.stderr).not.toMatch(OBEYED);
  });

  it.each([
    ['documents'],
    ['query', 'green', 'black', 'oolong', 'tea'],
    ['compare', 'oolong tea'],
    ['explore', 'notes:c'],
    ['rules'],
    ['jobs', 'list'],
    ['stats'],
    ['call', 'documents'],
    ['call', 'query', '--input', '{"context": "tea"}'],
    ['project', '--persona', 'me', '--target', 'agents'],
    ['query', 'tea', '--domain', `no${NAME}`],
    ['explore', `no${NAME}`],
    ['ingest', `no${NAME}.md`, '--domain', 'notes'],
  ])('do not reach the terminal from an answer or an error, command %#', async (...args) => {
    const { stdout, stderr } = await svc(...args);
    expect((stdout + stderr).length).toBeGreaterThan(10);
    expect(stdout + stderr).not.toMatch(OBEYED);
  });

  it('are shown where they stand', async () => {
    expect((await svc('query', 'oolong', '--top-k', '5')).stdout).toContain('\\u202ex');
    expect((await svc('documents')).stdout).toContain('nice\\x1b[2Jname');
    const { documents } = await svcJson('documents');
    expect(documents.map(({ label }: { label: string }) => label)).toContain(NAME);
  });
});
