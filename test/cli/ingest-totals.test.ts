import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let documents: string;

beforeEach(() => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  documents = temporaryDirectory();
  for (let i = 0; i < 10; i += 1)
    writeFileSync(join(documents, `${i}.md`), `The Harbour Crane uses the Tide Gauge. It is note ${i}.\n`);
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

it('the totals of an ingest count a concept that many files name once', async () => {
  const { stdout } = await svc('ingest', documents, '--domain', 'port');
  const concepts = [...stdout.matchAll(/^ingested .* {2}1 passage, (\d) concepts?, 1 edge, 0 rules$/gm)];
  expect(concepts).toHaveLength(10);
  expect(concepts.reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThan(10);
  expect(stdout).toMatch(
    /\n\n10 ingested: 10 passages in [\d.]+ s \([\d.]+ files\/s\)\.\nDomain port holds 2 concepts, 1 edge, 0 rules\.\n$/,
  );
  const { files, domain } = await svcJson('ingest', join(documents, '0.md'), '--domain', 'port');
  expect(files).toHaveLength(1);
  expect(domain).toMatchObject({ name: 'port', concept_count: 2, edge_count: 1, rule_count: 0 });
}, 60_000);

it('the totals say what the domain holds once gone files are forgotten, and nothing of a domain that does not exist', async () => {
  writeFileSync(join(documents, 'gone.md'), 'The Signal Mast requires the Fog Horn.\n');
  expect((await svcJson('ingest', documents, '--domain', 'port')).domain.concept_count).toBe(4);
  rmSync(join(documents, 'gone.md'));
  const { stdout } = await svc('ingest', documents, '--domain', 'port', '--forget-missing');
  expect(stdout).toContain('Domain port holds 2 concepts, 1 edge, 0 rules.\nForgotten: 1 document whose file is gone.');
  const bad = join(temporaryDirectory(), 'bad.pdf');
  writeFileSync(bad, 'no PDF');
  const failed = await svc('ingest', bad, '--domain', 'none');
  expect([failed.code, failed.stdout]).toEqual([1, expect.not.stringContaining('holds')]);
}, 60_000);
