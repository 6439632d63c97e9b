import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
const FILES = {
  'a/README.md': '# Alpha\n\nAlpha is deployed on Tuesday.\n',
  'b/README.md': '# Beta\n\nBeta is deployed at night.\n',
  'b/v2/notes.md': '# Gamma\n\nGamma is deployed by hand.\n',
  'c/v2/notes.md': '# Delta\n\nDelta is deployed by Mara.\n',
  'only.md': '# Epsilon\n\nEpsilon is deployed by Jon.\n',
};

beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  const folder = temporaryDirectory();
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await svcJson('ingest', folder, '--domain', 'd');
  await svcJson('ingest', join(folder, 'a'), '--domain', 'other');
});
afterAll(async () => {
  process.env = before;
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

  it('need no path any more when the others are forgotten', async () => {
    const [forgotten] = (await documents()).filter(({ label }) => label === 'a/README.md');
    await svcJson('forget', '--source', forgotten!.source_id);
    expect((await documents()).map(({ label }) => label)).toContain('README.md');
  });
});
