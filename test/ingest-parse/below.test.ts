import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filesBelow } from '../../src/ingest/read/below.js';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-below-'));
  await mkdir(join(root, 'old'));
  for (const name of ['Letter.docx', '~$Letter.docx', '.hidden.md', 'old/~$Sales.csv', 'old/~tilde.md', 'old/$.md'])
    await writeFile(join(root, name), 'x');
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('the files below a directory', () => {
  it('are all but dot files and those that an open document has beside it', async () => {
    const found: string[] = [];
    for await (const { path } of filesBelow(root, { followLinks: false })) found.push(relative(root, path));
    expect(found).toEqual(['Letter.docx', 'old/$.md', 'old/~tilde.md']);
  });
});
