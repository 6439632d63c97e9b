import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
const start = process.cwd();
let folder: string;
const FILES = {
  'a/README.md': '# Alpha\n\nAlpha is deployed on Tuesday.\n',
  'b/README.md': '# Beta\n\nBeta is deployed at night.\n',
  'b/v2/notes.md': '# Gamma\n\nGamma is deployed by hand.\n',
  'c/v2/notes.md': '# Delta\n\nDelta is deployed by Mara.\n',
  'only.md': '# Epsilon\n\nEpsilon is deployed by Jon.\n',
};

beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  folder = temporaryDirectory();
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await svcJson('ingest', folder, '--domain', 'd');
  await svcJson('ingest', join(folder, 'a'), '--domain', 'other');
});
afterAll(async () => {
  process.env = before;
  process.chdir(start);
  await cleanUp();
});

interface Listed {
  readonly label: string;
  readonly source_id: string;
}
const documents = async (): Promise<Listed[]> => (await svcJson('documents', '--domain', 'd')).documents;

describe('files of one name', () => {
  it('are listed with the end of their path, as much as tells them apart within their domain', async () => {
    expect((await documents()).map(({ label }) => label).sort()).toEqual([
      'a/README.md',
      'b/README.md',
      'b/v2/notes.md',
      'c/v2/notes.md',
      'only.md',
    ]);
    expect((await svcJson('documents', '--domain', 'other')).documents).toMatchObject([{ label: 'README.md' }]);
  });

  it('stand so in an answer, whether or not the others do', async () => {
    const sourceOf = async (question: string, ...options: readonly string[]) =>
      (await svcJson('query', question, '--domain', 'd', '--top-k', '1', ...options)).items[0].metadata.source;
    expect(await sourceOf('When is Alpha deployed?')).toBe('a/README.md');
    expect(await sourceOf('Who deploys Delta?')).toBe('c/v2/notes.md');
    expect(await sourceOf('Who deploys Epsilon?')).toBe('only.md');
    expect((await svc('query', 'When is Beta deployed?', '--domain', 'd')).stdout).toContain('from b/README.md');
  });

  it('are forgotten by an exact choice alone: a bare name names the candidates', async () => {
    const found = await documents();
    const candidates = found.filter(({ label }) => label.endsWith('README.md'));
    const { code, stderr } = await svc('forget', 'README.md', '--domain', 'd');
    expect([code, stderr]).toEqual([2, expect.stringContaining('"README.md" names 2 sources; give --source: ')]);
    for (const { source_id, label } of candidates) expect(stderr).toContain(`${source_id} (${label}, in d)`);
    expect((await svc('forget', 'a/README.md', '--domain', 'd', '--dry-run')).stdout).toBe(
      'Would be forgotten: 1 source.\n  a/README.md, in d\nA dry run; nothing was changed.\n',
    );
  });

  it('need no path any more when the others are forgotten', async () => {
    const [forgotten] = (await documents()).filter(({ label }) => label === 'a/README.md');
    await svcJson('forget', '--source', forgotten!.source_id);
    expect((await documents()).map(({ label }) => label)).toContain('README.md');
    // Beside the file that was forgotten its name is not that of the other one.
    process.chdir(join(folder, 'a'));
    const again = await svc('forget', 'README.md', '--domain', 'd');
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringMatching(/"README\.md" of this directory was not ingested.*\(README\.md, in d\)/u),
    ]);
    process.chdir(join(folder, 'b'));
    const { stdout } = await svc('forget', 'README.md', '--domain', 'd');
    expect(stdout).toMatch(/^Forgotten: 1 source; \d+ nodes no longer exist\.\n {2}README\.md, in d\n$/u);
  });
});
